/** The actions above changed lines. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../../../src/changes/hunks/liveHunks';
import type { ReviewFile } from '../../../../../src/changes/review/review';
import { behindDiskLenses, changeLenses } from '../../../../../src/workbench/changes/review/changeLenses';
import type { PendingFile } from '../../../../../src/workbench/changes/session/pendingFiles';
import { english } from '../../../application/english';
import type { RunningFile } from '../../../../../src/workbench/changes/documents/runningChanges';

describe('the actions above changed lines', () => {
  const FILE = { kind: 'file', hash: 'a', size: 1, mode: 0o644, kept: true } as const;

  function pending(key: string, text: string, more: Partial<ReviewFile> = {}): PendingFile {
    const hunks = LiveHunks.of('one\ntwo\nthree\n');
    hunks.replace(text, { type: 'agent', by: 'turn' });
    const file = { path: '/w/a.txt', before: FILE, after: FILE, isDeleted: false, turns: ['turn'], hunks, ...more };
    return { changes: { key }, file } as unknown as PendingFile;
  }
  const shown = (...files: PendingFile[]): string[] => shownWith(files, []);
  const shownWith = (files: PendingFile[], running: RunningFile[]): string[] =>
    changeLenses(files, running, 4, (key) => english('Session {key}', { key }), english).map(({ line, title, args }) => {
      const [place] = args as { sessionKey: string }[];
      return `${line} ${title}${place ? ` > ${place.sessionKey}` : ''}`;
    });

  it('do not name the only session', () => {
    assert.deepEqual(shown(pending('A', 'one\n2\nthree\n')), ['1 Keep > A', '1 Undo > A']);
  });

  it('lead to a comparison where the unsaved text does not have the changes', () => {
    assert.deepEqual(
      behindDiskLenses('uri', english).map(({ line, title, command, args }) => [line, title, command, args]),
      [
        [0, 'The agent has changed this file on disk, behind your unsaved text', '', []],
        [0, 'Compare with the Disk', 'workbench.files.action.compareWithSaved', ['uri']],
      ],
    );
  });

  it('name the session once in each row when two have changed the file', () => {
    assert.deepEqual(shown(pending('A', 'one\n2\nthree\n'), pending('B', 'one\ntwo\n3\n')), [
      '1 Keep > A',
      '1 Undo > A',
      '1 Session A',
      '2 Keep > B',
      '2 Undo > B',
      '2 Session B',
    ]);
  });

  it('keep or undo a new file without content as a whole', () => {
    const empty = { before: { kind: 'none' }, after: { ...FILE, size: 0 }, hunks: LiveHunks.of('') } as const;
    assert.deepEqual(shown(pending('A', '', empty)), ['0 Keep > A', '0 Undo > A']);
  });

  it('each name their session where two have changed the line, and no author twice', () => {
    const shared = { shared: true, sharedWith: ['B'] } as const;
    assert.deepEqual(shown(pending('A', 'one\n2\nthree\n', shared), pending('B', 'one\ntwo two\nthree\n')), [
      '1 Keep · Session A > A',
      '1 Undo · Session A > A',
      '1 Keep · Session B > B',
      '1 Undo · Session B > B',
    ]);
    const running = pending('B', 'one\ntwo two\nthree\n') as unknown as RunningFile;
    assert.deepEqual(shownWith([pending('A', 'one\n2\nthree\n')], [running]).at(-1), '1 Turn is running · Session B');
  });

  it('name an author of the file without changes in the row', () => {
    const shared = { shared: true, sharedWith: ['B', 'user'] } as const;
    assert.deepEqual(shown(pending('A', 'one\n2\nthree\n', shared), pending('B', 'one\ntwo two\nthree\n')).slice(0, 3), [
      '1 Keep · Session A > A',
      '1 Undo · Session A > A',
      '1 Also changed by you',
    ]);
  });

  it('say that the turn is running, and name the session like others', () => {
    const running = pending('B', 'one\ntwo\n3\n') as unknown as RunningFile;
    assert.deepEqual(shownWith([], [running]), ['2 Turn is running']);
    assert.deepEqual(shownWith([pending('A', 'one\n2\nthree\n')], [running]), [
      '1 Keep > A',
      '1 Undo > A',
      '1 Session A',
      '2 Turn is running',
      '2 Session B',
    ]);
  });

  it('name the other session that changed the file in the same turn', () => {
    const file = pending('A', 'one\n2\nthree\n', { shared: true, sharedWith: ['B'] });
    assert.deepEqual(shown(file), ['1 Keep > A', '1 Undo > A', '1 Also changed by Session B']);
  });

  it('name the session of a file that cannot be undone', () => {
    const unknown = pending('B', 'one\n', { before: { kind: 'unknown', reason: 'late' } });
    const { hunks: _, ...whole } = unknown.file;
    assert.deepEqual(shown(pending('A', 'one\n2\nthree\n'), { ...unknown, file: whole }), [
      '1 Keep > A',
      '1 Undo > A',
      '1 Session A',
      "0 Can't be undone: the earlier version is not known",
      '0 Keep > B',
      '0 Session B',
    ]);
  });
});
