// The project's own dependencies, installed when they are missing or older than the lock file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { mustRun, npm } from './proc.mjs';

const stamp = join(root, 'node_modules', '.acp-host-setup');

/** Ends the process with one line when this Node is too old for the tools. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Node ${process.versions.node} is too old: install Node 20.19 or newer (https://nodejs.org).`);
  process.exit(2);
}

/**
 * Runs `npm ci --ignore-scripts` unless node_modules was made from the current lock file.
 * @returns {Promise<boolean>} true when it installed.
 */
export async function setup() {
  requireNode();
  const lock = lockHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return false;
  if (!existsSync(stamp) && installedMatchesLock()) {
    writeFileSync(stamp, lock);
    return false;
  }
  const [command, args, options] = npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  await mustRun(command, args, { ...options, cwd: root, timeoutMs: 300_000 });
  writeFileSync(stamp, lock);
  return true;
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/** npm keeps its own copy of the installed lock: after `npm ci` or `npm install`, no second one is needed. */
function installedMatchesLock() {
  try {
    const wanted = packages(join(root, 'package-lock.json'));
    const present = packages(join(root, 'node_modules', '.package-lock.json'));
    return Object.entries(wanted).every(
      ([path, entry]) => path === '' || entry.optional || entry.link || present[path]?.version === entry.version,
    );
  } catch {
    return false;
  }
}

function packages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
