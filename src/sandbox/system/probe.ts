/** Finds the system's sandbox, and explains why there is none. */
import { fault, type Fault } from '../../core/model/failure';
import type { Environment } from '../../util/environment';
import { findExecutable } from '../../util/executable';

const PROBE_TIMEOUT_MS = 10_000;

/**
 * Returns the absolute path of the sandbox program, after it has started a program once.
 * @param environment of the extension host, whose PATH counts
 * @param projects absolute folders whose files must not run
 * @throws Fault `sandbox.unsupported`, `sandbox.not_installed`, `sandbox.no_namespaces`, `sandbox.restricted`, `sandbox.no_proc`, `sandbox.failed`
 */
export async function findSandbox(
  environment: Environment,
  projects: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<string> {
  if (platform === 'darwin') {
    return '/usr/bin/sandbox-exec';
  }
  if (platform !== 'linux') {
    throw fault('sandbox.unsupported');
  }
  const folders = await safeFolders((environment['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(':'), projects);
  const found = await findExecutable('bwrap', { cwd: '/', environment: { PATH: folders.join(':') || '/usr/bin' } });
  if (!found?.executable) {
    throw fault('sandbox.not_installed');
  }
  const failed = await probe(found.file);
  if (failed !== undefined) {
    throw probeFault(failed, await isRestricted());
  }
  return found.file;
}

/** A link may lead to a project. */
async function safeFolders(folders: readonly string[], projects: readonly string[]): Promise<readonly string[]> {
  const { realpath } = await import('node:fs/promises');
  const real = (folder: string): Promise<string> => realpath(folder).catch(() => folder);
  const all = [...projects, ...(await Promise.all(projects.map(real)))];
  const targets = await Promise.all(folders.map(real));
  return folders.filter((folder, at) => isSafe(folder, all) && isSafe(targets[at]!, all));
}

/** False for folders that a project could fill. */
function isSafe(folder: string, projects: readonly string[]): boolean {
  return folder.startsWith('/') && !folder.includes('/node_modules') && !projects.some((project) => `${folder}/`.startsWith(`${project}/`));
}

async function probe(file: string): Promise<string | undefined> {
  const { execFile } = await import('node:child_process');
  const args = ['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--ro-bind', '/', '/'];
  return new Promise((resolve) =>
    execFile(
      file,
      [...args, '--dev', '/dev', '--proc', '/proc', '--', '/bin/sh', '-c', ':'],
      { timeout: PROBE_TIMEOUT_MS },
      (error, _out, text) => resolve(error ? text.trim() || error.message : undefined),
    ),
  );
}

/** True where AppArmor lets only listed programs make user namespaces: Ubuntu since 23.10. */
async function isRestricted(): Promise<boolean> {
  const { readFile } = await import('node:fs/promises');
  const value = await readFile('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').catch(() => '0');
  return value.trim() === '1';
}

/** @param text of bubblewrap @param restricted by AppArmor */
export function probeFault(text: string, restricted: boolean): Fault {
  if (/mount proc/i.test(text)) {
    return fault('sandbox.no_proc', undefined, { detail: text });
  }
  if (/namespace|uid map|RTM_NEWADDR|setting up/i.test(text)) {
    return fault(restricted ? 'sandbox.restricted' : 'sandbox.no_namespaces', undefined, { detail: text });
  }
  return fault('sandbox.failed', undefined, { detail: text });
}
