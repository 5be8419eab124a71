/** Puts the proxies of a launch between the client and its agent. Loaded with the first of them. */
import { proxyChain } from '../../acp/proxies/conductor';
import { openTransport } from '../../acp/transport/openTransport';
import type { LaunchSecrets } from '../../acp/redaction/launchSecrets';
import type { Trace } from '../../acp/trace/trace';
import { initializeTimeoutOf } from '../../agent/timeouts';
import type { AgentLaunch, ProxyLaunch } from '../../core/model/agentLaunch';
import type { MessageTransport } from '../../core/model/transport';
import type { Clock } from '../../core/platform/clock';
import type { Log } from '../../core/platform/log';
import { type LaunchTransports, proxyCommand } from './transports';

export interface ChainDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: LaunchSecrets;
  /** The traces of the programs, the agent's last. */
  readonly traces: readonly Trace[];
  /** Called with each line of stderr of a proxy. */
  onStderrLine(line: string): void;
}

/** Opens the transport of a launch through its proxies. */
export function openChain(
  launch: AgentLaunch,
  proxies: readonly ProxyLaunch[],
  transports: LaunchTransports,
  { log, clock, traces, secrets, onStderrLine }: ChainDependencies,
): MessageTransport {
  const hops = proxies.map((proxy, index) => ({
    name: proxy.name,
    commandLine: proxyCommand(proxy, secrets),
    timeoutMs: initializeTimeoutOf({ ...proxy, ...limitOf(launch) }),
    ...(traces[index] && { trace: traces[index] }),
    transport: transports.proxy(proxy, (line) => {
      log.info(`${launch.agentName}, ${proxy.name}: ${line}`);
      traces[index]?.stderr(line);
      onStderrLine(line);
    }),
  }));
  const agent = {
    name: launch.agentName,
    timeoutMs: initializeTimeoutOf(launch),
    ...(traces[hops.length] && { trace: traces[hops.length]! }),
    transport: openTransport(launch, transports),
  };
  return proxyChain(hops, agent, { clock, log });
}

function limitOf({ timeoutMs }: AgentLaunch): { readonly timeoutMs?: number } {
  return timeoutMs === undefined ? {} : { timeoutMs };
}
