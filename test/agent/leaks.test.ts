import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { expectNoChildren } from '../support/leaks';
import { childrenOf } from '../support/processes';

describe('leak check', function () {
  this.timeout(20_000);

  it('names a process that outlives its test, and its grandchildren', async () => {
    const others = new Set((await childrenOf(process.pid)).map(({ pid }) => pid));
    const child = spawn('/bin/sh', ['-c', 'sleep 61 & echo up; wait'], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await assert.rejects(expectNoChildren(others, 0), /2 process\(es\) left:[\s\S]*sleep 61/);
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
    }
    await expectNoChildren(others);
  });
});
