/** The source control of changes: its order beside those of Git, whose branch VS Code shows in the status bar, and its count. */
import assert from 'node:assert/strict';
import { EMPTY_STATE } from '../../../../../src/core/model/state';
import { FakeClock } from '../../../acp/support';
import { withVscode } from '../../../../support/fakeVscode';

/** An object whose every property, result and instance is itself. */
const anything: unknown = new Proxy(function () {}, {
  get: (_, key) => (key === 'then' || typeof key === 'symbol' ? undefined : anything),
  apply: () => anything,
  construct: () => anything as object,
});
/** Returns `known`, where every other property is {@link anything}. */
const withAnything = (known: object): object =>
  new Proxy(known, { get: (target, key) => (key in target ? (Reflect.get(target, key) as unknown) : anything) });

describe('the source control of changes', () => {
  /** The source controls of the window, in the order in which they were made. */
  let controls: string[];
  let git: { enabled: boolean; getAPI(): unknown } | undefined;
  /** The source control that was made last. */
  let ours: { count?: number } | undefined;
  const control = () =>
    (ours = {
      inputBox: {},
      createResourceGroup: () => ({ dispose: () => undefined }),
      dispose: () => (controls = controls.filter((name) => name !== 'ours')),
    } as { count?: number });
  const names = ['DecorationRangeBehavior', 'EventEmitter', 'OverviewRulerLane', 'Range', 'ThemeColor', 'Uri', 'languages'];
  const vscode = {
    ...Object.fromEntries(names.map((name) => [name, anything])),
    l10n: { t: String },
    commands: { executeCommand: async () => undefined },
    extensions: { getExtension: () => git && { activate: async () => git } },
    scm: { createSourceControl: () => (controls.push('ours'), control()) },
    window: withAnything({ visibleTextEditors: [], activeTextEditor: undefined }),
    workspace: withAnything({
      workspaceFolders: [],
      getConfiguration: () => ({ get: (_: string, value: unknown) => value, inspect: () => undefined }),
    }),
  };
  const { ReviewSurfaces } = withVscode(
    vscode,
    () =>
      require('../../../../../src/workbench/changes/review/reviewSurfaces') as typeof import('../../../../../src/workbench/changes/review/reviewSurfaces'),
  );

  let clock: FakeClock;
  let surfaces: InstanceType<typeof ReviewSurfaces> | undefined;
  beforeEach(() => ([controls, git, clock] = [[], undefined, new FakeClock()]));
  afterEach(() => surfaces?.dispose());

  const session = { key: 's', store: { state: EMPTY_STATE } };
  const changes = { key: 's', session, uriOf: (path: string) => ({ fsPath: path }) };
  const file = { path: '/w/a.txt', before: { kind: 'none' }, after: { kind: 'none' }, isDeleted: false, turns: ['t'] };
  const dispose = (): void => undefined;
  function open(): void {
    const pending = {
      pending: [{ changes, file }],
      sessions: [changes],
      pendingAt: () => [],
      runningAt: () => [],
      onDidChange: () => ({ dispose }),
    };
    surfaces = new ReviewSurfaces({ ...pending, get: () => changes, isRunning: false } as never, clock, { inFront: undefined } as never);
  }
  /** Lets promises and drawing finish. */
  async function settled(ms = 1000): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    clock.advance(ms);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** A Git extension that opens its repositories later. */
  function startingGit() {
    const opened: ((repository: unknown) => void)[] = [];
    const initialized: (() => void)[] = [];
    const on = (listeners: ((...args: never[]) => void)[]) => (listener: () => void) => (listeners.push(listener), { dispose });
    const api = {
      state: 'uninitialized',
      repositories: [] as unknown[],
      onDidChangeState: on(initialized),
      onDidOpenRepository: on(opened),
      onDidCloseRepository: on([]),
    };
    git = { enabled: true, getAPI: () => api };
    const changed: (() => void)[] = [];
    const state = {
      mergeChanges: [],
      indexChanges: [],
      workingTreeChanges: [] as { readonly uri: { readonly fsPath: string }; readonly status: number }[],
      onDidChange: on(changed),
    };
    return {
      /** Git finds these files changed. */
      finds: (...paths: string[]) => {
        state.workingTreeChanges = paths.map((fsPath) => ({ uri: { fsPath }, status: 5 }));
        changed.forEach((listener) => listener());
      },
      open: () => {
        controls.push('git');
        api.repositories.push({ state });
        opened.forEach((listener) => listener({ state }));
      },
      initialize: () => {
        api.state = 'initialized';
        initialized.forEach((listener) => listener());
      },
    };
  }

  it('is made at once without Git', async () => {
    open();
    await settled();
    assert.deepEqual(controls, ['ours']);
  });

  it("follows Git's, whatever is ready first", async () => {
    const { open: openRepository, initialize } = startingGit();
    open();
    await settled();
    assert.deepEqual(controls, []);
    openRepository();
    initialize();
    await settled();
    assert.deepEqual(controls, ['git', 'ours']);
  });

  it('does not wait for a Git that never finishes, and is made again after its first repository', async () => {
    const { open: openRepository } = startingGit();
    open();
    await settled(10_000);
    await settled();
    assert.deepEqual(controls, ['ours']);
    openRepository();
    await settled();
    assert.deepEqual(controls, ['git', 'ours']);
  });

  it('adds only files to the badge of the view that Git does not count', async () => {
    const { open: openRepository, initialize, finds } = startingGit();
    open();
    openRepository();
    initialize();
    await settled();
    assert.equal(ours?.count, 1);
    finds('/w/a.txt', '/w/b.txt');
    await settled();
    assert.equal(ours?.count, 0);
    finds();
    await settled();
    assert.equal(ours?.count, 1);
  });
});
