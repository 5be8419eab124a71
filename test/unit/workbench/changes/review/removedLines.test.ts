/** The removed lines in a hover. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../../../src/changes/hunks/liveHunks';
import type { PendingFile } from '../../../../../src/workbench/changes/session/pendingFiles';
import { removedLines } from '../../../../../src/workbench/changes/review/removedLines';
import { english } from '../../../application/english';

describe('the removed lines in a hover', () => {
  function pending(key: string, before: string, after: string): PendingFile {
    const hunks = LiveHunks.of(before);
    hunks.replace(after, { type: 'agent', by: 'turn' });
    return { changes: { key }, file: { path: '/w/a.txt', hunks } } as unknown as PendingFile;
  }
  const shown = (line: number, ...files: PendingFile[]) =>
    removedLines(files, line, ({ changes }) => english('Session {key}', { key: changes.key }), english).map(
      ({ title, code }) => `${title}|${code}`,
    );

  it('name the session, on each line that replaced them', () => {
    const file = pending('A', 'one\ntwo\nthree\n', 'one\n2\n2b\nthree\n');
    assert.deepEqual(
      [0, 1, 2, 3].map((line) => shown(line, file)),
      [[], ['Removed by Session A: 1 line|two'], ['Removed by Session A: 1 line|two'], []],
    );
  });

  it('are shown beside the position of a deletion', () => {
    const file = pending('A', 'one\ntwo\nthree\nfour\n', 'one\nfour\n');
    assert.deepEqual(shown(1, file), ['Removed by Session A: 2 lines|two\nthree']);
  });

  it('are shown for each session that changed the line', () => {
    assert.equal(shown(1, pending('A', 'a\nb\n', 'a\nB\n'), pending('B', 'a\nbb\n', 'a\nB\n')).length, 2);
  });

  it('are absent when lines were only added', () => {
    assert.deepEqual(shown(1, pending('A', 'one\n', 'one\ntwo\n')), []);
  });

  it('end after 30 lines', () => {
    const many = Array.from({ length: 50 }, (_, index) => `${index}\n`).join('');
    const [hover] = shown(0, pending('A', many, 'x\n'));
    assert.match(hover!, /^Removed by Session A: 50 lines\|0\n/);
    assert.match(hover!, /\n29\n…$/);
  });
});
