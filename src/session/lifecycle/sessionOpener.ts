/**
 * Asks the agent for the conversation's session (protocol page "Session Setup"): a new one, or the one that the agent keeps, either told again
 * (`session/load`) or not (`session/resume`). The updates until the agent's answer are buffered, and then laid over the recorded conversation at once. They
 * are dropped when the request fails.
 */
import type { NewSession } from '../../acp/dialect';
import { failed, type Settled } from '../../acp/jsonrpc/rpc';
import type { SessionEvent, UnstampedEvent } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import type { Clock, Disposable, Roots } from '../../core/model/ports';
import type { SessionSetup } from '../../core/model/sessionSetup';
import { EMPTY_STATE } from '../../core/model/state';
import { reduce } from '../../core/reduce/reduce';
import { layOver } from '../../core/replay/layOver';
import type { RequestStart, RunningAgent } from '../agent/agentRequest';
import type { ClientServices } from '../clientServices';
import type { SessionReference } from '../sessionDependencies';
import type { SessionStore } from '../store';
import type { AgentAttachment } from './agentAttachment';
import { hasMore, isSpoken, isReplayed, ReplayTarget } from './replayTarget';

/** How the agent is asked for the session (protocol page "Session Setup", RFD "Session Fork"): `session/new`, `session/load`, and so on. */
export type OpenMethod = 'new' | 'load' | 'resume' | 'fork';

/** What is asked for. `fork`: with the method of this name, the session that is forked. */
export interface SessionRequest {
  readonly method: OpenMethod;
  readonly setup: SessionSetup;
  readonly fork?: SessionReference;
}

/** The agent's answer; `replay`: what it told before it, absent for a new session. */
export interface OpenedSession {
  readonly session: NewSession;
  readonly replay?: ReplayTarget;
}

/** ms between two reports of how much was told. */
const PROGRESS_MS = 250;

export class SessionOpener {
  private progress: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly store: SessionStore,
    private readonly services: ClientServices,
    /** What a conversation with these roots begins with, as far as it is known already. */
    private readonly initialEvents: (agent: RunningAgent, roots: Roots) => readonly UnstampedEvent[],
  ) {}

  /** Asks. `settled` is called unless the stay ends before; a refusal leaves everything as it was. */
  request(
    attachment: AgentAttachment,
    agent: RunningAgent,
    { method, setup, fork }: SessionRequest,
    settled: Settled<OpenedSession>,
  ): void {
    if (method === 'new' || method === 'fork') {
      this.requestNew(attachment, agent, setup, fork, settled);
    } else {
      this.requestExisting(attachment, agent, method, setup, settled);
    }
  }

  /** Makes what the agent answered, and told before it, the conversation's. What the user should know of how it came to that comes back. */
  accept({
    opened,
    method,
    isUnrecorded,
    refusal,
  }: {
    readonly opened: OpenedSession;
    readonly method: OpenMethod;
    /** What was said in the session before is not known here. */
    readonly isUnrecorded: boolean;
    /** Why it is a new session. */
    readonly refusal?: Failure;
  }): Failure | undefined {
    const { sessionId, events } = opened.session;
    const remark = opened.replay
      ? this.take(opened.replay, method, isUnrecorded)
      : method === 'fork'
        ? undefined
        : this.noticeOfNew(refusal);
    this.store.append(...events, { type: 'session_ready', sessionId });
    return remark;
  }

  /** The agent was left: no progress is told any more. */
  detach(): void {
    this.progress?.dispose();
    this.progress = undefined;
  }

  private requestNew(
    attachment: AgentAttachment,
    agent: RunningAgent,
    setup: SessionSetup,
    fork: SessionReference | undefined,
    settled: Settled<OpenedSession>,
  ): void {
    attachment.requestSession<NewSession>(
      agent,
      (dialect, answered) => (fork ? dialect.forkSession!(fork.sessionId, setup, answered) : dialect.newSession(setup, answered)),
      (outcome) => {
        if (!outcome.ok) {
          settled(outcome);
          return;
        }
        const { sessionId } = outcome.value;
        if (agent.connection.isClaimed(sessionId)) {
          // What the agent says to two conversations under one id could not be told apart.
          const method = fork ? 'session/fork' : 'session/new';
          settled(failed({ code: 'protocol.bad_answer', params: { method }, detail: sessionId }));
          return;
        }
        this.services.open();
        let replay: ReplayTarget | undefined;
        if (fork?.fork) {
          // Before what the agent has said of its session already, which for some is all of the conversation.
          this.copy(fork.fork, agent, setup);
          replay = new ReplayTarget(this.clock, this.initialEvents(agent, setup));
          this.services.startReplay(replay);
        }
        attachment.claim(sessionId);
        this.services.endReplay();
        settled({ ok: true, value: { session: outcome.value, replay } });
      },
    );
  }

  private requestExisting(
    attachment: AgentAttachment,
    agent: RunningAgent,
    method: 'load' | 'resume',
    setup: SessionSetup,
    settled: Settled<OpenedSession>,
  ): void {
    const { services, store } = this;
    const sessionId = store.state.sessionId ?? '';
    const wasClaimed = attachment.isClaimed;
    if (!wasClaimed) {
      services.open();
      // Updates may come before the answer.
      agent.connection.discard(sessionId);
      attachment.claim(sessionId);
    }
    const replay: ReplayTarget = new ReplayTarget(this.clock, this.initialEvents(agent, setup), () => this.reportProgress(replay));
    services.startReplay(replay);
    const start: RequestStart<NewSession> = (dialect, answered) =>
      method === 'load' ? dialect.loadSession!(sessionId, setup, answered) : dialect.resumeSession!(sessionId, setup, answered);
    attachment.requestSession<NewSession>(agent, start, (outcome) => {
      this.detach();
      services.endReplay();
      if (!outcome.ok && !wasClaimed) {
        attachment.release();
        services.close();
      }
      settled(outcome.ok ? { ok: true, value: { session: outcome.value, replay } } : outcome);
    });
  }

  /** The conversation begins as the one that was forked. */
  private copy(events: readonly SessionEvent[], agent: RunningAgent, setup: SessionSetup): void {
    this.store.replace(events, events.reduce(reduce, EMPTY_STATE));
    this.store.append(...this.initialEvents(agent, setup));
  }

  /** Lays the replay over the record. Returns what the user should know about it. */
  private take(replay: ReplayTarget, method: OpenMethod, isUnrecorded: boolean): Failure | undefined {
    const { store } = this;
    const isTold = isSpoken(replay.state);
    if ((store.state.turn || method === 'fork') && !isReplayed(replay.state)) {
      // A turn goes on while its session is asked for again, and the agent of a fork may speak before its answer.
      store.restore(replay.unmirrored);
      return undefined;
    }
    if (!hasMore(store.state, replay.state) && (isReplayed(replay.state) || method === 'load')) {
      store.replace(replay.events, replay.state);
      return undefined;
    }
    const { events, changesEntries, differs } = layOver(store.state, replay.state, replay.unmirrored);
    if (changesEntries) {
      store.layOver(events);
    } else {
      store.restore(events);
    }
    if (differs) {
      return { code: 'session.replay_differs' };
    }
    // The conversation that VS Code has saved is there anyway, so that a load without a history is nothing to report.
    if (isTold || method === 'fork' || method === 'load') {
      return undefined;
    }
    return isUnrecorded ? { code: 'session.not_replayed' } : undefined;
  }

  /** A new session at the agent, under an old conversation: what stands above is not known to it. */
  private noticeOfNew(refusal: Failure | undefined): Failure | undefined {
    const { sessionId } = this.store.state;
    return sessionId !== undefined && isSpoken(this.store.state)
      ? { code: 'session.restarted', ...(refusal?.detail !== undefined && { detail: refusal.detail }) }
      : undefined;
  }

  /** Tells how much was told, now and then. */
  private reportProgress(replay: ReplayTarget): void {
    this.progress ??= this.clock.after(PROGRESS_MS, () => {
      this.progress = undefined;
      const { status, start } = this.store.state;
      if (status === 'starting') {
        this.store.append({ type: 'start_progress', command: start?.command ?? '', updates: replay.count });
      }
    });
  }
}
