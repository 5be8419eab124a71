/** Moves among the records of a turn. */
import assert from 'node:assert/strict';
import type { FileRecord, FileState } from '../../../src/core/fileChanges/records';
import { withMoves } from '../../../src/changes/turns/creations';

const NONE: FileState = { kind: 'none' };
const file = (hash: string, size = 1): FileState => ({ kind: 'file', hash, size, mode: 0o644, kept: true });
const gone = (path: string, hash: string): FileRecord => ({ path, before: file(hash), after: NONE });
const made = (path: string, hash: string, size?: number): FileRecord => ({ path, before: NONE, after: file(hash, size) });

async function moves(
  records: readonly FileRecord[],
  reported: readonly [string, string][] = [],
  origins: readonly [string, string][] = [],
) {
  return (await withMoves(records, new Map(reported), new Map(origins))).map(({ path, oldPath }) =>
    oldPath === undefined ? path : `${oldPath} -> ${path}`,
  );
}

describe('the moves among the records of a turn', () => {
  it('join a removed and a new file with the same content', async () => {
    assert.deepEqual(await moves([gone('a', '1'), made('b', '1'), made('c', '2')]), ['a -> b', 'c']);
  });

  it('prefer the same file to an equal one, and the report of git to the content', async () => {
    assert.deepEqual(await moves([gone('a', '1'), gone('b', '1'), made('c', '1')], [], [['c', 'b']]), ['a', 'b -> c']);
    assert.deepEqual(await moves([gone('a', '1'), gone('b', '2'), made('c', '1')], [['c', 'b']]), ['a', 'b -> c']);
  });

  it('use each removed file once, in order', async () => {
    assert.deepEqual(await moves([gone('a', '1'), gone('b', '1'), made('c', '1'), made('d', '1'), made('e', '1')]), [
      'a -> c',
      'b -> d',
      'e',
    ]);
  });

  it('do not join empty files', async () => {
    assert.deepEqual(await moves([gone('a', '1'), made('b', '1', 0)]), ['a', 'b']);
  });

  it('keep the mark of a shared file', async () => {
    const [moved] = await withMoves([{ ...gone('a', '1'), shared: true }, made('b', '1')], new Map(), new Map());
    assert.equal(moved?.shared, true);
  });

  it('are found among 20,000 files without blocking the event loop', async () => {
    const count = 10_000;
    const records = Array.from({ length: count }, (_, index) => [
      gone(`a${index}`, String(index)),
      made(`b${index}`, String(index)),
    ]).flat();
    const begin = process.cpuUsage();
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const found = await moves(records);
    clearInterval(timer);
    const { user, system } = process.cpuUsage(begin);
    assert.equal(found.filter((line) => line.includes('->')).length, count);
    assert.ok((user + system) / 1000 < 2000, `${(user + system) / 1000} ms`);
    assert.ok(turns > 0);
  });
});
