/** The agents that run in this window, for their page: each has a key as long as it runs. */
import { machineOf } from '../../../agent/machine';
import type { RunningState } from '../../../core/agents/agentsPage';
import { isBusy } from '../../../core/model/select';
import type { Disposable } from '../../../core/platform/disposable';
import type { Sessions } from '../../../session/sessions';
import { memoryOf } from '../../../util/processes/processMemory';
import { titleOf } from '../../shared/sessionTitle';
import type { TranslateVerbatim } from '../../shared/translate';
import { type RunningAgent, type RunningAgents, runningAgents } from '../runningAgents';
import { runningState } from './runningRows';

export class RunningView {
  private readonly agents: RunningAgents;

  constructor(sessions: Sessions) {
    this.agents = runningAgents(sessions);
  }

  onDidChange(listener: () => void): Disposable {
    return this.agents.onDidChange(listener);
  }

  /** @param now ms since the epoch @param iconOf returns the icon of an agent, where it is known */
  async state(now: () => number, iconOf: (agentId: string) => string | undefined, t: TranslateVerbatim): Promise<RunningState> {
    const running = this.agents.list();
    const memory = await memoryOf(running.flatMap(({ pid, keeperPid }) => [pid ?? [], keeperPid ?? []].flat()));
    const facts = running.map((agent) => ({
      key: keyOf(agent),
      name: agent.name,
      icon: iconOf(agent.agentId),
      folder: agent.cwd,
      startedAt: agent.startedAt,
      pid: agent.pid,
      keeperPid: agent.keeperPid,
      host: machineOf(agent.launch),
      proxies: agent.launch.proxies?.map(({ name }) => name),
      isReady: agent.isReady,
      isWorking: agent.sessions.some(({ store }) => isBusy(store.state)),
      memory: memoryIn(memory, agent),
      sessions: agent.sessions.map(({ key, store }) => ({ key, title: titleOf(store.state) })),
    }));
    return runningState(facts, now(), t);
  }

  find(key: string): RunningAgent | undefined {
    return this.agents.list().find((agent) => keyOf(agent) === key);
  }
}

/** The memory of the agent with its keeper; undefined where the system does not say it. */
function memoryIn(memory: ReadonlyMap<number, number>, { pid, keeperPid }: RunningAgent): number | undefined {
  const agent = pid === undefined ? undefined : memory.get(pid);
  return agent === undefined ? undefined : agent + (keeperPid === undefined ? 0 : (memory.get(keeperPid) ?? 0));
}

/** Two processes of an agent in one folder differ by their numbers. */
function keyOf({ agentId, cwd, startedAt, pid }: RunningAgent): string {
  return JSON.stringify([agentId, cwd, startedAt, pid ?? 0]);
}
