/** The agents that run in this window, with their sessions and the memory of their processes. */
import type { RunningState } from '../../../core/agents/agentsPage';
import type { AgentConnection } from '../../../session/agent/agentConnection';
import type { RunningProcess } from '../../../session/agent/agentConnections';
import type { Session } from '../../../session/session';
import type { Sessions } from '../../../session/sessions';
import { memoryOf } from '../../../util/processes/processMemory';
import { titleOf } from '../../shared/sessionTitle';
import type { TranslateVerbatim } from '../../shared/translate';
import { runningState } from './runningRows';

export type SessionsWithProcesses = Pick<Sessions, 'all' | 'processes' | 'retire'>;

export class RunningAgents {
  /** A key for each process, as long as it runs. */
  private readonly keys = new WeakMap<AgentConnection, string>();
  private count = 0;

  constructor(private readonly sessions: SessionsWithProcesses) {}

  /** @param iconOf returns the icon of an agent, where it is known */
  async state(now: () => number, iconOf: (agentId: string) => string | undefined, t: TranslateVerbatim): Promise<RunningState> {
    const running = this.list();
    const memory = await memoryOf(running.flatMap(([{ pid }]) => pid ?? []));
    const facts = running.map(([connection, { launch, folder, startedAt }]) => ({
      key: this.keyOf(connection),
      name: launch.agentName,
      icon: iconOf(launch.agentId),
      folder,
      startedAt,
      pid: connection.pid,
      isReady: connection.isReady,
      memory: connection.pid === undefined ? undefined : memory.get(connection.pid),
      sessions: this.sessionsOf(connection).map(({ key, store }) => ({ key, title: titleOf(store.state) })),
    }));
    return runningState(facts, now(), t);
  }

  agentIdOf(key: string): string | undefined {
    return this.find(key)?.agentId;
  }

  /** Ends the agent. Its sessions stay and can be continued. */
  stop(key: string): void {
    const connection = this.find(key);
    if (connection) {
      this.sessions.retire(connection);
      connection.stop();
    }
  }

  /** Ends the agent and starts it again for its sessions. */
  restart(key: string): void {
    const connection = this.find(key);
    if (connection) {
      const of = this.sessionsOf(connection);
      this.sessions.retire(connection);
      of.forEach((session) => session.restartAgent(false));
    }
  }

  private list(): readonly (readonly [AgentConnection, RunningProcess])[] {
    return [...this.sessions.processes];
  }

  private sessionsOf(connection: AgentConnection): readonly Session[] {
    return this.sessions.all.filter((session) => session.connection === connection);
  }

  private find(key: string): AgentConnection | undefined {
    return this.list().find(([connection]) => this.keyOf(connection) === key)?.[0];
  }

  private keyOf(connection: AgentConnection): string {
    const known = this.keys.get(connection) ?? `process-${++this.count}`;
    this.keys.set(connection, known);
    return known;
  }
}
