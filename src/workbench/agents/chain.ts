/** Puts the proxies of a launch between the client and its agent. The conductor is loaded with the first of them. */
import { lateTransport } from '../../acp/transport/lateTransport';
import { openTransport } from '../../acp/transport/openTransport';
import type { LaunchSecrets } from '../../acp/redaction/launchSecrets';
import type { Trace } from '../../acp/trace/trace';
import { initializeTimeoutOf } from '../../agent/timeouts';
import type { AgentLaunch } from '../../core/model/agentLaunch';
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

/** The programs of a launch for the protocol log, the agent last; undefined without proxies. */
export function hopNames({ proxies = [], agentName }: AgentLaunch): readonly string[] | undefined {
  return proxies.length === 0 ? undefined : [...proxies.map(({ name }) => name), agentName];
}

/** ms for `initialize` through all programs, each of which has its own limit, before it passes the request on and before it passes the answer back. */
export function chainTimeoutOf(launch: AgentLaunch): number {
  const ofProxies = (launch.proxies ?? []).map((proxy) => 2 * initializeTimeoutOf({ ...proxy, ...limitOf(launch) }) + 1000);
  return ofProxies.reduce((sum, each) => sum + each, initializeTimeoutOf(launch));
}

/** Opens the transport of a launch, through its proxies where it has some. */
export function openChain(launch: AgentLaunch, transports: LaunchTransports, deps: ChainDependencies): MessageTransport {
  const { proxies = [] } = launch;
  if (proxies.length === 0) {
    return openTransport(launch, transports);
  }
  return lateTransport(async () => {
    const { proxyChain } = await import('../../acp/proxies/conductor');
    const { log, clock, traces, secrets } = deps;
    const hops = proxies.map((proxy, index) => ({
      name: proxy.name,
      commandLine: proxyCommand(proxy, secrets),
      timeoutMs: initializeTimeoutOf({ ...proxy, ...limitOf(launch) }),
      ...(traces[index] && { trace: traces[index] }),
      transport: transports.proxy(proxy, (line) => {
        log.info(`${launch.agentName}, ${proxy.name}: ${line}`);
        traces[index]?.stderr(line);
        deps.onStderrLine(line);
      }),
    }));
    const agent = {
      name: launch.agentName,
      timeoutMs: initializeTimeoutOf(launch),
      ...(traces[hops.length] && { trace: traces[hops.length]! }),
      transport: openTransport(launch, transports),
    };
    return proxyChain(hops, agent, { clock, log });
  }, {});
}

function limitOf({ timeoutMs }: AgentLaunch): { readonly timeoutMs?: number } {
  return timeoutMs === undefined ? {} : { timeoutMs };
}
