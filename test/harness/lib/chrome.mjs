// The Chromium for the tests: $CHROME, an installed browser, or Debian's package. Its windows are invisible, so the headless shell is
// preferred: the same engine in the same version, with a fifth less processor time.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages, mayInstall } from './apt.mjs';
import { wait } from './proc.mjs';

/** Launch arguments that are needed, as measured, or that keep the browser quiet and off the network. */
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

/** The absolute path of an installed browser, or undefined. A wrong `$CHROME` is an error, not a reason to guess. */
export function findChrome() {
  if (process.env.CHROME) {
    if (!executable(process.env.CHROME))
      throw new MissingChrome(`$CHROME is set to ${process.env.CHROME}, which is not an executable file.`);
    return process.env.CHROME;
  }
  return candidates().find(executable);
}

/** The absolute path of a browser; installs Debian's shell when there is none and we may. */
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

/** Like {@link ensureChrome}, for long runs: the shell is installed in addition to another browser, if possible. */
export async function ensureFastChrome() {
  if (findChrome() && !process.env.CHROME && mayInstall() && !inPath(shell)) await installPackages(shell).catch(() => {});
  return ensureChrome();
}

/**
 * Two attempts: another apt may hold the lock of the package lists, and apt does not wait for it. Some distributions do not have the shell.
 */
async function installBrowser() {
  try {
    await installPackages(shell);
  } catch {
    await wait(5000);
    await installPackages('chromium');
  }
}

/** Thrown when there is no browser and none can be installed: the caller prints the message and exits with 2. */
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

/** The possible paths of a program with this name. */
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
