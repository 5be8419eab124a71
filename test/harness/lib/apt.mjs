// Debian's packages, for programs that the tests need.
import { existsSync } from 'node:fs';
import { mustRun } from './proc.mjs';

export function mayInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Installs packages without what they only recommend. Waits for another apt, as far as apt itself does. */
export async function installPackages(...names) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const patience = ['-o', 'DPkg::Lock::Timeout=240', '-o', 'Acquire::Retries=3'];
  await mustRun('apt-get', [...patience, 'update'], { env, timeoutMs: 180_000 });
  await mustRun('apt-get', [...patience, 'install', '-y', '--no-install-recommends', '--no-remove', ...names], { env, timeoutMs: 300_000 });
}
