// The real VS Code without its download: npm has the server build inside `code-server`.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { cacheDir, root } from './paths.mjs';
import { alive, mustRun, npm, onEnd, start, stop, wait } from './proc.mjs';

/** The version that most tiers use, and the oldest one the manifest allows. */
export const currentVersion = '1.139.1';
export const minimumVersion = '1.100.3';

/** `node` is the Node.js version for which the build is made; `ownNode` are the majors of the running Node.js that work too. */
const builds = {
  '1.139.1': { codeServer: '4.139.1', node: '24.21.0', ownNode: [] },
  '1.100.3': { codeServer: '4.100.3', node: '20.19.5', ownNode: [20] },
};

const TYPESCRIPT = 'typescript-language-features';

/**
 * Installs the server build of a VS Code version into the cache, once; a second process waits for the first.
 * @returns {Promise<{version: string, node: string, server: string}>} absolute paths of the Node.js to run and of `server-main.js`.
 */
export async function ensureVSCode(version, { log = () => {} } = {}) {
  const build = builds[version];
  if (!build) throw new Error(`unknown VS Code version ${version}: known are ${Object.keys(builds).join(', ')}`);
  const dir = join(cacheDir(), `vscode-${version}`);
  if (!complete(dir, build)) {
    await locked(`${dir}.lock`, async () => {
      if (complete(dir, build)) return;
      log(`installing the VS Code ${version} server build into ${dir}`);
      await install(dir, build);
    });
  }
  return describe(dir, version, build);
}

/**
 * Returns the folder of the build's TypeScript extension, which {@link install} leaves out.
 * @returns {Promise<string>} an absolute path in the cache
 */
export async function typescriptExtension({ version }) {
  const dir = join(cacheDir(), `typescript-${version}`);
  const extension = join(dir, 'package', 'lib', 'vscode', 'extensions', TYPESCRIPT);
  if (existsSync(extension)) return extension;
  await locked(`${dir}.lock`, async () => {
    if (existsSync(extension)) return;
    const temp = `${dir}.${process.pid}.tmp`;
    mkdirSync(temp, { recursive: true });
    const { codeServer } = builds[version];
    const [command, args, options] = npm(['pack', '--prefer-offline', '--silent', `code-server@${codeServer}`]);
    await mustRun(command, args, { ...options, cwd: temp, timeoutMs: 300_000 });
    const inside = `package/lib/vscode/extensions/${TYPESCRIPT}`;
    await mustRun('tar', ['-xzf', `code-server-${codeServer}.tgz`, inside], { cwd: temp, timeoutMs: 120_000 });
    rmSync(join(temp, `code-server-${codeServer}.tgz`));
    rmSync(dir, { recursive: true, force: true });
    renameSync(temp, dir);
  });
  return extension;
}

/** Installs extensions from VSIX files into a server's folders. The server need not be running. */
export async function installExtension(install, dir, ...vsixFiles) {
  const each = vsixFiles.flatMap((file) => ['--install-extension', file]);
  await mustRun(install.node, [install.server, ...folders(dir), ...each, '--force'], {
    env: serverEnv(),
    timeoutMs: 60_000,
  });
}

/**
 * Starts a server on a free loopback port and waits until it responds.
 * @param dir the server's own folder (created when missing): data, extensions, settings.
 * @param settings written as the user's settings before the start, over {@link quietSettings}.
 * @param automation lets a page run a test suite in the extension host.
 * @param quiet false: only `settings`, with every built-in extension, for a user.
 * @param without pattern of the names of built-in extensions to leave out, in addition to those of {@link quietExtensions}.
 * @param having pattern of the names of built-in extensions to include, although most journeys need none of them.
 * @param typescript the folder of the TypeScript extension ({@link typescriptExtension}); its compiler is that of this repository.
 * @param trust true: workspaces are in Restricted Mode until the user trusts them.
 * @param env added to the server's environment; the extension host inherits it.
 * @param port that of an earlier server, whose windows keep their state; a free one without it.
 */
export async function startServer(install, options = {}) {
  const { dir, settings = {}, env = {}, automation = true, quiet = true, typescript, trust = false, without, having } = options;
  const { port = await freePort() } = options;
  writeSettings(dir, { ...(typescript && compiler), ...settings }, { quiet });
  const url = `http://127.0.0.1:${port}`;
  const child = start(
    install.node,
    [
      install.server,
      ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
      ...folders(dir),
      ...(quiet ? ['--builtin-extensions-dir', quietExtensions(install, dir, { without, having, typescript })] : []),
      ...['--telemetry-level', 'off', '--disable-getting-started-override', ...(trust ? [] : ['--disable-workspace-trust'])],
      ...(automation ? ['--enable-smoke-test-driver'] : []),
    ],
    { env: serverEnv(env) },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => (log = (log + text).slice(-200_000)));
  }
  let end;
  void child.gone.then((how) => (end = how));
  const server = { url, port, dir, pid: child.pid, log: () => log, stop: undefined };
  const forget = onEnd(() => stop(child));
  server.stop = async () => {
    forget();
    await stop(child);
  };
  for (const deadline = Date.now() + 60_000; ; await wait(100)) {
    if (end) throw new Error(`the VS Code server ended at start (exit ${end.code ?? end.signal ?? end.error})\n${log.slice(-4000)}`);
    if (Date.now() > deadline) {
      await server.stop();
      throw new Error(`the VS Code server does not answer at ${url}\n${log.slice(-4000)}`);
    }
    try {
      if ((await fetch(`${url}/version`, { signal: AbortSignal.timeout(2000) })).ok) return server;
    } catch {
      // The server does not respond yet.
    }
  }
}

/** The user setting that gives the TypeScript extension the compiler of this repository, because the server build has none. */
export const compiler = { 'js/ts.tsdk.path': join(root, 'node_modules', 'typescript', 'lib') };

/** The absolute path of a server's user settings. */
export function settingsFile(dir) {
  return join(dir, 'data', 'User', 'settings.json');
}

/** Writes the user's settings of a server. An open page may need a reload to apply them. */
export function writeSettings(dir, settings = {}, { quiet = true } = {}) {
  mkdirSync(join(dir, 'data', 'User'), { recursive: true });
  replaceFile(settingsFile(dir), JSON.stringify({ ...(quiet ? quietSettings : {}), ...settings }, null, 2));
}

/** Writes a file in one step. A window that reads settings half written reloads, as if the user had changed settings that need it. */
function replaceFile(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Writes the settings of the server's machine, like a dev container; removes them without `settings`. */
export function writeMachineSettings(dir, settings = {}) {
  const folder = join(dir, 'data', 'Machine');
  mkdirSync(folder, { recursive: true });
  replaceFile(join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
}

/** Settings that make VS Code show only what a test requests, and change no text. */
export const quietSettings = {
  // An agent that outlives its window would be left when a journey ends; keeper.test.mjs turns it on.
  'acpHost.keepAgentsRunning': 'never',
  'files.autoSave': 'off',
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoIndent': 'none',
  'editor.acceptSuggestionOnEnter': 'off',
  'editor.formatOnSave': false,
  'editor.formatOnType': false,
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': false,
  'editor.parameterHints.enabled': false,
  'editor.hover.enabled': false,
  'editor.minimap.enabled': false,
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  // A canvas would have no text to wait for.
  'terminal.integrated.gpuAcceleration': 'off',
  'update.mode': 'none',
  'window.restoreWindows': 'none',
  'workbench.enableExperiments': false,
  // A tooltip over the row below it would catch the click.
  'workbench.hover.delay': 60_000,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * Built-in extensions that no journey needs. `copilot` must be left out: with AI features off, VS Code disables it in each new window and
 * then restarts its extension hosts. Sometimes the first host remains, and the window has two of ours: one with its panels, one with its
 * commands. The others only slow down the start of a window.
 */
const unusedExtensions =
  /^(copilot|debug-.*|emmet|extension-editing|github.*|grunt|gulp|jake|microsoft-authentication|ms-vscode\..*|npm|php-language-features|prompt-basics|terminal-suggest|tunnel-forwarding)$/;

/**
 * Creates a folder with links to the built-in extensions without {@link unusedExtensions}, unless they match `having`, and without those that match
 * `without`.
 * @returns its absolute path
 */
function quietExtensions(install, dir, { without = /^$/, having = /^$/, typescript }) {
  const all = join(dirname(dirname(install.server)), 'extensions');
  const quiet = join(dir, 'builtin');
  mkdirSync(quiet, { recursive: true });
  for (const entry of readdirSync(all, { withFileTypes: true })) {
    const link = join(quiet, entry.name);
    const isUnused = (unusedExtensions.test(entry.name) && !having.test(entry.name)) || without.test(entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules' && !isUnused && !existsSync(link)) {
      symlinkSync(join(all, entry.name), link, 'junction');
    }
  }
  if (typescript && !existsSync(join(quiet, TYPESCRIPT))) symlinkSync(typescript, join(quiet, TYPESCRIPT), 'junction');
  return quiet;
}

/** A port that was just free. */
async function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function folders(dir) {
  return ['--server-data-dir', dir, '--user-data-dir', join(dir, 'data'), '--extensions-dir', join(dir, 'ext')];
}

/** An empty gallery: VS Code looks up, suggests and updates nothing. */
function serverEnv(extra = {}) {
  return { EXTENSIONS_GALLERY: '{}', ...extra };
}

function describe(dir, version, build) {
  const windows = process.platform === 'win32';
  const packaged = join(dir, 'node_modules', nodePackage(), 'bin', windows ? 'node.exe' : 'node');
  return {
    version,
    node: usesOwnNode(build) ? process.execPath : packaged,
    server: join(dir, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js'),
  };
}

function usesOwnNode(build) {
  return build.ownNode.includes(Number(process.versions.node.split('.')[0]));
}

function nodePackage() {
  return `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
}

/** The stamp is written last in the folder that is renamed into place; a build for another Node.js lacks its binary. */
function complete(dir, build) {
  return existsSync(join(dir, '.complete')) && existsSync(describe(dir, '', build).node);
}

async function install(dir, build) {
  const temp = `${dir}.${process.pid}.tmp`;
  const remove = (path) => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  const forget = onEnd(() => remove(temp));
  try {
    remove(temp);
    mkdirSync(temp, { recursive: true });
    const dependencies = { 'code-server': build.codeServer };
    if (!usesOwnNode(build)) dependencies[nodePackage()] = build.node;
    writeFileSync(join(temp, 'package.json'), JSON.stringify({ private: true, dependencies }));
    await npmInstall(temp, []);
    const server = join(temp, 'node_modules', 'code-server', 'lib', 'vscode');
    await npmInstall(server, ['--omit=dev']);
    // This install lacks its compiler: the extension would only report that, in a notification over our screenshots.
    remove(join(server, 'extensions', TYPESCRIPT));
    writeFileSync(join(temp, '.complete'), '');
    remove(dir);
    renameSync(temp, dir);
  } finally {
    forget();
    remove(temp);
  }
}

async function npmInstall(cwd, extra) {
  const [command, args, options] = npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', ...extra]);
  await mustRun(command, args, { ...options, cwd, timeoutMs: 300_000 });
}

/** Runs `work` under a lock folder that names its owner; the lock of a dead process is taken over. */
async function locked(path, work) {
  mkdirSync(cacheDir(), { recursive: true });
  const ownerFile = join(path, 'pid');
  for (const deadline = Date.now() + 420_000; ; await wait(300)) {
    try {
      mkdirSync(path);
      writeFileSync(ownerFile, String(process.pid));
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (Date.now() > deadline) throw new Error(`waited 7 minutes for ${path}: remove it if nothing is installing`);
    const owner = readOwner(ownerFile);
    if (owner !== undefined && !alive(owner)) rmSync(path, { recursive: true, force: true });
  }
  const release = () => rmSync(path, { recursive: true, force: true });
  const forget = onEnd(release);
  try {
    return await work();
  } finally {
    forget();
    release();
  }
}

function readOwner(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
