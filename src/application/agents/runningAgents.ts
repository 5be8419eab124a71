/** The agents that start or run in this window, each with its sessions. Pure except for the processes it ends. */
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Disposable } from '../../core/platform/disposable';
import type { AgentConnection } from '../../session/agent/agentConnection';
import type { AgentProcess } from '../../session/agent/agentConnections';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { batched } from '../../util/batched';
import { RestartPolicy } from './restartPolicy';

/** A process of an agent, or a connection to one that isn't a process. */
export interface RunningAgent {
  readonly agentId: string;
  readonly name: string;
  readonly launch: AgentLaunch;
  /** The folder that it was started for. */
  readonly cwd: string;
  /** Undefined until the process runs, and for an agent that isn't a process. */
  readonly pid: number | undefined;
  /** The process of the keeper that holds the agent. Undefined for an agent that ends with its window. */
  readonly keeperPid: number | undefined;
  /** ms since the epoch. */
  readonly startedAt: number;
  /** The sessions that use it. Empty while only a list of the agent's sessions does. */
  readonly sessions: readonly Session[];
  /** True once it has answered `initialize`. */
  readonly isReady: boolean;
  /** The number of lists of the agent's sessions that use it. */
  readonly lists: number;
  /** Ends the process because nothing uses it. Its sessions continue with the next message. */
  close(): void;
  /** Ends the process. Its sessions stay, and can be resumed where the agent supports that. */
  stop(): void;
  /** Ends the process, and opens its sessions in a new one. */
  restart(): void;
}

export interface RunningAgents {
  /** The oldest first. */
  list(): readonly RunningAgent[];
  /** Called when an agent starts or ends, and when its sessions change. Several changes of one moment are one call. */
  onDidChange(listener: () => void): Disposable;
}

const followed = new WeakMap<object, RunningAgents>();

type Source = Pick<Sessions, 'all' | 'agents' | 'onChange'>;

/**
 * Follows the agents of these sessions, and stops the start of one that ends again and again. All callers get the same object, which lives as long
 * as the sessions.
 */
export function runningAgents(sessions: Source, now: () => number = Date.now): RunningAgents {
  const agents = followed.get(sessions) ?? follow(sessions, now);
  followed.set(sessions, agents);
  return agents;
}

function follow(sessions: Source, now: () => number): RunningAgents {
  const listeners = new Set<() => void>();
  const policy = new RestartPolicy(now);
  const changed = batched(() => listeners.forEach((listener) => listener()));
  sessions.agents.watcher = {
    changed,
    ended: ({ agentId, failure }) => policy.ended(agentId, failure),
    refusal: (launch) => policy.refusal(launch),
  };
  sessions.onChange(changed);
  return {
    list: () => [...sessions.agents.running].map(([connection, started]) => runningAgent(sessions, connection, started)),
    onDidChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
  };
}

function runningAgent(sessions: Source, connection: AgentConnection, { launch, cwd, startedAt }: AgentProcess): RunningAgent {
  const used = sessions.all.filter((session) => session.connection === connection);
  return {
    agentId: connection.agentId,
    name: launch.agentName,
    launch,
    cwd,
    pid: connection.pid,
    keeperPid: connection.kept?.keeperPid,
    startedAt,
    sessions: used,
    isReady: connection.isReady,
    lists: connection.listeners.size - used.length,
    close: () => connection.end({ code: 'agent.idle' }),
    stop: () => connection.end({ code: 'agent.stopped' }),
    restart: () => {
      sessions.agents.retire(connection);
      used.forEach((session) => session.restartAgent(false));
      // Lists of the agent's sessions do not keep the process.
      connection.end({ code: 'agent.restarted' });
    },
  };
}
