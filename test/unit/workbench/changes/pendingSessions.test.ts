/** Pending changes after a reload of the window. */
import assert from 'node:assert/strict';
import { withVscode } from '../../../support/fakeVscode';

describe('sessions with pending changes', () => {
  const KEY = 'changes.pendingSessions';
  const trust: (() => void)[] = [];
  const workspace = {
    isTrusted: true,
    onDidGrantWorkspaceTrust: (listener: () => void) => (trust.push(listener), { dispose: () => void trust.pop() }),
  };
  const tabs: { label: string; input: object }[] = [];
  const kinds = ['Text', 'TextDiff', 'Custom', 'Webview', 'Notebook', 'NotebookDiff', 'Terminal'];
  const inputs = Object.fromEntries(kinds.map((kind) => [`TabInput${kind}`, class {}]));
  const vscode = { workspace, l10n: { t: String }, window: { tabGroups: { all: [{ tabs }] } }, ...inputs };
  const { PendingSessions, showStoredChanges } = withVscode(vscode, () => ({
    ...(require('../../../../src/workbench/changes/pendingSessions') as typeof import('../../../../src/workbench/changes/pendingSessions')),
    ...(require('../../../../src/workbench/changes/storedChanges') as typeof import('../../../../src/workbench/changes/storedChanges')),
  }));

  function memento(keys?: unknown) {
    const values = new Map<string, unknown>(keys === undefined ? [] : [[KEY, keys]]);
    return {
      values,
      writes: 0,
      get(key: string): unknown {
        return values.get(key);
      },
      async update(key: string, value: unknown): Promise<void> {
        this.writes++;
        values.set(key, value);
      },
    };
  }
  function stage(keys: readonly string[], sizes: Record<string, number | undefined> = {}, elsewhere: readonly string[] = []) {
    const state = memento(keys);
    const loaded: string[] = [];
    const warned: string[] = [];
    const sessions = new PendingSessions({
      state: state as never,
      log: { warn: (text) => void warned.push(text) },
      isOpen: (key) => loaded.includes(key),
      isLiveElsewhere: async (key) => elsewhere.includes(key),
      journalSize: async (key) => (key in sizes ? sizes[key] : 1),
      load: async (key) => {
        if (key === 'broken') {
          throw new Error('no');
        }
        loaded.push(key);
      },
    });
    return { state, loaded, warned, sessions };
  }

  describe('are remembered', () => {
    it('from the first pending change to the last', () => {
      const { state, sessions } = stage([]);
      sessions.remember([{ key: 'a', isPending: false }]);
      assert.equal(state.writes, 0);
      sessions.remember([
        { key: 'a', isPending: true },
        { key: 'b', isPending: true },
      ]);
      assert.deepEqual(state.values.get(KEY), ['a', 'b']);
      sessions.remember([
        { key: 'a', isPending: true },
        { key: 'b', isPending: true },
      ]);
      assert.equal(state.writes, 1);
      sessions.remember([{ key: 'a', isPending: false }]);
      assert.deepEqual(state.values.get(KEY), ['b']);
      sessions.remember([{ key: 'b', isPending: false }]);
      assert.equal(state.values.get(KEY), undefined);
    });

    it('when the window closes them', () => {
      const { state, sessions } = stage(['a']);
      sessions.remember([]);
      assert.deepEqual(state.values.get(KEY), ['a']);
    });

    it('up to a number', () => {
      const { state, sessions } = stage([]);
      sessions.remember(Array.from({ length: 60 }, (_, index) => ({ key: `s${index}`, isPending: true })));
      const keys = state.values.get(KEY) as string[];
      assert.deepEqual([keys.length, keys.at(-1)], [50, 's59']);
    });
  });

  describe('are read back', () => {
    it('with the newest first, up to a number and a size', async () => {
      const many = stage(Array.from({ length: 12 }, (_, index) => `s${index}`));
      await many.sessions.showNewest();
      assert.deepEqual(many.loaded, ['s11', 's10', 's9', 's8', 's7', 's6', 's5', 's4']);
      const large = stage(['small', 'large'], { large: 64 * 1024 * 1024 });
      await large.sessions.showNewest();
      assert.deepEqual(large.loaded, ['small']);
    });

    it('without a limit when the user wants to review all', async () => {
      const { sessions, loaded } = stage(['large', ...Array.from({ length: 12 }, (_, index) => `s${index}`)], { large: 64 * 1024 * 1024 });
      await Promise.all([sessions.showNewest(), sessions.showAll()]);
      assert.equal(loaded.length, 13);
    });

    it('unless another window has them', async () => {
      const { state, sessions, loaded } = stage(['a', 'b'], {}, ['b']);
      await sessions.showAll();
      assert.deepEqual(loaded, ['a']);
      assert.deepEqual(state.values.get(KEY), ['a', 'b']);
    });

    it('unless they were deleted, which forgets them', async () => {
      const { state, sessions, loaded } = stage(['a', 'gone'], { gone: undefined });
      await sessions.showNewest();
      assert.deepEqual(loaded, ['a']);
      assert.deepEqual(state.values.get(KEY), ['a']);
    });

    it('also when one of them cannot be read', async () => {
      const { sessions, loaded, warned } = stage(['a', 'broken']);
      await sessions.showNewest();
      assert.deepEqual([loaded, warned.length], [['a'], 1]);
    });
  });

  describe('after the start of the window', () => {
    const realTimeout = globalThis.setTimeout;
    let due: (() => void)[] = [];
    beforeEach(() => {
      due = [];
      workspace.isTrusted = true;
      globalThis.setTimeout = ((callback: () => void) => {
        due.push(callback);
        return 0;
      }) as never;
    });
    afterEach(() => (globalThis.setTimeout = realTimeout));

    it('cost nothing where there are none', () => {
      for (const value of [undefined, [], 'a', [1]]) {
        showStoredChanges(memento(value) as never, () => assert.fail());
      }
      assert.equal(due.length, 0);
    });

    it('are shown later', () => {
      let shown = 0;
      showStoredChanges(memento(['a']) as never, async () => void shown++);
      assert.equal(shown, 0);
      due.forEach((callback) => callback());
      assert.equal(shown, 1);
    });

    it('are shown also when only a tab of their review is left', () => {
      let shown = 0;
      const state = { get: (key: string) => (key === KEY ? undefined : [['Changes to Review']]) };
      showStoredChanges(state as never, async () => void shown++);
      due.forEach((callback) => callback());
      assert.equal(shown, 0);
      tabs.push({ label: 'Changes to Review (1 file)', input: {} });
      due.forEach((callback) => callback());
      tabs.pop();
      assert.equal(shown, 1);
    });

    it('are shown once the workspace is trusted', () => {
      workspace.isTrusted = false;
      let shown = 0;
      const waiting = showStoredChanges(memento(['a']) as never, async () => void shown++);
      assert.equal(due.length, 0);
      trust.forEach((granted) => granted());
      due.forEach((callback) => callback());
      assert.equal(shown, 1);
      waiting.dispose();
      assert.equal(trust.length, 0);
    });
  });
});
