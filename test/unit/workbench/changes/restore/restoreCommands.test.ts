/** The questions of a restore, its notices in the conversation, and the agent's memory. */
import assert from 'node:assert/strict';
import { EntryList } from '../../../../../src/core/model/entries';
import { EMPTY_STATE, entryIdOf, type SessionState } from '../../../../../src/core/model/state';
import type { RestoreDependencies } from '../../../../../src/workbench/changes/restore/restoreCommands';
import type { SessionChanges } from '../../../../../src/workbench/changes/session/sessionChanges';
import { withVscode } from '../../../../support/fakeVscode';

const NOW = { kind: 'file', hash: 'a', size: 1, mode: 0o644, kept: true } as const;
const FILE = { path: '/folder/a.txt', action: 'write', changedSince: false, now: NOW, to: { ...NOW, hash: 'b' } };

describe('the undo of a restore', () => {
  /** Undoes a restore of one file. @returns the codes of the notices, and the messages */
  async function undone(isWritten: boolean): Promise<{ readonly notices: readonly string[]; readonly shown: readonly string[] }> {
    const shown: string[] = [];
    const notices: string[] = [];
    const show = async (message: string): Promise<undefined> => void shown.push(message);
    const vscode = {
      workspace: { textDocuments: [], notebookDocuments: [] },
      window: { tabGroups: { all: [] }, showInformationMessage: show, showWarningMessage: show },
      l10n: {
        t: (text: string, values: Readonly<Record<string, string>> = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!),
      },
    };
    const changes = {
      key: 'session',
      restore: {
        lastRestoreId: async () => 'restore',
        undoing: async () => ({ at: 0, files: [FILE], point: { earlier: [], later: [] } }),
        perform: async () =>
          isWritten
            ? { restoreId: 'undone', restored: [FILE.path], left: [], reasons: [] }
            : { restoreId: undefined, restored: [], left: [FILE.path], reasons: [{ path: FILE.path, reason: 'changed' }] },
      },
      report: { note: () => undefined, otherPathsOf: () => [] },
      textOf: async () => undefined,
      uriOf: (fsPath: string) => ({ fsPath }),
      session: {
        store: { seq: 1, append: ({ failure }: { readonly failure: { readonly code: string } }) => void notices.push(failure.code) },
      },
    } as unknown as SessionChanges;
    const { RestoreCommands } = withVscode(
      vscode,
      () =>
        require('../../../../../src/workbench/changes/restore/restoreCommands') as typeof import('../../../../../src/workbench/changes/restore/restoreCommands'),
    );
    const commands = new RestoreCommands({ documentOf: () => undefined } as unknown as RestoreDependencies);
    await commands.undoRestore(changes);
    return { notices, shown };
  }

  it('is in the conversation', async () => {
    assert.deepEqual(await undone(true), { notices: ['session.undone'], shown: ['Restored 1 file.'] });
  });

  it('is not in the conversation when no file was written', async () => {
    assert.deepEqual(await undone(false), { notices: [], shown: ['Not restored: a.txt (changed meanwhile).'] });
  });
});

describe('the choice of what goes back', () => {
  const message = (role: string, messageId: string) =>
    ({
      kind: 'message',
      entryId: role === 'user' ? entryIdOf.message('user', messageId) : messageId,
      role,
      messageId,
      at: 0,
      content: [],
    }) as const;

  /** Chooses the agent's memory for the second message. @returns true where it was offered, and the message */
  async function chosen(state: Partial<SessionState>) {
    const rewound: string[] = [];
    const entries = EntryList.of([message('user', 'one'), message('agent', 'a'), message('user', 'two')] as never);
    const offered: boolean[] = [];
    const vscode = {
      workspace: { textDocuments: [], notebookDocuments: [] },
      window: { tabGroups: { all: [] } },
      l10n: { t: (text: string) => text },
      commands: {},
    };
    const changes = {
      key: 'session',
      roots: [],
      log: { records: async () => [] },
      session: {
        store: { state: { ...EMPTY_STATE, status: 'ready', entries, ...state } },
        rewindBefore: async (entryId: string) => {
          rewound.push(entryId);
          return undefined;
        },
      },
    } as unknown as SessionChanges;
    const { RestoreCommands } = withVscode(
      vscode,
      () =>
        require('../../../../../src/workbench/changes/restore/restoreCommands') as typeof import('../../../../../src/workbench/changes/restore/restoreCommands'),
    );
    const commands = new RestoreCommands({
      follow: async () => changes,
      all: () => [changes],
      picks: {
        what: async (_changes: unknown, _files: unknown, { canRewind }: { readonly canRewind: boolean }) => {
          offered.push(canRewind);
          return canRewind ? 'rewind' : undefined;
        },
      },
    } as unknown as RestoreDependencies);
    await commands.restoreCheckpoint(changes.session as never, entryIdOf.message('user', 'two'));
    return { offered, rewound };
  }

  const rewind = { capabilities: { ...EMPTY_STATE.capabilities, rewind: true } };

  it('has the memory of an agent that can forget', async () => {
    assert.deepEqual(await chosen(rewind), { offered: [true], rewound: [entryIdOf.message('user', 'two')] });
  });

  it('lacks it where the agent cannot forget, or does not run', async () => {
    assert.deepEqual(await chosen({}), { offered: [false], rewound: [] });
    assert.deepEqual(await chosen({ ...rewind, status: 'disconnected' }), { offered: [false], rewound: [] });
  });
});

describe('a restore of files', () => {
  const plan = (...files: object[]) => ({ at: 0, files: files.map((file) => ({ ...FILE, ...file })), point: { earlier: [], later: [] } });

  /** Restores the files before the second message. @param selected the paths that the user selects where the files are listed */
  async function restore(files: ReturnType<typeof plan>, what = 'files', selected: readonly string[] = []) {
    const asked: string[] = [];
    const shown: string[] = [];
    const notices: string[] = [];
    const show = async (message: string): Promise<undefined> => void shown.push(message);
    const vscode = {
      workspace: { textDocuments: [], notebookDocuments: [] },
      window: { tabGroups: { all: [] }, showInformationMessage: show, showWarningMessage: show },
      l10n: {
        t: (text: string, values: Readonly<Record<string, string>> = {}) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!),
      },
      commands: {},
    };
    const changes = {
      key: 'session',
      roots: [],
      log: { records: async () => [] },
      restore: {
        toCheckpoint: async () => files,
        perform: async (_: unknown, paths: readonly string[]) => ({ restoreId: 'r', restored: paths, left: [], reasons: [] }),
      },
      report: { note: () => undefined, otherPathsOf: () => [] },
      textOf: async () => undefined,
      uriOf: (fsPath: string) => ({ fsPath }),
      session: {
        store: {
          seq: 1,
          state: { ...EMPTY_STATE, status: 'ready' },
          append: ({ failure }: { readonly failure: { readonly code: string } }) => void notices.push(failure.code),
        },
      },
    } as unknown as SessionChanges;
    const { RestoreCommands } = withVscode(
      vscode,
      () =>
        require('../../../../../src/workbench/changes/restore/restoreCommands') as typeof import('../../../../../src/workbench/changes/restore/restoreCommands'),
    );
    const commands = new RestoreCommands({
      follow: async () => changes,
      documentOf: () => undefined,
      picks: {
        what: async () => (asked.push('what'), what),
        files: async (_: unknown, rows: readonly { readonly path: string }[]) => (
          asked.push('files'), rows.filter(({ path }) => selected.includes(path))
        ),
      },
    } as unknown as RestoreDependencies);
    await commands.restoreCheckpoint(changes.session as never, entryIdOf.message('user', 'two'));
    return { asked, shown, notices };
  }

  it('takes one choice, which is its confirmation', async () => {
    assert.deepEqual(await restore(plan({}, { path: '/folder/b.txt' })), {
      asked: ['what'],
      shown: ['Restored 2 files.'],
      notices: ['session.restored'],
    });
  });

  it('lists the files when another program has changed one since, and names what it left', async () => {
    const files = plan({}, { path: '/folder/b.txt', changedSince: true });
    assert.deepEqual(await restore(files, 'files', [FILE.path]), {
      asked: ['what', 'files'],
      shown: ['Restored 1 of 2 files; not restored: b.txt (not selected).'],
      notices: ['session.restored'],
    });
  });

  it('lists the files when the user wants to select them, and names those without an earlier version', async () => {
    const files = plan({}, { path: '/folder/b.txt', action: 'unavailable' });
    const { asked, shown } = await restore(files, 'select', [FILE.path]);
    assert.deepEqual(asked, ['what', 'files']);
    assert.match(shown.join(), /^Restored 1 of 2 files; not restored: b\.txt \(/);
  });
});
