// One server, one browser and one window for all journeys of a run. Loaded by mocha before the tests.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser, openWindow } from '../harness/lib/driver.mjs';
import { sampleWorkspace, vsix } from '../harness/lib/paths.mjs';
import { endAll, strays, wait } from '../harness/lib/proc.mjs';
import { copyWorkspace, tempDir } from '../harness/lib/temp.mjs';
import {
  currentVersion,
  ensureVSCode,
  installExtension,
  startServer,
  writeMachineSettings,
  writeSettings,
} from '../harness/lib/vscode.mjs';

let stage;

/** The stage, set up at first use: the packed extension is installed and the server runs. */
export async function theStage() {
  stage ??= await setTheStage();
  return stage;
}

async function setTheStage() {
  const install = await ensureVSCode(process.env.ACP_HOST_E2E_VSCODE || currentVersion);
  const dir = tempDir('server');
  await installExtension(install, dir, vsix);
  const server = await startServer(install, { dir });
  const browser = await launchBrowser();
  return { install, dir, server, browser, window: await openWindow(browser, server.url) };
}

/**
 * Opens a copy of the sample workspace in the window. Loading the window takes as long as a journey: what asks for the same
 * settings as the one before gets the folder that is open, as it was, with no editor open. Sessions of journeys before may still run there.
 * @param userSettings of this journey alone; `machineSettings` likewise, what a dev container would bring.
 * @param files written into the workspace first: relative path → text.
 * @param prepare gets the workspace before it is opened; what it returns is opened instead.
 * @returns {Promise<{window: import('../harness/lib/driver.mjs').VSCodeWindow, folder: string}>}
 */
export async function openWorkspace({ userSettings = {}, machineSettings, files, prepare } = {}) {
  const { window, dir } = await theStage();
  const plain = !machineSettings && !files && !prepare;
  const settings = JSON.stringify(userSettings);
  if (plain && shared?.settings === settings && window.folder === shared.folder) {
    const { folder } = shared;
    await window.closeEditors();
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    cpSync(sampleWorkspace, folder, { recursive: true });
    return { window, folder };
  }
  const folder = copyWorkspace();
  shared = plain ? { folder, settings } : undefined;
  for (const [name, text] of Object.entries(files ?? {})) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeSettings(dir, userSettings);
  writeMachineSettings(dir, machineSettings ?? {});
  await window.openFolder((await prepare?.(folder)) ?? folder);
  return { window, folder };
}

/** The folder that the next journey may use too, and the user's settings there: the server's slim build does not notice when they change. */
let shared;

export const mochaHooks = {
  async afterEach() {
    if (this.currentTest?.state !== 'failed' || !stage) return;
    // Whatever it has left there.
    shared = undefined;
    console.log(`      picture: ${await stage.window.leaveEvidence(`e2e-${this.currentTest.fullTitle()}`)}`);
  },

  async afterAll() {
    this.timeout(30_000);
    if (stage) {
      // A closed window ends its extension host, and that its agents: a person who closes VS Code leaves nothing running.
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
