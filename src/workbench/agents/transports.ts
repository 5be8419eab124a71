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
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { MessageTransport } from '../../core/model/transport';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import { beneath } from '../../application/registry/proxyVariables';
import { runsAsNode } from '../../application/agents/demoLaunch';
import type { LaunchFolders } from './launchFolders';
import type { SshDependencies } from '../../application/agents/sshTransport';

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
  readonly ssh: SshDependencies | undefined;
}

/** @param cwd the session's folder */
export function transportsFor(launch: AgentLaunch, cwd: string, dependencies: TransportDependencies): Transports {
  const { places, demo, wrapper, secrets, values, network, maxLineBytes, usesProxy, ssh, ...ports } = dependencies;
  const { agentId, agentName, sandbox } = launch;
  const remote = (endpoint: RemoteEndpoint): MessageTransport =>
    lateTransport(async () => {
      const { openRemote } = await import('../../acp/transport/remote/openRemote');
      return openRemote(endpoint, { clock: ports.clock, cwd, maxBytes: maxLineBytes ?? lineLimitOf(undefined), usesProxy });
    }, endpoint.url);
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
      const agent = spawnAgent(
        { ...started, ...places(started, cwd), runAsNode: runsAsNode(started, demo) },
        { ...ports, wrap, commandLine, withoutSecrets: (text) => secrets.text(text) },
      );
      return ndjson(agent.transport, maxLineBytes);
    },
    ssh: (endpoint) =>
      lateTransport(async () => {
        const { sshTransport } = await import('../../application/agents/sshTransport');
        const { commandLine = '' } = secrets.description;
        const { services: _, ...own } = ports;
        const started = { ...endpoint, env: { ...endpoint.env, ...values } };
        return sshTransport(
          { agentId, agentName },
          started,
          cwd,
          ssh,
          { ...own, commandLine, withoutSecrets: (text) => secrets.text(text) },
          maxLineBytes,
        );
      }, ''),
    stream: (endpoint) => ndjson(streamTransport(endpoint.open()), maxLineBytes),
  };
}
