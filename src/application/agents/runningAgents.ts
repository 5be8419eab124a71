/** The agents that start or run in this window, each with its sessions. Pure except for the processes it ends. */
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { Disposable } from '../../core/platform/disposable';
import type { AgentProcessEntry } from '../../session/agent/agentConnections';
import type { Session } from '../../session/session';
import type { Sessions } from '../../session/sessions';
import { batched } from '../../util/batched';

/** A process of an agent, or a connection to one that isn't a process. */
export interface RunningAgent {
  readonly agentId: string;
  readonly name: string;
  readonly launch: AgentLaunch;
  /** The folder that it was started for. */
  readonly cwd: string;
  /** Undefined until the process runs, and for an agent that isn't a process. */
  readonly pid: number | undefined;
  /** ms since the epoch. */
  readonly startedAt: number;
  /** The sessions that use it. Empty while only a list of the agent's sessions does. */
  readonly sessions: readonly Session[];
  /** True once it has answered `initialize`. */
  readonly isReady: boolean;
  /** Ends the process. Its sessions stay, and can be resumed where the agent supports that. */
  stop(): void;
  /** Ends the process, and opens its sessions in a new one. */
  restart(): void;
}

export interface RunningAgents extends Disposable {
  /** The oldest first. */
  list(): readonly RunningAgent[];
  /** Called when an agent starts or ends, and when its sessions change. Several changes of one moment are one call. */
  onDidChange(listener: () => void): Disposable;
}

/** Follows the agents of these sessions. */
export function runningAgents(sessions: Pick<Sessions, 'all' | 'agents' | 'onChange'>): RunningAgents {
  const listeners = new Set<() => void>();
  const changed = batched(() => listeners.forEach((listener) => listener()));
  const subscriptions = [sessions.agents.onChange(changed), sessions.onChange(changed)];
  return {
    list: () => sessions.agents.running.map((entry) => runningAgent(sessions, entry)),
    onDidChange: (listener) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    dispose: () => {
      listeners.clear();
      subscriptions.forEach((subscription) => subscription.dispose());
    },
  };
}

function runningAgent(
  sessions: Pick<Sessions, 'all' | 'agents'>,
  { connection, agentName, launch, cwd, startedAt }: AgentProcessEntry,
): RunningAgent {
  const used = sessions.all.filter((session) => session.connection === connection);
  return {
    agentId: connection.agentId,
    name: agentName,
    launch,
    cwd,
    pid: connection.pid,
    startedAt,
    sessions: used,
    isReady: connection.isReady,
    stop: () => connection.stop({ code: 'agent.stopped' }),
    restart: () => {
      sessions.agents.retire(connection);
      used.forEach((session) => session.restartAgent(false));
      // Lists of the agent's sessions do not keep the process.
      connection.stop({ code: 'agent.restarted' });
    },
  };
}
