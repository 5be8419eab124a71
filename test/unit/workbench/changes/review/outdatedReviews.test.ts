/** Open reviews whose files no longer wait, or whose session has another name. */
import assert from 'node:assert/strict';
import type { InertText } from '../../../../../src/application/shared/escape';
import type { OpenReview } from '../../../../../src/workbench/changes/review/openReviews';
import { QUIET_MS } from '../../../../../src/session/permission/idleDetector';
import { withVscode } from '../../../../support/fakeVscode';
import { FakeClock } from '../../../session/permission/fakes';

const kinds = ['Text', 'TextDiff', 'Custom', 'Webview', 'Notebook', 'NotebookDiff', 'Terminal'];
const inputs = Object.fromEntries(kinds.map((kind) => [`TabInput${kind}`, class {}]));

interface Tab {
  label: string;
  input: unknown;
  isActive: boolean;
  isPreview: boolean;
  group: { viewColumn: number };
}
interface Group {
  viewColumn: number;
  tabs: Tab[];
}

describe('an open review', () => {
  const listeners = new Set<() => void>();
  const on = (listener: () => void) => (listeners.add(listener), { dispose: () => void listeners.delete(listener) });
  let groups: Group[] = [];
  let activeColumn = 1;
  const window = {
    tabGroups: {
      get all() {
        return groups;
      },
      get activeTabGroup() {
        const group = groups.find(({ viewColumn }) => viewColumn === activeColumn)!;
        return { ...group, activeTab: group.tabs.find(({ isActive }) => isActive) };
      },
      onDidChangeTabs: on,
      onDidChangeTabGroups: on,
      close: async (tab: Tab) => groups.forEach((group) => (group.tabs = group.tabs.filter((each) => each !== tab))),
    },
  };
  const columns = ['First', 'Second'];
  const commands = {
    executeCommand: async (id: string) => {
      const column = columns.findIndex((name) => id === `workbench.action.focus${name}EditorGroup`) + 1;
      activeColumn = column || activeColumn;
    },
  };
  const { OutdatedReviews } = withVscode(
    { ...inputs, window, commands },
    () =>
      require('../../../../../src/workbench/changes/review/outdatedReviews') as typeof import('../../../../../src/workbench/changes/review/outdatedReviews'),
  );
  const review = { textDiffs: [] };
  const page = (): unknown => new inputs.TabInputWebview!();

  function stage(...given: (readonly [label: string, input: unknown])[][]) {
    activeColumn = 1;
    groups = given.map((tabs, index) => {
      const group = { viewColumn: index + 1 };
      return { ...group, tabs: tabs.map(([label, input], at) => ({ label, input, isActive: at === 0, isPreview: false, group })) };
    });
    const clock = new FakeClock();
    const open = new Map<string, OpenReview>([['One', { groupId: 'one', name: 'One' as InertText, files: new Set(['one a', 'one b']) }]]);
    const state = {
      clock,
      waiting: ['one a', 'one b', 'two a'],
      name: 'One',
      focus: undefined as { sessionKey: string } | 'editor' | undefined,
      opened: [] as unknown[],
      act: (_: number): void => undefined,
      settled: async (): Promise<void> => {
        listeners.forEach((listener) => listener());
        clock.pass(QUIET_MS);
        await new Promise(setImmediate);
      },
    };
    const reviews = new OutdatedReviews({
      changes: {
        get pending() {
          return state.waiting.map((each) => ({ changes: { key: each.slice(0, 3) }, file: { path: each.slice(4) } }) as never);
        },
        onDidChange: on,
      },
      reviews: { of: (label) => open.get(label) },
      clock,
      activity: {
        get focus() {
          return state.focus;
        },
        onDidChange: on,
        onActivity: (listener) => ((state.act = listener), { dispose: () => undefined }),
      },
      filesOf: () => state.waiting.filter((each) => each.startsWith('one')),
      nameOf: () => state.name as InertText,
      open: async (groupId) => {
        state.opened.push([groupId, activeColumn]);
        const group = groups[activeColumn - 1]!;
        group.tabs.forEach((tab) => (tab.isActive = false));
        group.tabs.push({ label: 'New', input: review, isActive: true, isPreview: true, group });
        return true;
      },
    });
    return Object.assign(state, { reviews });
  }
  const labels = () => groups.map(({ tabs }) => tabs.map(({ label }) => label));
  afterEach(() => listeners.clear());

  it('stays while all its files wait', async () => {
    const { settled, opened } = stage([['One', review]]);
    await settled();
    assert.deepEqual([labels(), opened], [[['One']], []]);
  });

  it('leaves a file out that another session has taken over', async () => {
    const state = stage([['One', review]]);
    state.waiting = ['one b', 'two a'];
    await state.settled();
    assert.deepEqual([labels(), state.opened], [[['New']], [['one', 1]]]);
  });

  it('shows a further file of its session, and not one of another session', async () => {
    const state = stage([['One', review]]);
    state.waiting = ['one a', 'one b', 'two a', 'two b'];
    await state.settled();
    assert.deepEqual(state.opened, []);
    state.focus = 'editor';
    state.waiting = [...state.waiting, 'one c'];
    await state.settled();
    assert.deepEqual([labels(), state.opened], [[['New']], [['one', 1]]]);
  });

  it('waits for the user to come to it, so that the focus moves into no editor', async () => {
    const state = stage([['Chat', page()]], [['One', review]]);
    state.waiting = [...state.waiting, 'one c'];
    state.name = 'Renamed';
    await state.settled();
    assert.deepEqual([state.opened, activeColumn], [[], 1]);
    activeColumn = 2;
    await state.settled();
    assert.deepEqual([labels(), state.opened, activeColumn], [[['Chat'], ['New']], [['one', 2]], 2]);
  });

  it('is not replaced when the focus may have left it for a terminal or a side bar', async () => {
    const state = stage([['One', review]]);
    await state.settled();
    state.clock.pass(10_000);
    state.waiting = [...state.waiting, 'one c'];
    await state.settled();
    assert.deepEqual(state.opened, []);
    state.focus = 'editor';
    await state.settled();
    assert.deepEqual(state.opened, [['one', 1]]);
  });

  it('closes when none of its files waits, wherever the focus is', async () => {
    const state = stage([
      ['One', review],
      ['a.ts', new inputs.TabInputText!()],
    ]);
    state.focus = { sessionKey: 'one' };
    state.waiting = ['two a'];
    await state.settled();
    assert.deepEqual([labels(), state.opened], [[['a.ts']], []]);
  });

  it('has the new name of its session', async () => {
    const state = stage([['One', review]]);
    state.name = 'Renamed';
    await state.settled();
    assert.deepEqual([labels(), state.opened], [[['New']], [['one', 1]]]);
  });

  it('is not replaced while the user types', async () => {
    const state = stage([['One', review]]);
    state.waiting = ['one b'];
    listeners.forEach((listener) => listener());
    state.clock.pass(QUIET_MS - 1);
    state.act(0);
    state.clock.pass(QUIET_MS - 1);
    await new Promise(setImmediate);
    assert.equal(state.opened.length, 0);
    state.clock.pass(1);
    await new Promise(setImmediate);
    assert.equal(state.opened.length, 1);
  });

  it('is not replaced while a chat view has the focus, or in the background', async () => {
    const state = stage([['One', review]], [['a.ts', new inputs.TabInputText!()]]);
    state.waiting = ['one b'];
    state.focus = { sessionKey: 'one' };
    await state.settled();
    state.focus = undefined;
    groups[0]!.tabs[0]!.isActive = false;
    await state.settled();
    assert.equal(state.opened.length, 0);
    groups[0]!.tabs[0]!.isActive = true;
    state.focus = 'editor';
    await state.settled();
    assert.equal(state.opened.length, 1);
  });
});
