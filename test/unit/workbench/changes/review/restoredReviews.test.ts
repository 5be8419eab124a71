/** The review tabs that VS Code restores after a reload of the window. */
import assert from 'node:assert/strict';
import { withVscode } from '../../../../support/fakeVscode';

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

describe('a restored review', () => {
  const listeners = new Set<() => void>();
  const on = (listener: () => void) => (listeners.add(listener), { dispose: () => void listeners.delete(listener) });
  const fire = async (): Promise<void> => {
    listeners.forEach((listener) => listener());
    await new Promise(setImmediate);
  };
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
      close: async (tabs: readonly Tab[]) => groups.forEach((group) => (group.tabs = group.tabs.filter((tab) => !tabs.includes(tab)))),
    },
  };
  let kept: string[] = [];
  const columns = ['First', 'Second'];
  const commands = {
    executeCommand: async (id: string) => {
      if (id === 'workbench.action.keepEditor') {
        kept.push(window.tabGroups.activeTabGroup.activeTab!.label);
        return;
      }
      activeColumn = columns.findIndex((name) => id === `workbench.action.focus${name}EditorGroup`) + 1;
    },
  };
  const { RestoredReviews, hasTitledTab, storedTitles, storeTitle } = withVscode({ ...inputs, window, commands }, () => ({
    ...(require('../../../../../src/workbench/changes/review/restoredReviews') as typeof import('../../../../../src/workbench/changes/review/restoredReviews')),
    ...(require('../../../../../src/workbench/changes/review/reviewTabs') as typeof import('../../../../../src/workbench/changes/review/reviewTabs')),
  }));

  const review = { textDiffs: [] };
  const titles = new Map([
    ['Changes to Review', undefined],
    ['Changes to Review: One', 'one'],
  ]);

  /** @param given the tabs of each group, the active one first */
  function stage(...given: (readonly [label: string, input: unknown])[][]) {
    activeColumn = 1;
    kept = [];
    groups = given.map((tabs, index) => {
      const group = { viewColumn: index + 1 };
      return { ...group, tabs: tabs.map(([label, input], at) => ({ label, input, isActive: at === 0, isPreview: false, group })) };
    });
    const state = { hasChanges: true, focus: undefined as { sessionKey: string } | undefined, opened: [] as unknown[] };
    const reviews = new RestoredReviews({
      titles,
      isOpen: (label) => label.startsWith('new '),
      hasChanges: () => state.hasChanges,
      activity: {
        get focus() {
          return state.focus;
        },
        onDidChange: on,
      },
      open: async (groupId, show) => {
        if (groupId === 'gone') {
          return false;
        }
        await show();
        state.opened.push([groupId, activeColumn]);
        const group = groups[activeColumn - 1]!;
        group.tabs.forEach((tab) => (tab.isActive = false));
        group.tabs.push({ label: `new ${groupId}`, input: review, isActive: true, isPreview: true, group });
        return true;
      },
    });
    return Object.assign(state, { reviews });
  }
  const labels = () => groups.map(({ tabs }) => tabs.map(({ label }) => label));
  afterEach(() => listeners.clear());

  it('is opened again in its group, which keeps the focus where it was', async () => {
    const { reviews, opened } = stage([['a.ts', new inputs.TabInputText!()]], [['Changes to Review: One (2 files)', review]]);
    await reviews.update();
    assert.deepEqual(labels(), [['a.ts'], ['new one']]);
    assert.deepEqual([opened, activeColumn], [[['one', 2]], 1]);
    await fire();
    assert.equal(listeners.size, 0);
  });

  it('with a title that several tabs have is opened once', async () => {
    const { reviews } = stage([
      ['Changes to Review', review],
      ['Changes to Review (1 file)', review],
    ]);
    await reviews.update();
    assert.deepEqual(labels(), [['new undefined']]);
  });

  it('is kept open unless the restored tab was a preview', async () => {
    const { reviews } = stage([['Changes to Review', review]]);
    await reviews.update();
    assert.deepEqual(kept, ['new undefined']);
    const other = stage([['Changes to Review', review]]);
    groups[0]!.tabs[0]!.isPreview = true;
    await other.reviews.update();
    assert.deepEqual(kept, []);
  });

  it('in the background is opened again when it becomes visible', async () => {
    const { reviews, opened } = stage([
      ['a.ts', new inputs.TabInputText!()],
      ['Changes to Review', review],
    ]);
    await reviews.update();
    assert.deepEqual(labels(), [['a.ts', 'Changes to Review']]);
    groups[0]!.tabs.forEach((tab) => (tab.isActive = !tab.isActive));
    await fire();
    assert.deepEqual([labels(), opened.length], [[['a.ts', 'new undefined']], 1]);
  });

  it('waits while the user types in a chat view', async () => {
    const state = stage([['Changes to Review', review]]);
    state.focus = { sessionKey: 'one' };
    await state.reviews.update();
    assert.equal(state.opened.length, 0);
    state.focus = undefined;
    await fire();
    assert.equal(state.opened.length, 1);
  });

  it('is closed when nothing waits for review', async () => {
    const state = stage([
      ['a.ts', new inputs.TabInputText!()],
      ['Changes to Review', review],
    ]);
    state.hasChanges = false;
    await state.reviews.update();
    assert.deepEqual([labels(), state.opened], [[['a.ts']], []]);
  });

  it('is not mistaken for another tab with its title', async () => {
    const others = kinds.map((kind) => ['Changes to Review', new inputs[`TabInput${kind}`]!()] as const);
    const state = stage([
      ...others,
      ['Changes to Review', undefined],
      ['Changes to Review (a) (1 file)', review],
      ['Changes to Review: Two', review],
    ]);
    state.hasChanges = false;
    const before = labels();
    await state.reviews.update();
    assert.deepEqual(labels(), before);
    assert.equal(hasTitledTab(titles), false);
  });

  it('is remembered by its title as long as its tab is open', () => {
    const values = new Map<string, unknown>();
    const state = { get: (key: string) => values.get(key), update: async (key: string, value: unknown) => void values.set(key, value) };
    stage([['First (1 file)', review]]);
    storeTitle(state as never, 'Closed', 'gone');
    storeTitle(state as never, 'First', undefined);
    storeTitle(state as never, 'Second', 'two');
    assert.deepEqual(
      [...storedTitles(state as never)],
      [
        ['First', undefined],
        ['Second', 'two'],
      ],
    );
    assert.equal(hasTitledTab(storedTitles(state as never)), true);
    values.forEach((_, key) => values.set(key, [1, ['a', 2], 'b']));
    assert.equal(storedTitles(state as never).size, 0);
  });
});
