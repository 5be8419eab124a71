/** Installs agents of a registry into a folder, and starts them from there. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../core/model/failure';
import { isDiskFull } from '../../util/diskFull';
import { withFileLock } from '../../util/fileLock';
import { installFault } from '../registryReasons';
import type { AgentInstaller, BinaryWay, InstalledAgent, InstallProgress, InstallWay, PackageWay, RegistryAgent } from '../types';
import { ChangeSignal } from './changeSignal';
import { clean, discard, removeOwner, writeOwner } from './cleaning';
import type { InstallContext, InstallerDependencies } from './context';
import { afterStart, byUse, choiceOf, hasStarted, versionBefore } from './history';
import { installedAgent, versionOf } from './installed';
import {
  type AgentState,
  folderNameOf,
  readAgent,
  readAgents,
  type StoredAgent,
  type StoredVersion,
  type VersionRecord,
  writeState,
  writeVersion,
} from './record';
import { isUnused, markKept, markUse, usedVersions } from './uses';

/** The versions that stay for a rollback. */
const MAX_PREVIOUS = 2;
/** ms after which the lock of a window that hangs is taken. An installation of npm has 20 minutes. */
const STALE_LOCK_MS = 45 * 60_000;
/** Reasons after which another way of the same agent may work. */
const TRY_NEXT = new Set(['no_node', 'no_npm', 'no_uv']);

export function createInstaller(deps: InstallerDependencies): AgentInstaller {
  const signal = new ChangeSignal(deps.folder);
  const homeOf = (agentId: string): string => path.join(deps.folder, folderNameOf(agentId));
  const describe = (agent: StoredAgent): Promise<InstalledAgent> => installedAgent(agent, deps);

  /** Changes an agent while no other window does. */
  const change = async <T>(agentId: string, run: (home: string) => Promise<T>, abort?: AbortSignal): Promise<T> => {
    const home = homeOf(agentId);
    const locks = path.join(deps.folder, '.locks');
    try {
      await mkdir(locks, { recursive: true });
      return await withFileLock(path.join(locks, `${path.basename(home)}.lock`), () => run(home), STALE_LOCK_MS);
    } catch (error) {
      throw abort?.aborted ? installFault('cancelled') : explained(error);
    } finally {
      signal.changed();
    }
  };
  const stored = async (home: string): Promise<StoredAgent> => {
    const agent = await readAgent(home);
    if (!agent) {
      throw installFault('not_installed');
    }
    return agent;
  };
  const changeState = (agentId: string, next: (agent: StoredAgent) => AgentState): Promise<InstalledAgent> =>
    change(agentId, async (home) => {
      await writeState(home, next(await stored(home)));
      return describe(await stored(home));
    });
  const find = async (file: string): Promise<StoredVersion | undefined> => {
    const [home, version] = path.relative(deps.folder, file).split(path.sep);
    return home && version && !home.startsWith('.') ? versionOf(path.join(deps.folder, home, version)) : undefined;
  };

  return {
    install: async (agent, report, abort) => {
      let hasLock = false;
      const work = (home: string): Promise<StoredAgent> => {
        hasLock = true;
        return install(deps, agent, home, report, abort);
      };
      return describe(await orAborted(change(agent.agentId, work, abort), abort, () => !hasLock));
    },
    rollBack: (agentId) =>
      changeState(agentId, (agent) => {
        const before = versionBefore(agent);
        if (!before) {
          throw installFault('no_earlier_version');
        }
        return choiceOf(before, agent);
      }),
    choose: (agentId, version) =>
      changeState(agentId, (agent) => {
        const chosen = [agent.current, ...agent.others].find(({ record }) => record.version === version);
        if (!chosen) {
          throw installFault('not_installed');
        }
        return chosen === agent.current ? agent.state : choiceOf(chosen, agent);
      }),
    pin: (agentId, pinned) =>
      changeState(agentId, ({ current, state: { isPinned: _, ...state } }) => ({
        ...state,
        current: path.basename(current.folder),
        ...(pinned && { isPinned: 'yes' as const }),
      })),
    isUsed: async (agentId) => !(await isUnused(homeOf(agentId))),
    uninstall: (agentId) =>
      change(agentId, async (home) => {
        await stored(home);
        if (!(await isUnused(home))) {
          throw installFault('in_use');
        }
        await discard(deps.folder, home);
      }),
    list: async () => Promise.all((await readAgents(deps.folder)).map(describe)),
    use: async (file) => {
      const version = await find(file);
      return version && markUse(version.folder);
    },
    useKept: async (file, keeperPid) => {
      const version = await find(file);
      await (version && markKept(version.folder, keeperPid));
    },
    recordStart: async (file, succeeded) => {
      const version = await find(file);
      if (!version) {
        return undefined;
      }
      const home = path.dirname(version.folder);
      const agent = await readAgent(home);
      if (!agent || agent.current.folder !== version.folder) {
        return undefined;
      }
      const { failedStarts = 0 } = agent.state;
      // Most starts succeed, and change nothing.
      return succeeded && failedStarts === 0 && hasStarted(agent)
        ? describe(agent)
        : changeState(version.record.agentId, (present) => afterStart(present, succeeded));
    },
    clean: () => clean(deps.folder, deps.now),
    onDidChange: (listener) => signal.listen(listener),
  };
}

/** Installs a version, or chooses it when it is installed already. The caller holds the agent's lock. */
async function install(
  deps: InstallerDependencies,
  agent: RegistryAgent,
  home: string,
  report: (progress: InstallProgress) => void,
  signal: AbortSignal | undefined,
): Promise<StoredAgent> {
  if (signal?.aborted) {
    throw installFault('cancelled');
  }
  if (agent.problem) {
    throw installFault('refused_entry', { agent: agent.name });
  }
  if (agent.ways.length === 0) {
    throw installFault('no_platform', { agent: agent.name });
  }
  const before = await readAgent(home);
  const there = before && [before.current, ...before.others].find(({ record }) => isSame(record, agent));
  const choose = async (chosen: StoredVersion): Promise<StoredAgent> => {
    await writeState(home, before ? choiceOf(chosen, before) : { current: path.basename(chosen.folder), before: [], failedStarts: 0 });
    return (await readAgent(home))!;
  };
  if (there) {
    return choose(there);
  }
  let failure: unknown;
  for (const way of agent.ways) {
    const folder = path.join(home, `${agent.version.replace(/[^\w.-]+/g, '_')}-${randomUUID().slice(0, 8)}`);
    try {
      await mkdir(folder, { recursive: true });
      await writeOwner(folder);
      const result = await runWay(way, folder, { ...deps, report, signal });
      if (signal?.aborted) {
        throw installFault('cancelled');
      }
      const record = recordOf(agent, way, result, deps.now());
      await writeVersion(folder, record);
      await removeOwner(folder);
      await prune(deps.folder, await choose({ folder, record }));
      return (await readAgent(home))!;
    } catch (error) {
      await discard(deps.folder, folder);
      failure ??= error;
      if (!(error instanceof Fault) || !TRY_NEXT.has(String(error.failure.params?.['reason']))) {
        failure = error;
        break;
      }
    }
  }
  if (!before) {
    await discard(deps.folder, home);
  }
  throw failure;
}

function runWay(way: InstallWay, folder: string, context: InstallContext): Promise<Pick<VersionRecord, 'program' | 'env'>> {
  switch (way.kind) {
    case 'npx':
      return import('./npmInstall').then(({ installNpmPackage }) => installNpmPackage(way as PackageWay, folder, context));
    case 'uvx':
      return import('./uvInstall').then(({ installUvTool }) => installUvTool(way as PackageWay, folder, context));
    case 'binary':
      return import('./binaryInstall').then(({ installBinary }) => installBinary(way as BinaryWay, folder, context));
  }
}

function sourceOf(way: InstallWay): string {
  return way.kind === 'binary' ? way.archive : way.package;
}

function isSame({ version, source }: VersionRecord, agent: RegistryAgent): boolean {
  return version === agent.version && agent.ways.some((way) => sourceOf(way) === source);
}

function recordOf(
  { agentId, id, origin, name, icon, version }: RegistryAgent,
  way: InstallWay,
  { program, env }: Pick<VersionRecord, 'program' | 'env'>,
  installedAt: number,
): VersionRecord {
  const about = { agentId, id, origin, name, ...(icon !== undefined && { icon }), version };
  return { format: 1, ...about, way: way.kind, source: sourceOf(way), installedAt, program, args: way.args, env };
}

/** Deletes the versions of the least use that no process uses. The version before an update stays. */
async function prune(root: string, agent: StoredAgent): Promise<void> {
  const used = await usedVersions(agent.home);
  for (const { folder } of byUse(agent).slice(MAX_PREVIOUS)) {
    if (!used.has(path.basename(folder))) {
      await discard(root, folder).catch(() => undefined);
    }
  }
}

/** Rejects at once when the caller aborts while `isWaiting`. Otherwise the work itself ends, after it has deleted its files. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, isWaiting: () => boolean): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => void (isWaiting() && reject(installFault('cancelled')));
    signal?.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', cancel));
  });
}

function explained(error: unknown): unknown {
  if (error instanceof Fault) {
    return error;
  }
  if (isDiskFull(error)) {
    return installFault('disk_full');
  }
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EROFS' || code === 'EPERM' ? installFault('not_writable', {}, message) : error;
}
