// The host suite in the desktop VS Code, if its download is reachable.
//
//   node test/harness/desktop.mjs [version]
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, bundleHostSuite, bundleScriptedAgent, hostSuite } from './lib/bundle.mjs';
import { hostEnv } from './lib/host-env.mjs';
import { results, root } from './lib/paths.mjs';
import { cleanEnv, endAll } from './lib/proc.mjs';
import { counts } from './lib/report.mjs';
import { setup } from './lib/setup.mjs';
import { copyWorkspace, tempDir } from './lib/temp.mjs';

async function main() {
  await setup();
  await build();
  await bundleHostSuite();
  await bundleScriptedAgent();
  const output = join(results, 'desktop-output.txt');
  const summary = join(results, 'desktop.json');
  mkdirSync(results, { recursive: true });
  for (const file of [output, summary]) rmSync(file, { force: true });
  const { runTests } = await import('@vscode/test-electron');
  const env = cleanEnv(hostEnv({ output, summary }));
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  const user = tempDir('desktop');
  await runTests({
    version: process.argv[2] ?? 'stable',
    cachePath: join(root, '.cache', 'vscode-test'),
    extensionDevelopmentPath: root,
    extensionTestsPath: join(hostSuite, 'index'),
    extensionTestsEnv: env,
    launchArgs: [
      copyWorkspace(),
      ...['--disable-extensions', '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes', '--disable-gpu'],
      ...['--user-data-dir', join(user, 'data'), '--extensions-dir', join(user, 'extensions')],
    ],
  }).catch((error) => console.error(error.message));
  if (existsSync(output)) process.stdout.write(readFileSync(output, 'utf8'));
  if (!existsSync(summary)) throw new Error('the suite wrote no summary: it did not load, or VS Code did not start');
  const counted = JSON.parse(readFileSync(summary, 'utf8'));
  console.log(`\n${counts(counted)}`);
  return counted.failed === 0 && counted.passed > 0 ? 0 : 1;
}

let code = 1;
try {
  code = await main();
} catch (error) {
  console.error(error.message);
}
await endAll();
process.exit(code);
