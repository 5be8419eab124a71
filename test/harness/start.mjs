// `npm start`: VS Code with the packed extension and a small sample workspace, on a machine with nothing but Node and npm.
//
//   npm start
//   npm start -- --server
//   npm start -- --check
//
// Without a flag it opens the installed `code` if that is 1.100 or newer, otherwise the server build in your browser.
// `--server` always opens the server build.
// `--check` drives one session with the demo agent in Chromium, and exits with 0 only if all of its steps happened.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageExtension } from './lib/bundle.mjs';
import { ensureChrome } from './lib/chrome.mjs';
import { findCode, openCode } from './lib/code.mjs';
import { results, vsix } from './lib/paths.mjs';
import { endAll, onEnd } from './lib/proc.mjs';
import { setup } from './lib/setup.mjs';
import { copyWorkspace, tempDir } from './lib/temp.mjs';
import { currentVersion, ensureVSCode, installExtension, startServer } from './lib/vscode.mjs';

const { values: flags } = parseArgs({
  options: {
    check: { type: 'boolean' },
    server: { type: 'boolean' },
    'no-build': { type: 'boolean' },
    vscode: { type: 'string', default: currentVersion },
  },
});

const log = (text) => console.log(`· ${text}`);

async function main() {
  // Runs during the set-up, because both mostly wait for the network. Failures are reported when they are awaited, but a missing browser
  // must not wait for the build.
  const chrome = flags.check ? ensureChrome() : undefined;
  chrome?.catch(endAt);
  const install = flags.check || flags.server ? ensureVSCode(flags.vscode, { log }) : undefined;
  install?.catch(() => {});
  if (await setup()) log('installed the dependencies');
  if (!flags['no-build']) {
    log('building and packing the extension');
    await packageExtension();
  }
  await chrome;
  if (flags.check) return check(await install);

  const code = flags.server ? undefined : await findCode();
  if (code) {
    log(`opening VS Code ${code.version}: run "ACP: New Session" from the command palette (F1); close the window to end`);
    if (await openCode(code, vsix, copyWorkspace())) return 0;
    log(`${code.command} did not open a window: using the server build instead`);
  }
  return serve(await (install ?? ensureVSCode(flags.vscode, { log })));
}

/** Serves VS Code until interrupted. */
async function serve(install) {
  const folder = copyWorkspace();
  const { server } = await startWithExtension(install, {
    'files.autoSave': 'off',
    'security.workspace.trust.enabled': false,
    'telemetry.telemetryLevel': 'off',
    'workbench.startupEditor': 'none',
  });
  console.log(`
VS Code ${install.version} with ACP Host is running. Two things to do:

  1. open  ${server.url}/?folder=${encodeURIComponent(folder)}
  2. press F1 and run  ACP: New Session

Press Ctrl+C here to end it; the sample workspace is thrown away.
`);
  await new Promise((resolve) => onEnd(resolve));
  return 0;
}

/** Runs one watched session with the demo agent. Prints a line for every missing step; takes a picture in any case. */
async function check(install) {
  const { launchBrowser, openWindow } = await import('./lib/driver.mjs');
  const { demoTour } = await import('./lib/tour.mjs');
  const { server } = await startWithExtension(install);
  const browser = await launchBrowser();
  const window = await openWindow(browser, server.url, { width: 1600, height: 1100 });
  const folder = copyWorkspace();
  log(`VS Code ${install.version} is running; driving a session with the demo agent`);
  const { done, missing } = await demoTour(window, folder);
  for (const what of done) console.log(`  ✔ ${what}`);
  for (const what of missing) console.log(`  ✘ ${what}`);
  mkdirSync(results, { recursive: true });
  const picture = join(results, 'start-check.png');
  try {
    await window.screenshot(picture);
    console.log(`screenshot: ${picture}`);
  } catch (error) {
    missing.push('screenshot');
    console.log(`  ✘ screenshot: ${error.message}`);
  }
  if (missing.length > 0) await window.leaveEvidence('start-check-failure');
  await window.close();
  await browser.close();
  await server.stop();
  console.log(missing.length === 0 ? 'check passed' : `check failed: ${missing.length} thing(s) missing`);
  return missing.length === 0 ? 0 : 1;
}

async function startWithExtension(install, settings) {
  const dir = tempDir('server');
  await installExtension(install, dir, vsix);
  return { dir, server: await startServer(install, { dir, settings, automation: Boolean(flags.check), quiet: Boolean(flags.check) }) };
}

/** Ends everything with the one line that the user needs, or with the stack of an unexpected error. */
async function endAt(error) {
  console.error(error.exitCode ? error.message : (error.stack ?? error));
  await endAll();
  process.exit(error.exitCode ?? 1);
}

try {
  const code = await main();
  await endAll();
  process.exit(code);
} catch (error) {
  await endAt(error);
}
