/**
 * Follows the starts of installed agents: a version is marked as used while it runs, and two failed starts after an update are noticed. A start of a
 * version that was replaced since starts the present one.
 */
import path from 'node:path';
import { isProcess } from '../../core/agents/endpoint';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { StartFollower } from '../../application/agents/startFollower';
import type { WindowRegistry } from './windowRegistry';

/** @param storage the extension's folder @param registry loads the registries of the window */
export function followStarts(storage: string, registry: () => Promise<WindowRegistry>): (launch: AgentLaunch) => StartFollower | undefined {
  return (launch) => {
    const file = installedFile(launch, storage);
    if (file === undefined) {
      return undefined;
    }
    const run = registry().then((window) => window.started(file));
    run.catch(() => undefined);
    return {
      ready: () => void run.then((started) => started.ready()).catch(() => undefined),
      kept: (keeperPid) => void run.then((started) => started.kept?.(keeperPid)).catch(() => undefined),
      ended: (failure) => run.then(async (started) => (await started.ended(failure)) ?? undefined).catch(() => undefined),
    };
  };
}

/** Returns a function that replaces the program of a launch by that of the version that was chosen since. A session keeps its launch for ever. */
export function presentLaunches(
  storage: string,
  registry: () => Promise<Pick<WindowRegistry, 'presentLaunch'>>,
): (launch: AgentLaunch) => Promise<AgentLaunch> | AgentLaunch {
  return (launch) => {
    const file = installedFile(launch, storage);
    if (file === undefined || !isProcess(launch)) {
      return launch;
    }
    return registry()
      .then((window) => window.presentLaunch(file))
      .then(
        (present) => (present ? { ...launch, ...present, env: { ...launch.env, ...present.env } } : launch),
        () => launch,
      );
  };
}

/** Returns the program or the script of an installed agent; undefined for another agent. @param storage the extension's folder */
export function installedFile(launch: AgentLaunch, storage: string): string | undefined {
  const folder = path.join(storage, 'agents') + path.sep;
  return isProcess(launch) ? [launch.command, launch.args[0] ?? ''].find((each) => each.startsWith(folder)) : undefined;
}
