/** The sessions of a log by their ids, and the initial events of each. */
import type { EventInput } from '../../core/model/event';
import { asSubagentEvents } from '../../core/subagents/innerEvents';
import { SessionTree } from '../../core/subagents/sessionTree';
import type { SessionTarget, Dialect } from '../dialect';
import type { Roots } from '../../core/model/roots';
import { Recording } from './recording';

export class ReplaySessions {
  /** The session of the latest event. */
  current: Recording | undefined;
  private readonly recordings = new Map<string, Recording>();
  /** The ids of sessions whose start the log contains. */
  private readonly openedIds = new Set<string>();
  /** The sessions of subagents, by id. */
  private readonly children = new SessionTree();
  /** The requested session, until its id is known. After a refusal it is reused for the next attempt. */
  private opening: Recording | undefined;
  /** Events of sessions whose id no answer has named yet. */
  private readonly unclaimed = new Map<string, EventInput[]>();
  private initialized: EventInput | undefined;
  private described: { readonly agentName?: string; readonly cwd?: string } = {};
  private agentTitle: string | undefined;

  /** @param agentName used when the log does not contain the name */
  constructor(
    private readonly clock: { readonly now: number },
    private readonly agentName: string,
  ) {}

  /** All sessions, in the order of their appearance. */
  get all(): readonly Recording[] {
    return [...new Set([...this.recordings.values(), ...(this.opening ? [this.opening] : [])])];
  }

  /** Takes the log's own description. */
  describe(described: { readonly agentName?: string; readonly cwd?: string }): void {
    this.described = described;
  }

  /** Takes the answer to `initialize`. */
  describeAgent(agent: Dialect): void {
    const { protocolVersion, promptCapabilities, authMethods, sessionCapabilities, agent: info, initializeExtras } = agent;
    this.agentTitle = info?.title ?? info?.name;
    this.initialized = {
      type: 'agent_initialized',
      protocolVersion,
      promptCapabilities,
      authMethods,
      offers: sessionCapabilities,
      ...(info && { agent: info }),
      ...initializeExtras,
    };
  }

  /** Begins a session for `session/new`. */
  begin(roots: Roots): Recording {
    this.opening ??= new Recording(this.clock);
    this.initialEvents(this.opening, roots);
    return (this.current = this.opening);
  }

  /** The session for events before the first session was requested. */
  get begun(): Recording {
    return (this.opening ??= new Recording(this.clock));
  }

  /**
   * Reopens a session for `session/load` or `session/resume`. When the agent replays the whole conversation, a new recording replaces the earlier
   * one, so that nothing appears twice.
   */
  comeBack(sessionId: string, roots: Roots, isReplayed: boolean): { session: Recording; before?: Recording | undefined } {
    const before = this.recordings.get(sessionId);
    const session = before && !isReplayed ? before : new Recording(this.clock);
    this.recordings.set(sessionId, session);
    this.initialEvents(session, roots);
    this.current = session;
    return { session, ...(before !== session && { before }) };
  }

  /** The agent could not open the session, so its earlier recording is used again. */
  goBack(session: Recording, before: Recording): Recording {
    for (const [sessionId, recording] of this.recordings) {
      if (recording === session) {
        this.recordings.set(sessionId, before);
      }
    }
    return (this.current = before);
  }

  /** The agent has opened the session. @param session the requested one; undefined when the log does not contain the request */
  opened(session: Recording | undefined, sessionId: string, events: readonly EventInput[]): void {
    const target = session ?? this.opening ?? this.of(sessionId);
    if (target === this.opening) {
      this.opening = undefined;
    }
    this.recordings.set(sessionId, target);
    this.openedIds.add(sessionId);
    this.current = target;
    target.append(...(this.unclaimed.get(sessionId) ?? []), ...events, { type: 'session_ready', sessionId });
    this.unclaimed.delete(sessionId);
  }

  /**
   * Finds the session of a message without a session id, or of a subagent, like a live connection. Undefined when the log does not contain the
   * start of the session, or when the session is not certain.
   */
  targetOf(named: string): SessionTarget | undefined {
    if (this.children.parentOf(named) !== undefined) {
      return { sessionId: this.children.rootOf(named), child: named };
    }
    if (this.openedIds.has(named)) {
      return { sessionId: named };
    }
    if (this.opening !== undefined) {
      return undefined;
    }
    const ids = [...this.openedIds];
    const possible = named === '' ? ids : ids.filter((id) => this.recordings.get(id)?.state.turn);
    return possible.length === 1 ? { sessionId: possible[0]!, ...(named !== '' && { child: named }) } : undefined;
  }

  /** Registers a subagent's session, like a live connection. */
  registerSubagent(parent: string, child: string): boolean {
    return this.children.parentOf(child) === parent || (!this.recordings.has(child) && this.children.add(child, parent));
  }

  /** True when the id may belong to the requested session, whose id is not known yet, or to a subagent that is not announced yet. */
  isAwaited(sessionId: string): boolean {
    return (this.opening !== undefined || this.openedIds.size > 0) && !this.recordings.has(sessionId);
  }

  happened(sessionId: string, events: readonly EventInput[]): void {
    if (!this.isAwaited(sessionId)) {
      this.of(sessionId).update(...events);
      for (const event of events) {
        const early = event.type === 'subagent_update' ? this.unclaimed.get(event.subagentId) : undefined;
        if (early && event.type === 'subagent_update') {
          this.unclaimed.delete(event.subagentId);
          this.happened(sessionId, asSubagentEvents(event.subagentId, early));
        }
      }
      return;
    }
    const waiting = this.unclaimed.get(sessionId) ?? [];
    this.unclaimed.set(sessionId, waiting);
    waiting.push(...events);
  }

  known(sessionId: unknown): Recording | undefined {
    return typeof sessionId === 'string' ? this.recordings.get(sessionId) : undefined;
  }

  /** Returns the session of this id. Creates it when the log begins in its middle. */
  of(sessionId: string): Recording {
    let session = this.recordings.get(sessionId);
    if (!session) {
      session = new Recording(this.clock);
      this.recordings.set(sessionId, session);
      this.initialEvents(session, { cwd: '', additionalDirectories: [] });
      session.append({ type: 'session_ready', sessionId }, ...(this.unclaimed.get(sessionId) ?? []));
      this.unclaimed.delete(sessionId);
    }
    return (this.current = session);
  }

  /** Ends the log: events whose session was never named get a session of their own. */
  end(): void {
    [...this.unclaimed.keys()].forEach((sessionId) => this.of(sessionId));
  }

  private initialEvents(session: Recording, { cwd, additionalDirectories }: Roots): void {
    session.append(
      {
        type: 'session_opened',
        agentName: this.described.agentName ?? this.agentTitle ?? this.agentName,
        cwd: cwd || (this.described.cwd ?? ''),
        ...(additionalDirectories.length > 0 && { additionalDirectories }),
      },
      ...(this.initialized ? [this.initialized] : []),
    );
  }
}
