/** The sessions of a log by their ids, and what every one of them begins with. */
import type { UnstampedEvent } from '../../core/model/event';
import type { SessionTarget } from '../dialect';
import type { Fields } from '../json/fields';
import { isRecord, textOf } from '../json/fields';
import { Recording } from './recording';
import { decodeAgent, decodeAuthMethods, decodeOffers, decodePromptCapabilities } from '../v1/handshake';
import { initializeExtrasOf } from '../v1/initializeExtras';

export class ReplaySessions {
  /** The session that something happened to last. */
  current: Recording | undefined;
  private readonly recordings = new Map<string, Recording>();
  /** The ids of sessions whose start the log has. */
  private readonly openedIds = new Set<string>();
  /** The session that is being asked for, until its id is known; a refused one waits for the next try. */
  private opening: Recording | undefined;
  /** What was said of sessions that were not named yet. */
  private readonly unclaimed = new Map<string, UnstampedEvent[]>();
  private initialized: UnstampedEvent | undefined;
  private described: { readonly agentName?: string; readonly cwd?: string } = {};
  private agentTitle: string | undefined;

  /** @param agentName when the log does not say */
  constructor(
    private readonly clock: { readonly now: number },
    private readonly agentName: string,
  ) {}

  /** In the order they came up. */
  get all(): readonly Recording[] {
    return [...new Set([...this.recordings.values(), ...(this.opening ? [this.opening] : [])])];
  }

  /** What the log says of itself. */
  describe(described: { readonly agentName?: string; readonly cwd?: string }): void {
    this.described = described;
  }

  /** The answer to `initialize`. */
  describeAgent(result: Fields): void {
    const agent = decodeAgent(result.agentInfo);
    const capabilities = isRecord(result.agentCapabilities) ? result.agentCapabilities : {};
    const version = Number(result.protocolVersion ?? 1);
    this.agentTitle = agent?.title ?? agent?.name;
    this.initialized = {
      type: 'agent_initialized',
      protocolVersion: Number.isFinite(version) ? version : 1,
      promptCapabilities: decodePromptCapabilities(capabilities.promptCapabilities),
      authMethods: decodeAuthMethods(result.authMethods),
      offers: decodeOffers(capabilities),
      ...(agent && { agent }),
      ...initializeExtrasOf(result),
    };
  }

  /** `session/new`. */
  begin(params: Fields): Recording {
    this.opening ??= new Recording(this.clock);
    this.initialEvents(this.opening, params);
    return (this.current = this.opening);
  }

  /** For what happens before a session was asked for. */
  get begun(): Recording {
    return (this.opening ??= new Recording(this.clock));
  }

  /** `session/load` and `session/resume`. When the agent tells the whole conversation, what the log has of it before would be there twice. */
  comeBack(sessionId: string, params: Fields, isTold: boolean): { session: Recording; before?: Recording | undefined } {
    const before = this.recordings.get(sessionId);
    const session = before && !isTold ? before : new Recording(this.clock);
    this.recordings.set(sessionId, session);
    this.initialEvents(session, params);
    this.current = session;
    return { session, ...(before !== session && { before }) };
  }

  /** The agent could not bring it back. */
  goBack(session: Recording, before: Recording): Recording {
    for (const [sessionId, recording] of this.recordings) {
      if (recording === session) {
        this.recordings.set(sessionId, before);
      }
    }
    return (this.current = before);
  }

  /** The agent has it. @param session as it was asked for; undefined when the log does not have the question */
  opened(session: Recording | undefined, sessionId: string, events: readonly UnstampedEvent[]): void {
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
   * Finds the session of a message without a session id, or of a sub-session, as a live connection does. Undefined when the log does not have the
   * start of the session, or when the session is not certain.
   */
  targetOf(named: string): SessionTarget | undefined {
    if (this.opening !== undefined || this.openedIds.has(named)) {
      return undefined;
    }
    const ids = [...this.openedIds];
    const possible = named === '' ? ids : ids.filter((id) => this.recordings.get(id)?.state.turn);
    return possible.length === 1 ? { sessionId: possible[0]!, ...(named !== '' && { child: named }) } : undefined;
  }

  /** Perhaps the one that was asked for and has no id yet. */
  isAwaited(sessionId: string): boolean {
    return this.opening !== undefined && !this.recordings.has(sessionId);
  }

  happened(sessionId: string, events: readonly UnstampedEvent[]): void {
    if (!this.isAwaited(sessionId)) {
      this.of(sessionId).update(...events);
      return;
    }
    const waiting = this.unclaimed.get(sessionId) ?? [];
    this.unclaimed.set(sessionId, waiting);
    waiting.push(...events);
  }

  known(sessionId: string | undefined): Recording | undefined {
    return sessionId === undefined ? undefined : this.recordings.get(sessionId);
  }

  /** The session of this id; one that the log begins in the middle of begins here. */
  of(sessionId: string): Recording {
    let session = this.recordings.get(sessionId);
    if (!session) {
      session = new Recording(this.clock);
      this.recordings.set(sessionId, session);
      this.initialEvents(session, {});
      session.append({ type: 'session_ready', sessionId });
    }
    return (this.current = session);
  }

  /** No more comes: what was never named has a session of its own. */
  end(): void {
    for (const [sessionId, events] of this.unclaimed) {
      this.of(sessionId).append(...events);
    }
    this.unclaimed.clear();
  }

  private initialEvents(session: Recording, params: Fields): void {
    const further = Array.isArray(params.additionalDirectories)
      ? params.additionalDirectories.filter((path) => typeof path === 'string')
      : [];
    session.append(
      {
        type: 'session_opened',
        agentName: this.described.agentName ?? this.agentTitle ?? this.agentName,
        cwd: textOf(params.cwd) ?? this.described.cwd ?? '',
        ...(further.length > 0 && { additionalDirectories: further }),
      },
      ...(this.initialized ? [this.initialized] : []),
    );
  }
}
