// The tests that differ the most on Windows, with Node for Windows under Wine. They take one to two minutes, which the gate does not have.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../harness/lib/paths.mjs';
import { run } from '../harness/lib/proc.mjs';

describe('Node for Windows', function () {
  this.timeout(1_200_000);

  it('passes the quick part of its tier', async function () {
    const end = await run(process.execPath, [join(root, 'test', 'harness', 'windows.mjs'), '--quick'], { cwd: root, timeoutMs: 1_100_000 });
    if (end.code === 0 && /^skipped: /m.test(end.tail) && !/ passed/.test(end.tail)) this.skip();
    assert.equal(end.code, 0, end.tail);
    assert.match(end.tail, /\d{3,} passed, 0 failed/);
  });
});
