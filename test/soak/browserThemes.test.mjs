// The pages in all themes. The gate checks each of them in two or three, because these checks would take a minute of processor time more.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/lib/paths.mjs';
import { run } from '../harness/lib/proc.mjs';

describe('the pages in Chromium', function () {
  this.timeout(900_000);

  it('are without fault in every theme', async () => {
    const files = readdirSync(join(root, 'test/browser'))
      .map((name) => join('test/browser', name))
      .filter((file) => file.endsWith('.test.ts') && readFileSync(join(root, file), 'utf8').includes('themesOf('));
    assert.ok(files.length > 5, files.join());
    const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const args = [mocha, '--retries', '2', '--timeout', '30000', '--require', './test/support/tsx.cjs', ...files];
    const env = { ACP_HOST_THEMES: undefined, ACP_HOST_PICTURES: 'off' };
    const end = await run(process.execPath, args, { cwd: root, env, timeoutMs: 850_000 });
    assert.equal(end.code, 0, end.tail);
  });
});
