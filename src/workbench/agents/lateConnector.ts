/** Starts agents with code that is loaded for the first of them: the protocol and processes, while VS Code makes the session's panel. */
import type { AgentLaunch, Disposable } from '../../core/model/ports';
import type { Connect } from '../../session/agent/agentConnection';
import type { ConnectorDependencies } from './connector';

/** As `connector`, whose module it loads. */
export function lateConnector(dependencies: ConnectorDependencies): (launch: AgentLaunch, cwd: string) => Connect {
  let loading: Promise<ReturnType<typeof import('./connector').connector>> | undefined;
  return (launch, cwd) => (events) => {
    let connection: Disposable | undefined;
    let disposed = false;
    loading ??= import('./connector').then(({ connector }) => connector(dependencies));
    loading.then(
      (connect) => {
        if (!disposed) {
          connection = connect(launch, cwd)(events);
        }
      },
      (error: unknown) => {
        // An update has taken the file away: the next session tries again.
        loading = undefined;
        if (!disposed) {
          events.onEnd({ code: 'agent.spawn_failed', detail: String(error) });
        }
      },
    );
    return {
      dispose: () => {
        disposed = true;
        connection?.dispose();
      },
    };
  };
}
