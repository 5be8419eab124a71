/** Follows the starts of installed agents: a version is marked as used while it runs, and two failed starts after an update are noticed. */
import path from 'node:path';
import { isProcess } from '../../core/agents/endpoint';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { StartFollower } from '../../application/agents/startFollower';
import type { WindowRegistry } from './windowRegistry';

/** @param storage the extension's folder @param registry loads the registries of the window */
export function followStarts(storage: string, registry: () => Promise<WindowRegistry>): (launch: AgentLaunch) => StartFollower | undefined {
  const folder = path.join(storage, 'agents') + path.sep;
  return (launch) => {
    const file = isProcess(launch) && [launch.command, launch.args[0] ?? ''].find((each) => each.startsWith(folder));
    if (!file) {
      return undefined;
    }
    const run = registry().then((window) => window.started(file, launch.agentName));
    run.catch(() => undefined);
    const tell = (call: (started: StartFollower) => void): void => void run.then(call, () => undefined);
    return { ready: () => tell((started) => started.ready()), ended: (failure) => tell((started) => started.ended(failure)) };
  };
}
