/** Starts agents with code that the first of them loads: the protocol and processes are loaded while VS Code creates the session's panel. */
import { isRemote, type RemoteEndpoint } from '../../core/agents/endpoint';
import type { AdoptedAgent } from '../../core/keeper/keptAgent';
import { Fault } from '../../core/model/failure';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Connect, ConnectedAgent } from '../../session/agent/agentConnection';
import { lazy } from '../../util/lazy';
import type { ConnectorDependencies } from './connector';
import type { LoadedSettings } from './connectorSettings';

/** Returns a function like `connector`'s, and loads that module and its settings on demand. */
export function lazyConnector(
  deps: ConnectorDependencies,
  loadSettings: () => Promise<Pick<LoadedSettings, 'connectorSettings'> & Partial<LoadedSettings>>,
  withHeaders: (launch: AgentLaunch & RemoteEndpoint, again: boolean) => Promise<AgentLaunch>,
): (launch: AgentLaunch, cwd: string, adopted?: AdoptedAgent) => Connect {
  const load = lazy(async () => {
    const [{ connector }, { connectorSettings, presentLaunch }] = await Promise.all([import('./connector'), loadSettings()]);
    return { connect: connector({ ...deps, ...connectorSettings }), presentLaunch };
  });
  const loadNewer = lazy(async () => (await import('../../acp/v2/v2')).V2);
  /** Agents that refused the values of their last connection. */
  const denied = new Set<string>();
  const resolved = async (launch: AgentLaunch): Promise<AgentLaunch> =>
    isRemote(launch) ? withHeaders(launch, denied.delete(launch.agentId)) : ((await load()).presentLaunch?.(launch) ?? launch);
  return (launch, cwd, adopted) => (listener) => {
    const events: typeof listener = {
      ...listener,
      onEnd: (failure) => {
        if (failure.code !== 'remote.denied' || !isRemote(launch)) {
          listener.onEnd(failure);
          return;
        }
        denied.add(launch.agentId);
        // The user has entered the values; the settings have only their names.
        const isEntered = Object.values(launch.headers).some((value) => value.includes('${input:'));
        listener.onEnd(isEntered ? { ...failure, params: { ...failure.params, isEntered: 'yes' } } : failure);
      },
    };
    let connection: ConnectedAgent | undefined;
    let disposed = false;
    Promise.all([load(), launch.protocol === 2 ? loadNewer() : undefined, resolved(launch)]).then(
      ([{ connect }, newer, ready]) => {
        if (!disposed) {
          connection = connect(ready, cwd, adopted, newer)(events);
        }
      },
      (error: unknown) => {
        if (!disposed) {
          events.onEnd(error instanceof Fault ? error.failure : { code: 'agent.spawn_failed', detail: String(error) });
        }
      },
    );
    return {
      redactSecretsOf: (servers) => connection?.redactSecretsOf?.(servers),
      dispose: () => {
        disposed = true;
        connection?.dispose();
      },
    };
  };
}
