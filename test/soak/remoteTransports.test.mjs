// The scenarios of the agent tier over the remote transports. They take minutes, which the gate does not have.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../harness/lib/paths.mjs';
import { run } from '../harness/lib/proc.mjs';

const MOCHA = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');

for (const [transport, skipped] of [
  ['websocket', 4],
  ['http', 10],
]) {
  describe(`the agent tier over ${transport}`, function () {
    this.timeout(1_200_000);

    it('has the golden texts of stdio', async () => {
      const args = [MOCHA, '--require', './test/support/tsx.cjs', 'test/agent/scenarios/**/*.test.ts'];
      const env = { ACP_HOST_TEST_TRANSPORT: transport };
      const end = await run(process.execPath, args, { cwd: root, env, timeoutMs: 1_100_000 });
      assert.equal(end.code, 0, end.tail);
      assert.match(end.tail, /\d{3,} passing/);
      // test/support/remote/transportCases.ts has the reason for each.
      assert.match(end.tail, new RegExp(`^ +${skipped} pending$`, 'm'));
    });
  });
}
