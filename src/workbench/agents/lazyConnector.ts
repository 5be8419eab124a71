/** Starts agents with code that the first of them loads: the protocol and processes are loaded while VS Code creates the session's panel. */
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Connect, ConnectedAgent } from '../../session/agent/agentConnection';
import { lazy } from '../../util/lazy';
import type { ConnectorDependencies } from './connector';

/** Returns a function like `connector`'s, and loads that module and its settings on demand. */
export function lazyConnector(
  deps: ConnectorDependencies,
  loadSettings: () => Promise<{ readonly connectorSettings: Partial<ConnectorDependencies> }>,
): (launch: AgentLaunch, cwd: string) => Connect {
  const load = lazy(async () => {
    const [{ connector }, { connectorSettings }] = await Promise.all([import('./connector'), loadSettings()]);
    return connector({ ...deps, ...connectorSettings });
  });
  const loadNewer = lazy(async () => (await import('../../acp/v2/v2')).V2);
  return (launch, cwd) => (events) => {
    let connection: ConnectedAgent | undefined;
    let disposed = false;
    Promise.all([load(), launch.protocol === 2 ? loadNewer() : undefined]).then(
      ([connect, newer]) => {
        if (!disposed) {
          connection = connect(launch, cwd, newer)(events);
        }
      },
      (error: unknown) => {
        if (!disposed) {
          events.onEnd({ code: 'agent.spawn_failed', detail: String(error) });
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
