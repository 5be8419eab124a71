// The extension that is installed in addition to ours, and its services for the harness: see ../neighbour/main.cjs.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { mustRun } from './proc.mjs';
import { until } from './see.mjs';
import { tempDir } from './temp.mjs';

/** Packs the extension. Returns the absolute path of its VSIX. */
export async function packNeighbour() {
  const out = join(tempDir('neighbour'), 'neighbour.vsix');
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  await mustRun(process.execPath, [vsce, 'package', '--allow-missing-repository', '--out', out], {
    cwd: join(root, 'test', 'harness', 'neighbour'),
    timeoutMs: 60_000,
  });
  return out;
}

/** Connects to the neighbour in the newest extension host of a server. */
export class Neighbour {
  /** The time since which the window is loaded, in ms since 1970: older extension hosts may live on for minutes. */
  since = 0;

  /** @param folder the folder that the server got as ACP_HOST_NEIGHBOUR. */
  constructor(folder) {
    this.folder = folder;
  }

  /** Ignores the present extension hosts, because the window is about to be loaded. */
  leave() {
    this.since = Date.now();
  }

  /** Sets the user's settings of ACP Host, and the others named. `null` removes one. */
  async settings(values) {
    await this.ask('settings', values);
  }

  /** Runs commands of VS Code, one after another; one with arguments is an array. */
  async commands(...ids) {
    await this.ask('commands', ids);
  }

  /** Starts a command that ends only when the user answers it, without waiting for the answer. */
  async start(id) {
    await this.ask('start', id);
  }

  /** Opens the file at an absolute path in the active editor group. */
  async open(path) {
    await this.ask('open', path);
  }

  async endSessions() {
    await this.ask('endSessions');
  }

  /**
   * The paths of documents whose text VS Code has not updated after a change on disk.
   * @returns {Promise<string[]>}
   */
  async staleDocuments() {
    return this.ask('staleDocuments');
  }

  /**
   * The tabs of all editor groups.
   * @returns {Promise<{label: string, isActive: boolean, viewColumn: number, viewType?: string}[]>}
   */
  async tabs() {
    return this.ask('tabs');
  }

  async ask(action, argument) {
    const port = await until('the neighbour to listen', () => this.port(), { timeoutMs: 45_000 });
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: JSON.stringify({ action, argument }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`neighbour, ${action}: ${text}`);
    return JSON.parse(text);
  }

  port() {
    const listening = readdirSync(this.folder).map((name) => name.split('-').map(Number));
    const [time, port] = listening.sort(([a], [b]) => b - a)[0] ?? [0];
    return time > this.since ? port : undefined;
  }
}
