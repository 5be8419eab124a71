/**
 * Requests the conversation's session from the agent (protocol page "Session Setup"): a new one, or the existing one with (`session/load`) or
 * without (`session/resume`) a replay. Updates before the response are buffered and then merged with the record in one step. They are dropped when
 * the request fails.
 */
import type { NewSession } from '../../acp/dialect';
import type { Settled } from '../../acp/jsonrpc/rpc';
import type { SessionEvent, EventInput } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Roots } from '../../core/model/roots';
import type { SessionSetup } from '../../core/model/sessionSetup';
import { EMPTY_STATE } from '../../core/model/state';
import { reduce } from '../../core/reduce/reduce';
import { layOver } from '../../core/replay/layOver';
import type { RequestStart, RunningAgent } from '../agent/agentRequest';
import { closeSession } from '../agent/requests';
import type { ClientServices } from '../client/clientServices';
import type { SessionReference } from './sessionDependencies';
import type { SessionStore } from '../state/store';
import type { AgentAttachment } from '../agent/agentAttachment';
import { hasMore, isSpoken, isReplayed, ReplayTarget } from '../state/replayTarget';

/** The request that opens the session (protocol page "Session Setup", RFD "Session Fork"): `session/new`, `session/load`, and so on. */
export type OpenMethod = 'new' | 'load' | 'resume' | 'fork';

/** The parameters of the request. `fork`: the session to fork, for the method of this name. */
export interface SessionRequest {
  readonly method: OpenMethod;
  readonly setup: SessionSetup;
  readonly fork?: SessionReference;
}

/** The agent's response. `replay`: the updates before the response, absent for a new session. */
export interface OpenedSession {
  readonly session: NewSession;
  readonly replay?: ReplayTarget | undefined;
  /** The session is a fork that ends at an earlier message. */
  readonly isCut?: true;
}

/** ms between two progress reports of a replay. */
const PROGRESS_MS = 250;

export class SessionOpener {
  private progress: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly store: SessionStore,
    private readonly services: ClientServices,
    /** The initial events of a conversation with these roots. */
    private readonly initialEvents: (agent: RunningAgent, roots: Roots) => readonly EventInput[],
    /** Reports a session that the agent has created too late for the conversation. */
    private readonly leftUnprompted: (sessionId: string) => void,
  ) {}

  /** Sends the request. `settled` is called unless the attachment ends first. A refusal changes nothing. */
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

  /** Applies the response and the replay to the conversation. Returns a notice for the user about the result, if there is one. */
  accept({
    opened,
    method,
    isUnrecorded,
    refusal,
  }: {
    readonly opened: OpenedSession;
    readonly method: OpenMethod;
    /** True when the earlier messages of the session are not recorded here. */
    readonly isUnrecorded: boolean;
    /** The reason why the session is a new one. */
    readonly refusal?: Failure;
  }): Failure | undefined {
    const { sessionId, events } = opened.session;
    const remark = opened.replay
      ? this.take(opened.replay, method, isUnrecorded)
      : method === 'fork'
        ? undefined
        : this.noticeOfNew(refusal);
    this.store.append(...events, { type: 'session_ready', sessionId });
    return opened.isCut ? { code: 'session.forked_before' } : remark;
  }

  /** Stops the progress reports. */
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
      (dialect, answered) =>
        fork ? dialect.forkSession!(fork.sessionId, setup, answered, fork.after) : dialect.newSession(setup, answered),
      (outcome) => {
        if (!outcome.ok) {
          settled(outcome);
          return;
        }
        const { sessionId } = outcome.value;
        if (agent.connection.isClaimed(sessionId)) {
          // Two conversations with the same id would receive each other's messages.
          const method = fork ? 'session/fork' : 'session/new';
          settled({ ok: false, failure: { code: 'protocol.bad_answer', params: { method }, detail: sessionId } });
          return;
        }
        this.services.open();
        let replay: ReplayTarget | undefined;
        if (fork?.fork) {
          // The fork's history comes before the replay, which for some agents holds the whole conversation.
          this.copy(fork.fork, agent, setup);
          replay = new ReplayTarget(this.clock, this.initialEvents(agent, setup));
          this.services.startReplay(replay);
        }
        attachment.claim(sessionId);
        this.services.endReplay();
        settled({ ok: true, value: { session: outcome.value, replay, ...(fork?.after !== undefined && { isCut: true as const }) } });
      },
      (outcome) => void (outcome.ok && this.leave(agent, outcome.value.sessionId)),
    );
  }

  /** Closes a session whose conversation has left the agent before it was created. An agent may have one session for all conversations. */
  private leave({ connection, dialect }: RunningAgent, sessionId: string): void {
    if (!connection.isClaimed(sessionId)) {
      connection.discard(sessionId);
      this.leftUnprompted(sessionId);
      void closeSession(dialect, sessionId, this.clock);
    }
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
      // Updates may arrive before the response.
      agent.connection.discard(sessionId);
      attachment.claim(sessionId);
    }
    const replay: ReplayTarget = new ReplayTarget(this.clock, this.initialEvents(agent, setup), () => this.reportProgress(replay));
    services.startReplay(replay);
    if (store.state.marks?.archived) {
      // An agent may refuse to open a session that it has archived. A failure shows when it is opened.
      agent.dialect.archiveSession?.(sessionId, false, () => undefined);
    }
    const start: RequestStart<NewSession> = (dialect, answered) =>
      method === 'load' ? dialect.loadSession!(sessionId, setup, answered) : dialect.resumeSession!(sessionId, setup, answered);
    attachment.requestSession<NewSession>(agent, start, (outcome) => {
      this.detach();
      services.endReplay();
      if (!outcome.ok && !wasClaimed) {
        attachment.release();
        services.close();
        this.keepHistory(replay, outcome.failure.params?.['replay']);
      }
      settled(outcome.ok ? { ok: true, value: { session: outcome.value, replay } } : outcome);
    });
  }

  /**
   * Shows the history that the agent has sent before it refused the session, unless the conversation is recorded here. A history without its end is
   * marked.
   * @param extent whole or cut; undefined for an agent that does not say how much it has sent
   */
  private keepHistory(replay: ReplayTarget, extent: unknown): void {
    const { store } = this;
    if (extent === undefined || isSpoken(store.state) || !isSpoken(replay.state)) {
      return;
    }
    store.restore(replay.unmirrored);
    if (extent === 'cut') {
      store.append({
        type: 'notice',
        noticeId: `cut-${store.seq}`,
        severity: 'warning',
        title: '',
        failure: { code: 'session.replay_cut' },
      });
    }
  }

  /** Starts the conversation with the history of the forked one. */
  private copy(events: readonly SessionEvent[], agent: RunningAgent, setup: SessionSetup): void {
    this.store.replace(events, events.reduce(reduce, EMPTY_STATE));
    this.store.append(...this.initialEvents(agent, setup));
  }

  /** Merges the replay with the record. Returns a notice for the user, if there is one. */
  private take(replay: ReplayTarget, method: OpenMethod, isUnrecorded: boolean): Failure | undefined {
    const { store } = this;
    const isTold = isSpoken(replay.state);
    if ((store.state.turn || method === 'fork') && !isReplayed(replay.state)) {
      // A turn may run while its session is requested again, and a fork's agent may send updates before its response.
      store.restore(replay.unmirrored);
      return undefined;
    }
    const isEmpty = !isSpoken(store.state) && !store.state.subagents && !hasMore(store.state, replay.state);
    if (isEmpty && (isReplayed(replay.state) || method === 'load')) {
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
    // VS Code has stored the conversation, so a load without a replay needs no notice.
    if (isTold || method === 'fork' || method === 'load') {
      return undefined;
    }
    return isUnrecorded ? { code: 'session.not_replayed' } : undefined;
  }

  /** The notice that a new session continues an old conversation that the agent does not know. */
  private noticeOfNew(refusal: Failure | undefined): Failure | undefined {
    const { sessionId } = this.store.state;
    return sessionId !== undefined && isSpoken(this.store.state)
      ? { code: 'session.restarted', ...(refusal?.detail !== undefined && { detail: refusal.detail }) }
      : undefined;
  }

  /** Reports the number of replayed updates, at most every `PROGRESS_MS`. */
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
