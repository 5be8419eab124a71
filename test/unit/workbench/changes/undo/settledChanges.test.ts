/** Commands on all changes, directly after a turn. */
import assert from 'node:assert/strict';
import Module from 'node:module';
import path from 'node:path';
import type { ChangeCommandName } from '../../../../../src/application/shared/changeCommandIds';
import type { ChangeCommands } from '../../../../../src/workbench/changes/changeCommands';

describe('a command on all changes', () => {
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  let progress: string[];
  let cancel: () => void;
  const vscode = {
    Uri: class {},
    ProgressLocation: { Notification: 15 },
    l10n: { t: (message: string) => message },
    window: {
      tabGroups: { activeTabGroup: { activeTab: undefined } },
      showInformationMessage: async (message: string) => void progress.push(message),
      withProgress: (options: { title: string }, task: (progress: unknown, token: unknown) => unknown) => {
        progress.push(options.title);
        return task({}, { onCancellationRequested: (listener: () => void) => (cancel = listener) });
      },
    },
  };
  let Commands: typeof ChangeCommands;
  /** The modules that another test has loaded with its own `vscode`. */
  const others = new Map<string, NodeJS.Module>();
  const takeModules = (): Map<string, NodeJS.Module> => {
    const names = Object.keys(require.cache).filter((name) => name.includes(`${path.sep}workbench${path.sep}`));
    const taken = new Map(names.map((name) => [name, require.cache[name]!]));
    names.forEach((name) => delete require.cache[name]);
    return taken;
  };
  before(() => {
    takeModules().forEach((module, name) => others.set(name, module));
    loader._load = (request, ...rest) => (request === 'vscode' ? vscode : load.call(loader, request, ...rest));
    ({ ChangeCommands: Commands } =
      require('../../../../../src/workbench/changes/changeCommands') as typeof import('../../../../../src/workbench/changes/changeCommands'));
  });
  after(() => {
    loader._load = load;
    takeModules();
    others.forEach((module, name) => (require.cache[name] = module));
  });
  beforeEach(() => (progress = []));

  /** A session whose second file is added to the review when the turn is recorded. */
  function stage() {
    const kept: string[] = [];
    let finish: () => void = () => undefined;
    const files = [{ path: '/w/a.txt', before: { kind: 'none' }, after: { kind: 'none' } }];
    const recorded = new Promise<void>((resolve) => (finish = resolve)).then(() => void files.push({ ...files[0]!, path: '/w/b.txt' }));
    const changes = { key: 's', settled: () => recorded, review: { keep: (file: string) => kept.push(file) } };
    const pending = {
      sessions: [changes],
      get: () => undefined,
      get pending() {
        return files.map((file) => ({ changes, file }));
      },
    };
    const commands = new Commands(pending as never, { reviews: {} } as never);
    return { kept, finish: () => finish(), run: (name: ChangeCommandName) => commands.run(name, []) };
  }

  it('includes files that are added at the end of the turn', async () => {
    const { kept, finish, run } = stage();
    const done = run('keepAllChanges');
    finish();
    await done;
    assert.deepEqual([kept, progress], [['/w/a.txt', '/w/b.txt'], []]);
  });

  it('shows that it is waiting, and does nothing when the user cancels', async () => {
    const { kept, run } = stage();
    const done = run('keepAllChanges');
    while (progress.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual(progress, ['Recording the changes of the last turn']);
    cancel();
    await done;
    assert.deepEqual(kept, []);
  });
});
