import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { memoryOf, parsePsMemory, sums } from '../../../../src/util/processes/processMemory';

describe('the memory of processes', () => {
  it('is the sum over a tree, and over processes of the same group whose parent is gone', () => {
    const rows = [
      { pid: 10, parent: 1, group: 10 },
      { pid: 11, parent: 10, group: 10 },
      { pid: 12, parent: 11, group: 12 },
      { pid: 13, parent: 1, group: 10 },
      { pid: 20, parent: 1, group: 20 },
    ];
    const found = sums([10, 20, 30], rows, (pid) => (pid === 20 ? undefined : pid));
    assert.deepEqual(
      [...found],
      [
        [10, 10 + 11 + 12 + 13],
        [20, 0],
      ],
    );
  });

  it('ends for rows that form a circle', () => {
    const rows = [
      { pid: 1, parent: 2, group: 1 },
      { pid: 2, parent: 1, group: 1 },
    ];
    assert.equal(sums([1], rows, () => 5).get(1), 10);
  });

  it('reads the lines of ps', () => {
    assert.deepEqual(parsePsMemory('  501   1   501   2048'), { pid: 501, parent: 1, group: 501, memory: 2048 * 1024 });
    assert.equal(parsePsMemory('PID PPID PGID RSS'), undefined);
  });

  it('measures real processes', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const child = spawn(process.execPath, ['-e', 'console.log(1); setTimeout(() => {}, 20000)'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await once(child.stdout, 'data');
      const found = await memoryOf([child.pid!, 999_999_999]);
      assert.ok(found.get(child.pid!)! > 10 * 1024 * 1024);
      assert.equal(found.has(999_999_999), false);
    } finally {
      child.kill();
    }
    assert.deepEqual([...(await memoryOf([]))], []);
  });
});
