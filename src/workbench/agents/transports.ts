/** The transports that are available, by kind of endpoint. A further kind is one more entry here. */
import type { LaunchSecrets } from '../../acp/redaction/launchSecrets';
import { lateTransport } from '../../acp/transport/lateTransport';
import { lineLimitOf, ndjson } from '../../acp/transport/ndjson';
import type { Transports } from '../../acp/transport/openTransport';
import type { RemoteEndpoint } from '../../core/agents/endpoint';
import { streamTransport } from '../../acp/transport/streamTransport';
import type { PreparedProgram } from '../../agent/prepare';
import { type AgentSpawnDependencies, spawnAgent } from '../../agent/spawn';
import { fault } from '../../core/model/failure';
import type { KeepingOptions } from '../../agent/keeper/startKeeper';
import type { KeptAgent } from '../../core/keeper/keptAgent';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { MessageTransport } from '../../core/model/transport';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import { beneath } from '../../application/registry/proxyVariables';
import { runsAsNode } from '../../application/agents/demoLaunch';
import type { LaunchFolders } from './launchFolders';

/** Returns the program that runs `prepared` in the sandbox of the launch. */
export type WrapAgent = (launch: ProcessLaunch, prepared: PreparedProgram) => ReturnType<NonNullable<AgentSpawnDependencies['wrap']>>;

export interface TransportDependencies
  extends Pick<AgentSpawnDependencies, 'clock' | 'log' | 'environment' | 'onStderrLine' | 'onStarted' | 'services'> {
  readonly places: LaunchFolders;
  /** The one agent that runs on VS Code's own Node. */
  readonly demo: ProcessLaunch;
  /** Wraps the process of a launch with a sandbox. */
  readonly wrapper: WrapAgent | undefined;
  readonly secrets: LaunchSecrets;
  /** The values that the user typed to sign in. A process gets them in its environment. */
  readonly values: Readonly<Record<string, string>>;
  /** The variables for VS Code's proxy and certificates. */
  readonly network: Readonly<Record<string, string>>;
  /** The maximum length of a line in bytes. The default when undefined. */
  readonly maxLineBytes: number | undefined;
  /** True when VS Code or the environment may put a proxy in between. */
  readonly usesProxy: (url: string) => boolean;
  /** Returns how the keeper holds the agent; undefined for one that ends with its window. */
  readonly keeping: ((launch: ProcessLaunch) => KeepingOptions | undefined) | undefined;
  /** Called when a keeper holds the agent. */
  onKept(kept: KeptAgent): void;
}

/** @param cwd the session's folder */
export function transportsFor(launch: AgentLaunch, cwd: string, dependencies: TransportDependencies): Transports {
  const { places, demo, wrapper, secrets, values, network, maxLineBytes, usesProxy, keeping, onKept, ...ports } = dependencies;
  const { agentId, agentName, sandbox, protocol } = launch;
  const remote = (endpoint: RemoteEndpoint): MessageTransport =>
    lateTransport(
      async () => {
        const { openRemote } = await import('../../acp/transport/remote/openRemote');
        return openRemote(endpoint, { clock: ports.clock, cwd, maxBytes: maxLineBytes ?? lineLimitOf(undefined), usesProxy });
      },
      { address: endpoint.url },
    );
  return {
    websocket: remote,
    http: remote,
    process: (endpoint) => {
      const started: ProcessLaunch = {
        ...endpoint,
        agentId,
        agentName,
        env: { ...beneath(network, endpoint.env), ...endpoint.env, ...values },
        ...(sandbox && { sandbox }),
      };
      const wrap = sandbox && ((prepared: PreparedProgram) => wrapper?.(started, prepared) ?? Promise.reject(fault('sandbox.failed')));
      const { commandLine = '' } = secrets.description;
      const resolved = { ...started, ...places(started, cwd), runAsNode: runsAsNode(started, demo) };
      // The sandbox's proxy belongs to the window. A session of version 2 cannot be continued in its middle.
      const kept = sandbox || protocol === 2 ? undefined : keeping?.(started);
      if (kept) {
        const maxBytes = maxLineBytes ?? lineLimitOf(undefined);
        const events = {
          onStarted: ports.onStarted,
          onStderrLine: ports.onStderrLine,
          withoutSecrets: (text: string) => secrets.text(text),
        };
        return lateTransport(
          async () => {
            const { startKept } = await import('../../application/agents/startKept');
            return startKept(resolved, { ...kept, ...ports, maxBytes, commandLine, events, onKept });
          },
          { commandLine },
        );
      }
      const agent = spawnAgent(resolved, { ...ports, wrap, commandLine, withoutSecrets: (text) => secrets.text(text) });
      return ndjson(agent.transport, maxLineBytes);
    },
    stream: (endpoint) => ndjson(streamTransport(endpoint.open()), maxLineBytes),
  };
}
