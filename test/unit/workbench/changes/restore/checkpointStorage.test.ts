/** Deleting stored checkpoints while another window opens their session. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CheckpointStorage } from '../../../../../src/workbench/changes/restore/checkpointStorage';

const DELETE = 'Delete All Checkpoints';

describe('the storage of checkpoints', () => {
  let root: string;
  let shown: string[];
  let logged: string[];
  let Storage: typeof CheckpointStorage;
  const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  const vscode = {
    // With this limit the tests delete from the first byte on.
    workspace: { getConfiguration: () => ({ inspect: () => ({ globalValue: 1e-9 }), get: () => 1e-9 }) },
    l10n: {
      t: (message: string, args?: Record<string, unknown>) => message.replace(/\{(\w+)\}/g, (_, name: string) => String(args?.[name])),
    },
    window: {
      showWarningMessage: async (message: string, ...rest: unknown[]) => {
        shown.push(message);
        return rest.includes(DELETE) ? DELETE : undefined;
      },
      showInformationMessage: async (message: string) => void shown.push(message),
    },
  };

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
    ({ CheckpointStorage: Storage } =
      require('../../../../../src/workbench/changes/restore/checkpointStorage') as typeof import('../../../../../src/workbench/changes/restore/checkpointStorage'));
  });
  after(() => {
    loader._load = load;
    takeModules();
    others.forEach((module, name) => (require.cache[name] = module));
  });
  beforeEach(() => {
    [shown, logged] = [[], []];
    root = mkdtempSync(path.join(tmpdir(), 'checkpoints-'));
    mkdirSync(folder(), { recursive: true });
    writeFileSync(path.join(folder(), 'objects.jsonl'), 'objects');
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const folder = (): string => path.join(root, 'project', 'one.changes');

  /**
   * The storage of checkpoints. @param openedAt the number of the question, from 1, since which another window has the session @param open sessions
   * of this window
   */
  function storage(openedAt: number, open: readonly object[] = []): CheckpointStorage {
    let calls = 0;
    const log = { info: (line: string) => logged.push(line) } as unknown as ConstructorParameters<typeof CheckpointStorage>[0]['log'];
    return new Storage({ folders: root, log, open: () => open as never, isLiveElsewhere: async () => ++calls >= openedAt });
  }

  for (const [what, state] of [
    ['an undo or a restore writes files', { isWriting: true }],
    ['an agent works', { isWriting: false, turnId: 'turn' }],
  ] as const) {
    it(`keeps the checkpoints of a session in which ${what}, with a message`, async () => {
      let deleted = 0;
      const session = { key: 'one', deleteCheckpoints: async () => void deleted++ };
      await storage(99, [{ ...session, ...state }]).deleteAll();
      assert.equal(deleted, 0);
      assert.match(shown.at(-1)!, /^Some checkpoints were not deleted, because .*changes are being undone, files are being restored/);
      await storage(99, [{ ...session, isWriting: false }]).deleteAll();
      assert.deepEqual([deleted, shown.at(-1)], [1, 'Deleted all checkpoints.']);
    });
  }

  it('keeps the checkpoints of a session that this window only shows, because another one has it', async () => {
    let deleted = 0;
    const session = { key: 'one', isWriting: false, deleteCheckpoints: async () => void deleted++ };
    await storage(1, [session]).deleteAll();
    assert.equal(deleted, 0);
    assert.match(shown.at(-1)!, /another window has the session open\.$/);
  });

  it('deletes checkpoints beyond the limit, and logs that', async () => {
    await storage(99).enforceLimit();
    assert.deepEqual([existsSync(folder()), logged.length], [false, 1]);
  });

  it('keeps checkpoints beyond the limit in a session that a window opens meanwhile', async () => {
    for (const openedAt of [1, 2, 3]) {
      await storage(openedAt).enforceLimit();
      assert.deepEqual([existsSync(path.join(folder(), 'objects.jsonl')), logged], [true, []], `opened at ${openedAt}`);
    }
  });

  it('counts a session that a window opens meanwhile among the kept ones', async () => {
    for (const openedAt of [1, 2]) {
      await storage(openedAt).deleteAll();
      assert.equal(existsSync(path.join(folder(), 'objects.jsonl')), true, `opened at ${openedAt}`);
      assert.match(shown.at(-1)!, /^Some checkpoints were not deleted/);
    }
    await storage(99).deleteAll();
    assert.deepEqual([existsSync(folder()), shown.at(-1)], [false, 'Deleted all checkpoints.']);
  });
});
