// A Chromium to look through: $CHROME, an installed browser, or Debian's package. Nobody sees its windows: the shell without any, which is the
// same engine in the same version, takes a fifth less of the processor.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { mustRun, wait } from './proc.mjs';

/** Launch arguments measured to be needed, or to keep the browser quiet and off the network. */
export const chromeArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'microsoft-edge-stable'];

/** Absolute path of a browser that is already here, or undefined. A wrong `$CHROME` is an error, not a reason to guess. */
export function findChrome() {
  if (process.env.CHROME) {
    if (!executable(process.env.CHROME))
      throw new MissingChrome(`$CHROME is set to ${process.env.CHROME}, which is not an executable file.`);
    return process.env.CHROME;
  }
  return candidates().find(executable);
}

/** Absolute path of a browser; installs Debian's shell when there is none and we may. */
export async function ensureChrome() {
  const found = findChrome();
  if (found) return found;
  if (mayInstall()) {
    await installBrowser();
    const installed = findChrome();
    if (installed) return installed;
  }
  throw new MissingChrome(
    'No Chrome, Chromium or Edge found: install one of them (for example "sudo apt-get install chromium-headless-shell"), or set $CHROME to its executable.',
  );
}

/** As {@link ensureChrome}, and for much work: the shell is installed beside another browser too, where that is possible. */
export async function ensureFastChrome() {
  if (findChrome() && !process.env.CHROME && mayInstall() && !inPath(shell)) await installOne(shell).catch(() => {});
  return ensureChrome();
}

function mayInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Two tries: another apt may hold the lists' lock, for which it does not wait; and not every distribution has the shell. */
async function installBrowser() {
  try {
    await installOne(shell);
  } catch {
    await wait(5000);
    await installOne('chromium');
  }
}

async function installOne(name) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const patience = ['-o', 'DPkg::Lock::Timeout=240', '-o', 'Acquire::Retries=3'];
  await mustRun('apt-get', [...patience, 'update'], { env, timeoutMs: 180_000 });
  await mustRun('apt-get', [...patience, 'install', '-y', '--no-install-recommends', '--no-remove', name], { env, timeoutMs: 300_000 });
}

/** No browser, and no way for us to get one: the caller prints the message and exits with 2. */
export class MissingChrome extends Error {
  exitCode = 2;
}

function candidates() {
  if (process.platform === 'darwin') {
    const bundles = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    return ['/Applications', join(process.env.HOME ?? '', 'Applications')].flatMap((folder) =>
      bundles.map((name) => join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
    );
  }
  if (process.platform === 'win32') {
    const folders = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(Boolean);
    const tails = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ];
    return folders.flatMap((folder) => tails.map((tail) => join(folder, tail)));
  }
  return names.flatMap(places);
}

/** Where a program of this name may be. */
function places(name) {
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome']
    .filter(Boolean)
    .map((folder) => join(folder, name));
}

function inPath(name) {
  return places(name).some(executable);
}

function executable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
