// One server, one browser and one window for all journeys of a run. Loaded by mocha before the tests.
import { cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser, openWindow } from '../harness/lib/driver.mjs';
import { Neighbour, packNeighbour } from '../harness/lib/neighbour.mjs';
import { sampleWorkspace, vsix } from '../harness/lib/paths.mjs';
import { endAll, strays, wait } from '../harness/lib/proc.mjs';
import { until } from '../harness/lib/see.mjs';
import { copyWorkspace, tempDir } from '../harness/lib/temp.mjs';
import {
  currentVersion,
  ensureVSCode,
  installExtension,
  quietSettings,
  startServer,
  writeMachineSettings,
  writeSettings,
} from '../harness/lib/vscode.mjs';

/**
 * Built-in extensions other than the languages and themes that the journeys check. Loading them takes a fifth of a window's load time. Git
 * would inspect the folder after each change of a file, and has nothing to show: our own groups are the only ones under Source Control.
 * Longer tests, which share this stage, can turn them on with ACP_HOST_EXTENSIONS=all.
 */
export const unusedHere =
  /^(?!javascript$|json$|json-language-features$|markdown-basics$|shellscript$|typescript-basics$|theme-(defaults|modern-icons|monokai|seti)$)/;

let stage;

/** The stage, set up at first use: the packed extension and its neighbour are installed, and the server runs. */
export async function theStage() {
  stage ??= await setTheStage();
  return stage;
}

/** True until the first window is opened. */
export async function isUntouched() {
  return (await theStage()).window.folder === undefined;
}

async function setTheStage() {
  const install = await ensureVSCode(process.env.ACP_HOST_E2E_VSCODE || currentVersion);
  const dir = tempDir('server');
  await installExtension(install, dir, vsix, await packNeighbour());
  const listening = tempDir('listening');
  const without = process.env.ACP_HOST_EXTENSIONS === 'all' ? undefined : unusedHere;
  const server = await startServer(install, { dir, env: { ACP_HOST_NEIGHBOUR: listening }, without });
  const browser = await launchBrowser();
  const window = await openWindow(browser, server.url);
  const neighbour = new Neighbour(listening);
  window.neighbour = neighbour;
  window.page.on('framenavigated', (frame) => frame === window.page.mainFrame() && neighbour.leave());
  return { install, dir, server, browser, window, neighbour };
}

/**
 * Opens a copy of the sample workspace in the window. Loading the window takes longer than most journeys. They therefore get the open
 * folder in its original state, without sessions, editors or terminals, and with their settings.
 * @param userSettings the settings of this journey only.
 * @param files written into the workspace first: relative path → text. Settings among them need a separate window.
 * @param machineSettings the settings of a dev container; they need a separate window.
 * @param prepare gets the workspace before it is opened in a separate window; the returned folder is opened instead.
 * @returns {Promise<{window: import('../harness/lib/driver.mjs').VSCodeWindow, folder: string}>}
 */
export async function openWorkspace({ userSettings = {}, machineSettings, files = {}, prepare } = {}) {
  const { window, dir } = await theStage();
  const isPlain = !machineSettings && !prepare;
  const reusable = isPlain && window.folder === shared ? shared : undefined;
  // The window cannot be shared until its state is known to be good.
  shared = undefined;
  Object.keys(userSettings).forEach((key) => changed.add(key));
  if (reusable !== undefined && (await renewed(reusable, userSettings))) {
    writeFiles(reusable, files);
    shared = reusable;
    return { window, folder: reusable };
  }
  const folder = copyWorkspace();
  writeFiles(folder, files);
  writeSettings(dir, userSettings);
  writeMachineSettings(dir, machineSettings ?? {});
  await window.openFolder((await prepare?.(folder)) ?? folder);
  shared = isPlain ? folder : undefined;
  return { window, folder };
}

/** The folder that the next journey may use too; undefined when it needs a new window. */
let shared;
/** The settings that journeys have changed. */
const changed = new Set();

function writeFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/**
 * Runs commands of VS Code or of ours by their ids, one after another, in the current window. This does not test their titles in the
 * palette: `window.command` does, but takes as long as a whole turn. A command with arguments is an array.
 */
export async function runCommands(...ids) {
  await stage.neighbour.commands(...ids);
}

/** Starts a command that asks the user a question, see {@link runCommands}. */
export async function startCommand(id) {
  await stage.neighbour.start(id);
}

/** Returns the texts that decorations show at the ends of lines. */
export async function notesAtLineEnds(window) {
  return window.page.evaluate(() =>
    [...document.querySelectorAll('.part.editor .view-line span')]
      .map((span) => getComputedStyle(span, '::after').content)
      .filter((content) => content !== 'none' && content !== 'normal')
      .map((content) => content.replaceAll('\u00a0', ' ')),
  );
}

/** Closes all sessions and editors in the window. */
export async function closeAll() {
  const { window, neighbour } = stage;
  await window.dismiss();
  await neighbour.endSessions();
  await Promise.all([neighbour.commands('workbench.action.closeAllEditors'), window.editorsClosed()]);
}

/** Closes all sessions, editors, terminals and notifications in the window. */
export async function clearWindow() {
  const { neighbour } = stage;
  await closeAll();
  await neighbour.commands('workbench.action.terminal.killAll', 'notifications.clearAll', 'notifications.hideList');
}

/** Resets the window to the state of a newly opened one. False when that does not succeed. */
async function renewed(folder, userSettings) {
  const { neighbour } = stage;
  try {
    await clearWindow();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    cpSync(sampleWorkspace, folder, { recursive: true });
    await neighbour.commands('workbench.action.closePanel', 'workbench.action.closeAuxiliaryBar', 'workbench.view.explorer');
    await changeSettings(userSettings);
    // VS Code may keep a hidden document for a while with its old text. Touching the file notifies it of the change that it has missed.
    await until('VS Code to see the files as they are', async () => {
      const stale = await neighbour.staleDocuments();
      for (const path of stale) utimesSync(path, new Date(), new Date());
      return stale.length === 0;
    });
    return true;
  } catch (error) {
    console.log(`      a new window, because the old one could not be cleared: ${error.message}`);
    return false;
  }
}

/** Replaces the user's settings in the current window by these. */
export async function changeSettings(userSettings) {
  Object.keys(userSettings).forEach((key) => changed.add(key));
  // The neighbour removes every setting of ours that it is not given.
  const ours = Object.keys(quietSettings).filter((key) => key.startsWith('acpHost.'));
  const usual = Object.fromEntries([...changed, ...ours].map((key) => [key, quietSettings[key] ?? null]));
  await stage.neighbour.settings({ ...usual, ...userSettings });
}

/** Runs `open` before the first journey of a suite, and again after a failed one: its leftovers must not fail the next. */
export function opens(open) {
  let isOpen = false;
  beforeEach(async () => {
    if (!isOpen) await open();
    isOpen = true;
  });
  afterEach(function () {
    isOpen = !hasFailed(this.currentTest);
  });
}

/** True also for a retried test, which has no state. */
function hasFailed(test) {
  return test !== undefined && test.state !== 'passed' && !test.isPending();
}

export const mochaHooks = {
  async afterEach() {
    if (!stage || !hasFailed(this.currentTest)) return;
    // The window's state is unknown after a failure.
    shared = undefined;
    console.log(`      picture: ${await stage.window.leaveEvidence(`e2e-${this.currentTest.fullTitle()}`)}`);
  },

  async afterAll() {
    this.timeout(30_000);
    if (stage) {
      // A closed window ends its extension host, which ends its agents: closing VS Code must leave no process running.
      await stage.window.close();
      const serverProcesses = /server-main\.js|bootstrap-fork|ptyHost|chrom|playwright/i;
      const agents = () => strays().filter(({ command }) => !serverProcesses.test(command));
      await stage.server.stop();
      await stage.browser.close();
      for (let tries = 0; tries < 50 && agents().length > 0; tries++) await wait(100);
      const left = agents();
      await endAll();
      if (left.length > 0) throw new Error(`left running: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`);
    }
  },
};
