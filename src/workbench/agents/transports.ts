/** The transports that are available, by kind of endpoint. A further kind is one more entry here. */
import { homedir } from 'node:os';
import type { LaunchSecrets } from '../../acp/redaction/launchSecrets';
import { lateTransport } from '../../acp/transport/lateTransport';
import { lineLimitOf, ndjson } from '../../acp/transport/ndjson';
import type { Transports } from '../../acp/transport/openTransport';
import { isProcess, type ProcessEndpoint, type RemoteEndpoint } from '../../core/agents/endpoint';
import { streamTransport } from '../../acp/transport/streamTransport';
import type { PreparedProgram, ResolvedLaunch } from '../../agent/prepare';
import { type AgentSpawnDependencies, spawnAgent } from '../../agent/spawn';
import { fault } from '../../core/model/failure';
import type { KeepingOptions } from '../../agent/keeper/startKeeper';
import type { KeptAgent } from '../../core/keeper/keptAgent';
import type { AgentLaunch, ProcessLaunch, ProxyLaunch } from '../../core/model/agentLaunch';
import type { MessageTransport } from '../../core/model/transport';
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
  /** Returns how the keeper holds the agent; undefined for one that ends with its window. */
  readonly keeping: ((launch: ProcessLaunch) => KeepingOptions | undefined) | undefined;
  /** Called when a keeper holds the agent. */
  onKept(kept: KeptAgent): void;
}

export interface LaunchTransports extends Transports {
  /** Starts a proxy of the launch, under the rules of its agent. */
  proxy(proxy: ProxyLaunch, commandLine: string, onStderrLine: (line: string) => void): MessageTransport;
}

/** @param cwd the session's folder */
export function transportsFor(launch: AgentLaunch, cwd: string, dependencies: TransportDependencies): LaunchTransports {
  const { places, demo, wrapper, secrets, values, network, maxLineBytes, usesProxy, ssh, keeping, onKept, ...ports } = dependencies;
  const { agentId, agentName, sandbox, protocol } = launch;
  const remote = (endpoint: RemoteEndpoint): MessageTransport =>
    lateTransport(
      async () => {
        const { openRemote } = await import('../../acp/transport/remote/openRemote');
        return openRemote(endpoint, { clock: ports.clock, cwd, maxBytes: maxLineBytes ?? lineLimitOf(undefined), usesProxy });
      },
      { address: endpoint.url },
    );
  const resolvedIn = (started: ProcessLaunch, folder: string): ResolvedLaunch => ({
    ...started,
    ...places(started, folder),
    runAsNode: runsAsNode(started, demo),
  });
  const start = (started: ProcessLaunch, folder: string, commandLine: string, own: typeof ports): MessageTransport => {
    const wrap = sandbox && ((prepared: PreparedProgram) => wrapper?.(started, prepared) ?? Promise.reject(fault('sandbox.failed')));
    const agent = spawnAgent(resolvedIn(started, folder), { ...own, wrap, commandLine, withoutSecrets: (text) => secrets.text(text) });
    return ndjson(agent.transport, maxLineBytes);
  };
  const launchOf = (endpoint: ProcessEndpoint): ProcessLaunch => ({
    ...endpoint,
    agentId,
    agentName,
    env: { ...beneath(network, endpoint.env), ...endpoint.env },
    ...(sandbox && { sandbox }),
  });
  return {
    websocket: remote,
    http: remote,
    process: (endpoint) => {
      const launched = launchOf(endpoint);
      const started = { ...launched, env: { ...launched.env, ...values } };
      const { commandLine = '' } = secrets.description;
      // The sandbox's proxy and the proxies of a chain belong to the window. A session of version 2 cannot be continued in its middle.
      const kept = sandbox || protocol === 2 || launch.proxies ? undefined : keeping?.(started);
      if (!kept) {
        return start(started, cwd, commandLine, ports);
      }
      const maxBytes = maxLineBytes ?? lineLimitOf(undefined);
      const events = {
        onStarted: ports.onStarted,
        onStderrLine: ports.onStderrLine,
        withoutSecrets: (text: string) => secrets.text(text),
      };
      return lateTransport(
        async () => {
          const { startKept } = await import('../../application/agents/startKept');
          const withoutKeeper = (): MessageTransport => start(started, cwd, commandLine, ports);
          return startKept(resolvedIn(started, cwd), { ...kept, ...ports, maxBytes, commandLine, events, onKept, withoutKeeper });
        },
        { commandLine },
      );
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
      }, {}),
    stream: (endpoint) => ndjson(streamTransport(endpoint.open()), maxLineBytes),
    proxy: ({ name: _name, ...proxy }, commandLine, onStderrLine) => {
      // A proxy runs on this machine, also where the agent works in a folder of another one.
      const folder = isProcess(launch) ? (launch.cwd ?? cwd) : launch.kind !== 'stream' && launch.cwd !== undefined ? homedir() : cwd;
      const { onStarted: _onStarted, ...own } = ports;
      return start({ ...launchOf(proxy), isProxy: true }, folder, commandLine, { ...own, onStderrLine });
    },
  };
}
