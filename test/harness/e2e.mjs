// The packed extension in the real VS Code: packs it, then runs test/e2e/*.test.mjs with mocha.
//
//   node test/harness/e2e.mjs [--no-build] [--vscode 1.100.3] [--grep text]
//   ACP_HOST_SCREENSHOTS=1 … also writes the README's pictures to media/
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleScriptedAgent, packageExtension } from './lib/bundle.mjs';
import { ensureChrome } from './lib/chrome.mjs';
import { root, vsix } from './lib/paths.mjs';
import { endAll, run } from './lib/proc.mjs';
import { setup } from './lib/setup.mjs';
import { currentVersion, ensureVSCode } from './lib/vscode.mjs';

const { values: flags } = parseArgs({
  options: { 'no-build': { type: 'boolean' }, vscode: { type: 'string', default: currentVersion }, grep: { type: 'string' } },
});

async function main() {
  await setup();
  if (!flags['no-build'] || !existsSync(vsix)) await packageExtension();
  await bundleScriptedAgent();
  await ensureVSCode(flags.vscode, { log: console.log });
  await ensureChrome();
  const args = [
    join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    // A window under load now and then loses a click or a question; what fails three times in a fresh window is broken.
    ...['--require', './test/e2e/stage.mjs', '--timeout', '120000', '--slow', '15000', '--retries', '2', '--forbid-only'],
    ...['--reporter', './test/harness/lib/mocha-reporter.cjs'],
    ...(flags.grep ? ['--fgrep', flags.grep] : []),
    'test/e2e/**/*.test.mjs',
  ];
  const end = await run(process.execPath, args, {
    cwd: root,
    env: { ACP_HOST_E2E_VSCODE: flags.vscode },
    timeoutMs: 510_000,
    echo: true,
  });
  return end.code ?? 1;
}

let code = 1;
try {
  code = await main();
} catch (error) {
  console.error(error.exitCode ? error.message : error);
  code = error.exitCode ?? 1;
}
await endAll();
process.exit(code);
