// The host tier: mocha inside the real extension host of the real VS Code server, with Chromium as its window.
//
//   node test/harness/host.mjs [--no-build] [--vscode 1.139.1] [--grep text]
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, bundleHostSuite, bundleScriptedAgent, hostSuite } from './lib/bundle.mjs';
import { launchBrowser, openWindow } from './lib/driver.mjs';
import { results, root } from './lib/paths.mjs';
import { endAll, wait } from './lib/proc.mjs';
import { setup } from './lib/setup.mjs';
import { hostEnv } from './lib/host-env.mjs';
import { copyWorkspace, tempDir } from './lib/temp.mjs';
import { currentVersion, ensureVSCode, startServer, typescriptExtension } from './lib/vscode.mjs';

const { values: flags } = parseArgs({
  options: { 'no-build': { type: 'boolean' }, vscode: { type: 'string', default: currentVersion }, grep: { type: 'string' } },
});

/** The limit for the whole suite inside the window, in milliseconds. */
const suiteTimeoutMs = 600_000;

async function main() {
  await setup();
  if (!flags['no-build']) await build();
  await bundleHostSuite();
  await bundleScriptedAgent();
  const install = await ensureVSCode(flags.vscode, { log: console.log });

  const output = join(results, 'host-output.txt');
  const summary = process.env.ACP_HOST_MOCHA_JSON || join(results, 'host.json');
  mkdirSync(results, { recursive: true });
  for (const file of [output, summary]) rmSync(file, { force: true });

  const dir = tempDir('server');
  // A window develops one extension; the sample extension that uses it is installed.
  cpSync(join(root, 'test', 'sampleExtension'), join(dir, 'ext', 'acp-host.acp-host-sample-0.0.1'), { recursive: true });
  // Another extension's tool for language models, and VS Code's debugger for JavaScript, which the quiet server leaves out.
  cpSync(join(root, 'test', 'toolExtension'), join(dir, 'ext', 'acp-host.acp-host-tool-sample-0.0.1'), { recursive: true });
  const debuggerFolder = join(dirname(dirname(install.server)), 'extensions', 'ms-vscode.js-debug');
  if (existsSync(debuggerFolder)) cpSync(debuggerFolder, join(dir, 'ext', 'ms-vscode.js-debug-1.0.0'), { recursive: true });
  const server = await startServer(install, {
    dir,
    typescript: await typescriptExtension(install),
    env: hostEnv({ output, summary, grep: flags.grep }),
  });
  const browser = await launchBrowser();
  const window = await openWindow(browser, server.url);
  const exit = new Promise((resolve) => void window.page.exposeFunction('codeAutomationExit', (code) => resolve(Number(code))));
  await window.page.exposeFunction('codeAutomationLog', () => {});
  const remote = (path) => `vscode-remote://127.0.0.1:${server.port}${path}`;
  const opened = window.openFolder(copyWorkspace(), [
    ['extensionDevelopmentPath', remote(root)],
    ['extensionTestsPath', remote(join(hostSuite, 'index'))],
    ['skipWelcome', 'true'],
  ]);
  const code = await Promise.race([exit, wait(suiteTimeoutMs), opened.then(() => exit)]);

  const text = existsSync(output) ? readFileSync(output, 'utf8') : '';
  process.stdout.write(text);
  const counted = existsSync(summary) ? JSON.parse(readFileSync(summary, 'utf8')) : undefined;
  const good = code === 0 && counted?.failed === 0 && counted.passed > 0;
  if (!good) {
    const why = code === undefined ? `no end after ${suiteTimeoutMs / 1000} s` : `exit ${code}`;
    console.error(`host suite: ${why}${counted ? '' : ', and mocha wrote no summary'}`);
    console.error(`picture: ${await window.leaveEvidence('host-failure')}`);
    if (!counted)
      console.error(
        window.console
          .filter((line) => /error/i.test(line))
          .slice(-20)
          .join('\n'),
      );
  }
  await server.stop();
  await browser.close();
  return good ? 0 : 1;
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
