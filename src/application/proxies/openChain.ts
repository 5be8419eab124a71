/** Puts the proxies of a launch between the client and its agent. Loaded with the first of them. */
import { proxyChain } from '../../acp/proxies/conductor';
import { type LaunchSecrets, shownCommand } from '../../acp/redaction/launchSecrets';
import type { Trace } from '../../acp/trace/trace';
import { initializeTimeoutOf } from '../../agent/timeouts';
import type { AgentLaunch, ProxyLaunch } from '../../core/model/agentLaunch';
import type { MessageTransport } from '../../core/model/transport';
import type { Clock } from '../../core/platform/clock';
import type { Log } from '../../core/platform/log';

export interface ChainDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: LaunchSecrets;
  /** The traces of the programs, the agent's last. */
  readonly traces: readonly Trace[];
  /** Opens the transport of the agent itself. */
  openAgent(): MessageTransport;
  /** Starts a proxy. @param commandLine without secrets */
  startProxy(proxy: ProxyLaunch, commandLine: string, onStderrLine: (line: string) => void): MessageTransport;
  /** Called with each line of stderr of a proxy. */
  onStderrLine(line: string): void;
}

/** Opens the transport of a launch through its proxies. */
export function openChain(launch: AgentLaunch, proxies: readonly ProxyLaunch[], deps: ChainDependencies): MessageTransport {
  const { log, clock, traces, secrets, openAgent, startProxy, onStderrLine } = deps;
  const limit = launch.timeoutMs === undefined ? {} : { timeoutMs: launch.timeoutMs };
  const hops = proxies.map((proxy, index) => {
    const commandLine = shownCommand(proxy.command, proxy.args, secrets.values());
    return {
      name: proxy.name,
      commandLine,
      timeoutMs: initializeTimeoutOf({ ...proxy, ...limit }),
      ...(traces[index] && { trace: traces[index] }),
      transport: startProxy(proxy, commandLine, (line) => {
        log.info(`${launch.agentName}, ${proxy.name}: ${line}`);
        traces[index]?.stderr(line);
        onStderrLine(line);
      }),
    };
  });
  const agent = {
    name: launch.agentName,
    timeoutMs: initializeTimeoutOf(launch),
    ...(traces[hops.length] && { trace: traces[hops.length]! }),
    transport: openAgent(),
  };
  return proxyChain(hops, agent, { clock, log });
}
