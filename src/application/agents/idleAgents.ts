/** Closes agents that no session has used for a while. Their sessions continue with the next message. */
import { isActiveTask } from '../../core/background/activeTasks';
import { isBusy, isUnused, needsYou, showsSignIn } from '../../core/model/select';
import type { SessionState } from '../../core/model/state';
import { isRunning, subagentsIn } from '../../core/subagents/subagentTree';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Session } from '../../session/session';
import type { RunningAgent, RunningAgents } from './runningAgents';

export interface IdleAgentsDependencies {
  readonly clock: Clock;
  readonly agents: RunningAgents;
  /** The user's setting; 0 closes none. Read with each check. */
  minutes(): number;
}

/** ms between two checks. */
const CHECK_MS = 60_000;

export class IdleAgents implements Disposable {
  /** The time of each session's last event. */
  private readonly active = new Map<Session, { at: number; readonly events: Disposable }>();
  private readonly changes: Disposable;
  private timer: Disposable | undefined;

  constructor(private readonly deps: IdleAgentsDependencies) {
    this.changes = deps.agents.onDidChange(() => this.follow());
    this.follow();
  }

  dispose(): void {
    this.changes.dispose();
    this.timer?.dispose();
    this.active.forEach(({ events }) => events.dispose());
    this.active.clear();
  }

  /** Follows the sessions that have an agent. A check is planned only while there is one. */
  private follow(): void {
    const { agents, clock } = this.deps;
    const sessions = new Set(agents.list().flatMap((agent) => agent.sessions));
    this.active.forEach(({ events }, session) => {
      if (!sessions.has(session)) {
        events.dispose();
        this.active.delete(session);
      }
    });
    for (const session of sessions) {
      if (!this.active.has(session)) {
        const entry = { at: clock.now(), events: session.store.onEvents(() => (entry.at = clock.now())) };
        this.active.set(session, entry);
      }
    }
    if (sessions.size === 0) {
      this.timer?.dispose();
      this.timer = undefined;
    } else {
      this.timer ??= clock.after(CHECK_MS, () => this.check());
    }
  }

  private check(): void {
    this.timer = undefined;
    const { agents, clock, minutes } = this.deps;
    const idleMs = minutes() * 60_000;
    if (idleMs > 0) {
      const since = clock.now() - idleMs;
      const isOld = (session: Session): boolean => (this.active.get(session)?.at ?? clock.now()) <= since;
      agents
        .list()
        .filter((agent) => isClosable(agent) && agent.sessions.every(isOld))
        .forEach((agent) => agent.close());
    }
    this.follow();
  }
}

/** True when the agent has nothing to do, and each of its sessions can continue in another process. A list of sessions may still need the agent. */
function isClosable({ sessions, lists }: RunningAgent): boolean {
  return sessions.length > 0 && lists === 0 && sessions.every(({ store }) => isIdle(store.state));
}

/** True when neither the agent nor the user waits for anything in this session, and nothing would be lost. */
export function isIdle(state: SessionState): boolean {
  return (
    state.status === 'ready' &&
    canContinue(state) &&
    !isBusy(state) &&
    !needsYou(state) &&
    !showsSignIn(state) &&
    state.queue.length === 0 &&
    !state.pendingConfig &&
    !state.continuation &&
    !Object.values(state.terminals).some(({ exitStatus, released }) => !exitStatus && !released) &&
    (state.background ?? []).length === 0 &&
    !(state.backgroundTasks ?? []).some(isActiveTask) &&
    !subagentsIn(state).some(isRunning)
  );
}

/** A session without a message has nothing to continue: the agent makes a new one. */
function canContinue(state: SessionState): boolean {
  const { load, resume } = state.capabilities;
  return load === true || resume === true || isUnused(state);
}
