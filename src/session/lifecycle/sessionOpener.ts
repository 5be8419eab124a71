/**
 * How a conversation gets its session at the agent (protocol page "Session Setup"): a new one, or the one that the agent keeps, either told again
 * (`session/load`) or not (`session/resume`). What the agent tells meanwhile is put aside and takes the old conversation's place in one go,
 * or, when it breaks off, not at all.
 */
import type { Dialect, NewSession } from '../../acp/dialect';
import type { Outcome, Settled } from '../../acp/jsonrpc/rpc';
import type { SessionHappening } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import type { Clock, Disposable, Roots } from '../../core/model/ports';
import type { SessionSetup } from '../../core/model/sessionSetup';
import type { AgentLink } from '../agent/agentConnection';
import { isSpoken, isToldAgain, Replay } from './replayTarget';
import type { SessionRooms } from '../clientServices';
import type { RunningAgent } from '../agent/signIn';
import type { SessionStore } from '../store';

/** The session that enters. */
export interface EntranceHost {
  readonly clock: Clock;
  readonly store: SessionStore;
  readonly rooms: SessionRooms;
  /** As they are now. */
  readonly roots: Roots;
  /** What the agent is asked with for these roots. */
  setup(roots: Roots): SessionSetup;
  /** What a conversation with these roots begins with, as far as it is known already. */
  prologue(dialect: Dialect, roots: Roots): readonly SessionHappening[];
  /** It takes prompts. `remark`: what the user should know of how it came to that. */
  entered(remark?: Failure): void;
  notEntered(failure: Failure): void;
}

type Again = NonNullable<Dialect['loadSession']>;

/** ms between two reports of how much was told. */
const PROGRESS_MS = 250;

export class Entrance {
  private opening: { cancel(): void } | undefined;
  private claim: Disposable | undefined;
  private telling: Disposable | undefined;
  /** Grows when the agent is left: answers that come later are nobody's. */
  private visit = 0;
  private stale: AgentLink | undefined;

  /** Only the session that the conversation is of will do: no new one takes its place. */
  private strict: boolean;

  constructor(
    private readonly host: EntranceHost,
    /** The session was somebody else's, or of before our record: what was said in it is not known here. */
    private foreign: boolean,
  ) {
    this.strict = foreign;
  }

  /** The agent that still owes an answer about this session, which was not waited for: what it tells could be of then or of now. */
  get owing(): AgentLink | undefined {
    return this.stale;
  }

  /** From now on, and until it is entered, only the session that the conversation is of will do. */
  insist(): void {
    this.strict = true;
  }

  /** Asks for the session: the one this conversation is of, where the agent can bring it back, else a new one. */
  enter(agent: RunningAgent): void {
    const { store } = this.host;
    const { sessionId } = store.state;
    const { loadSession, resumeSession } = agent.dialect;
    // What is on the screen already need not be told again; an empty one wants to be filled.
    const ways = (isSpoken(store.state) ? [resumeSession, loadSession] : [loadSession, resumeSession]).filter((way) => way !== undefined);
    if (sessionId !== undefined && ways.length > 0) {
      this.tryAgain(agent, sessionId, ways);
    } else if (this.strict) {
      this.host.notEntered({ code: 'session.not_loaded' });
    } else {
      this.enterNew(agent);
    }
  }

  /** Asks for the running session again, with other folders beside its `cwd`. It stays as it is when that fails. */
  change(agent: RunningAgent, sessionId: string, roots: Roots, settled: (failure?: Failure) => void): void {
    const way = agent.dialect.resumeSession ?? agent.dialect.loadSession;
    if (way) {
      this.again(agent, sessionId, way, roots, (outcome, replay) => {
        if (outcome.ok) {
          this.take(replay, way === agent.dialect.loadSession);
          this.ready(outcome.value);
        }
        settled(outcome.ok ? undefined : outcome.failure);
      });
    }
  }

  /** Leaves the agent; what is asked for is given up. */
  leave(link: AgentLink | undefined): void {
    if (this.opening) {
      this.stale = link;
      this.opening.cancel();
    }
    this.visit++;
    this.finish();
    this.claim?.dispose();
    this.claim = undefined;
  }

  private tryAgain(agent: RunningAgent, sessionId: string, [way, ...others]: readonly Again[]): void {
    const { rooms, store, roots } = this.host;
    const { link, dialect } = agent;
    if (link.isClaimed(sessionId)) {
      this.host.notEntered({ code: 'session.open_elsewhere' });
      return;
    }
    rooms.open();
    // Updates may come before the answer.
    link.discard(sessionId);
    this.claim = link.claim(sessionId, rooms.peer);
    this.again(agent, sessionId, way!, roots, (outcome, replay) => {
      if (outcome.ok) {
        const remark = this.take(replay, way === dialect.loadSession);
        this.ready(outcome.value);
        this.host.entered(remark);
        return;
      }
      this.claim?.dispose();
      this.claim = undefined;
      rooms.close();
      if (outcome.failure.code === 'auth.required') {
        this.host.notEntered(outcome.failure);
      } else if (others.length > 0) {
        this.tryAgain(agent, sessionId, others);
      } else if (this.strict) {
        this.host.notEntered(outcome.failure);
      } else {
        // The agent no longer has it: the conversation goes on without its memory, if there is something to remember.
        this.enterNew(agent, isSpoken(store.state) ? outcome.failure : undefined);
      }
    });
  }

  /** `session/load` or `session/resume`. */
  private again(
    agent: RunningAgent,
    sessionId: string,
    way: Again,
    roots: Roots,
    settled: (outcome: Outcome<NewSession>, replay: Replay) => void,
  ): void {
    const { clock, rooms } = this.host;
    const replay = new Replay(clock, this.host.prologue(agent.dialect, roots), () => this.tell(replay));
    rooms.startReplay(replay);
    this.ask(
      agent,
      (answered) => way(sessionId, this.host.setup(roots), answered),
      (outcome) => {
        rooms.endReplay();
        settled(outcome, replay);
      },
    );
  }

  private enterNew(agent: RunningAgent, reason?: Failure): void {
    const { store, rooms, roots } = this.host;
    this.ask(
      agent,
      (answered) => agent.dialect.newSession(this.host.setup(roots), answered),
      (outcome) => {
        if (!outcome.ok) {
          this.host.notEntered(outcome.failure);
          return;
        }
        const { sessionId } = outcome.value;
        if (agent.link.isClaimed(sessionId)) {
          // What the agent says to two conversations under one id could not be told apart.
          this.host.notEntered({ code: 'protocol.bad_answer', params: { method: 'session/new' }, detail: sessionId });
          return;
        }
        rooms.open();
        this.claim = agent.link.claim(sessionId, rooms.peer);
        // A new session at the agent, under an old conversation: what stands above is not known to it.
        const isForgotten = store.state.sessionId !== undefined && isSpoken(store.state);
        this.ready(outcome.value);
        this.host.entered(
          isForgotten ? { code: 'session.restarted', ...(reason?.detail !== undefined && { detail: reason.detail }) } : undefined,
        );
      },
    );
  }

  /** Makes what was told the conversation, or its end. What the user should know of it comes back. */
  private take(replay: Replay, isLoad: boolean): Failure | undefined {
    const { store } = this.host;
    const hadOwn = isSpoken(store.state);
    // Some tell the conversation again also where they were asked not to.
    if (isToldAgain(replay.state) || (isLoad && (isSpoken(replay.state) || !hadOwn))) {
      store.replace(replay.events, replay.state);
      return undefined;
    }
    store.restore(replay.told);
    return hadOwn && isLoad ? { code: 'session.own_record' } : this.foreign ? { code: 'session.not_replayed' } : undefined;
  }

  private ready({ sessionId, happenings }: NewSession): void {
    this.strict = false;
    this.foreign = false;
    this.host.store.append(...happenings, { type: 'session_ready', sessionId });
  }

  /** `settled` is called unless the agent was left meanwhile. */
  private ask(
    agent: RunningAgent,
    start: (answered: Settled<NewSession>) => { requestId: number; cancel(): void },
    settled: Settled<NewSession>,
  ): void {
    const visit = this.visit;
    const { link, peer } = agent;
    let owned: Disposable | undefined = undefined;
    const request = start((outcome) => {
      owned?.dispose();
      if (this.stale === link) {
        this.stale = undefined;
      }
      if (visit === this.visit) {
        this.finish();
        settled(outcome);
      }
    });
    this.opening = request;
    owned = link.own(request.requestId, peer);
  }

  /** Tells how much was told, now and then. */
  private tell(replay: Replay): void {
    this.telling ??= this.host.clock.after(PROGRESS_MS, () => {
      this.telling = undefined;
      const { status, start } = this.host.store.state;
      if (status === 'starting') {
        this.host.store.append({ type: 'start_progress', command: start?.command ?? '', updates: replay.count });
      }
    });
  }

  private finish(): void {
    this.opening = undefined;
    this.telling?.dispose();
    this.telling = undefined;
  }
}
