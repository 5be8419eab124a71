import assert from 'node:assert/strict';
import { listProcesses, listProcessesNow, parsePs, parseStat, readRow, startOf } from '../../../../src/util/processes/processList';

describe('processList', () => {
  it('parses a name that looks like fields', () => {
    const line = '42 (a) R (b) S 7 40 39 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 123456 999 888 18446744073709551615';
    assert.deepEqual(parseStat(line), { pid: 42, parent: 7, group: 40, session: 39, zombie: false, started: 123456 });
  });

  it('parses the output of ps', () => {
    const started = Date.UTC(2026, 10, 6, 10, 0, 0);
    assert.deepEqual(parsePs('  42     7    40 Z+   Fri Nov  6 10:00:00 2026 '), { pid: 42, parent: 7, group: 40, zombie: true, started });
    assert.equal(parsePs(''), undefined);
  });

  it('knows when a running process started, and that one has ended', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    const own = readRow(process.pid)!;
    assert.deepEqual(startOf(process.pid), [own.started, own.started]);
    assert.equal(startOf(2 ** 22 + 1), undefined);
    for (const rows of [await listProcesses(), listProcessesNow()]) {
      assert.equal(rows.find(({ pid }) => pid === process.pid)?.started, own.started);
    }
  });
});
