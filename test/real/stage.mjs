// One server, one browser, one scripted model for all agents of a run. Loaded by mocha before the tests.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { launchBrowser, openWindow } from '../harness/lib/driver.mjs';
import { results, vsix } from '../harness/lib/paths.mjs';
import { endAll, strays } from '../harness/lib/proc.mjs';
import { copyWorkspace, tempDir } from '../harness/lib/temp.mjs';
import {
  compiler,
  currentVersion,
  ensureVSCode,
  installExtension,
  startServer,
  typescriptExtension,
  writeMachineSettings,
  writeSettings,
} from '../harness/lib/vscode.mjs';
import { agents, settingsEntry } from './agents.mjs';
import { ensureAgent } from './install.mjs';
import { startModel } from './llm/server.mjs';
import { serve, transport } from './remote.mjs';
import { scriptsFor } from './scripts.mjs';

/** Pictures and journals of the run, one set per agent. */
const pictures = join(results, 'agents');

let stage;
/** The servers of agents at an address. */
const servers = [];

/** Ends the servers of agents at an address. */
export async function closeServers() {
  await Promise.all(servers.splice(0).map((server) => server.close()));
}

/** @param languages true: with VS Code's TypeScript extension and its debugger for JavaScript */
async function theStage(languages) {
  if (stage && stage.languages !== languages) await leaveTheStage();
  stage ??= await setTheStage(languages);
  return stage;
}

async function setTheStage(languages) {
  const install = await ensureVSCode(currentVersion);
  const dir = tempDir('server');
  await installExtension(install, dir, vsix);
  const scripts = {};
  const model = await startModel(scripts);
  const features = languages ? { typescript: await typescriptExtension(install), having: /^ms-vscode\.js-debug$/ } : {};
  const server = await startServer(install, { dir, ...features });
  const browser = await launchBrowser();
  const window = await openWindow(browser, server.url, { width: 1200, height: 1500 });
  return { install, dir, scripts, model, server, browser, window, languages };
}

async function leaveTheStage() {
  const { window, server, browser, model } = stage;
  stage = undefined;
  await window.close();
  await server.stop();
  await browser.close();
  await model.close();
}

/**
 * Adds an agent to the user's settings, with others beside it, and opens a fresh copy of the sample workspace.
 * @param env variables that replace those of the agent.
 * @param settings returns further settings for the address of the model.
 * @param machineSettings the settings of the server's machine.
 * @param home the home folder of the agent; a temporary one without it.
 * @param languages true: VS Code knows TypeScript, and debugs JavaScript.
 * @param workspace creates a workspace and returns the path to open, instead of the sample.
 */
export async function openWithAgent(
  name,
  {
    others = [],
    env,
    settings = () => ({}),
    machineSettings = {},
    home = tempDir(`home-${name}`),
    languages = false,
    workspace = copyWorkspace,
  } = {},
) {
  await closeServers();
  const { install, dir, scripts, model, window } = await theStage(languages);
  const nodeFolder = dirname(install.node);
  const folder = workspace();
  Object.assign(scripts, scriptsFor(folder));
  const entries = {};
  for (const each of [name, ...others]) {
    const modules = await ensureAgent(each, { nodeFolder });
    const its = each === name ? home : tempDir(`home-${each}`);
    const own = transport !== undefined && agents[each].serve !== undefined;
    const places = { modules, home: its, llm: model.url, nodeFolder, ...(each === name && { env }), ...(own && { served: folder }) };
    const entry = settingsEntry(each, places);
    if (transport) {
      const server = await serve(entry, folder, own);
      servers.push(server);
      entries[each] = server.entry;
    } else entries[each] = entry;
  }
  writeSettings(dir, { ...(languages && compiler), 'acpHost.agents': entries, ...settings(model.url) });
  writeMachineSettings(dir, machineSettings);
  await window.openFolder(folder);
  return {
    window,
    folder,
    home,
    scripts,
    asked: model.log,
    picture: (what = '') => window.screenshot(join(pictures, `${name}${what && `-${what}`}.png`)),
  };
}

/** The processes with this home in their environment: all that the agent started. */
export function processesOf(home) {
  return strays().filter(({ pid }) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      return false;
    }
  });
}

/** The text of the newest journal. */
export function journalOf() {
  return readFileSync(journals().at(-1), 'utf8');
}

/** The paths of all journals, the newest last. */
function journals() {
  const store = join(stage.dir, 'data', 'User', 'globalStorage', 'acp-host.acp-host', 'store');
  const times = readdirSync(store, { recursive: true })
    .filter((path) => path.endsWith('.jsonl') && !/^(search|copies)/.test(path))
    .map((path) => join(store, path))
    .map((path) => ({ path, at: statSync(path).mtimeMs }));
  return times.sort((a, b) => a.at - b.at).map(({ path }) => path);
}

/** Saves the evidence for a later analysis: the journals of this folder and the requests to the model. */
export function keepJournal(name) {
  if (!stage) return;
  mkdirSync(pictures, { recursive: true });
  const last = journals().at(-1);
  if (last) copyFileSync(last, join(pictures, `${name}.jsonl`));
  writeFileSync(
    join(pictures, `${name}-model.jsonl`),
    stage.model.log
      .splice(0)
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
}

/** Saves a screenshot, the view's text and the console beside the other pictures of a run. */
export async function leaveEvidence(title) {
  return stage?.window.leaveEvidence(`agents-${title}`);
}

export const mochaHooks = {
  async afterAll() {
    this.timeout(30_000);
    await closeServers();
    if (!stage) return;
    await leaveTheStage();
    await endAll();
  },
};
