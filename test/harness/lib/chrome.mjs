// A Chromium to look through: $CHROME, an installed browser, or Debian's package.
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

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'microsoft-edge-stable'];

/** Absolute path of a browser that is already here, or undefined. A wrong `$CHROME` is an error, not a reason to guess. */
export function findChrome() {
  if (process.env.CHROME) {
    if (!executable(process.env.CHROME))
      throw new MissingChrome(`$CHROME is set to ${process.env.CHROME}, which is not an executable file.`);
    return process.env.CHROME;
  }
  return candidates().find(executable);
}

/** Absolute path of a browser; installs Debian's chromium when there is none and we may. */
export async function ensureChrome() {
  const found = findChrome();
  if (found) return found;
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await installChromium();
    const installed = findChrome();
    if (installed) return installed;
  }
  throw new MissingChrome(
    'No Chrome, Chromium or Edge found: install one of them (for example "sudo apt-get install chromium"), or set $CHROME to its executable.',
  );
}

/** Two tries: another apt may hold the lists' lock, for which it does not wait. */
async function installChromium() {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const patience = ['-o', 'DPkg::Lock::Timeout=240', '-o', 'Acquire::Retries=3'];
  for (let attempt = 1; !findChrome(); attempt++) {
    try {
      await mustRun('apt-get', [...patience, 'update'], { env, timeoutMs: 180_000 });
      await mustRun('apt-get', [...patience, 'install', '-y', '--no-install-recommends', 'chromium'], { env, timeoutMs: 300_000 });
    } catch (error) {
      if (attempt === 2) throw error;
      await wait(5000);
    }
  }
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
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'].filter(
    Boolean,
  );
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function executable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
