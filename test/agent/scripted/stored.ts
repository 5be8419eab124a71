/** The agent's earlier sessions, for `session/list`, `load`, `resume` and `delete`. */
import { RequestError } from '@agentclientprotocol/sdk';
import type { ListSessionsRequest, ListSessionsResponse, LoadSessionResponse, SessionInfo } from '@agentclientprotocol/sdk';
import type { Step } from './steps';

export interface StoredSession extends Partial<Omit<SessionInfo, 'sessionId'>> {
  readonly sessionId: string;
  /** The steps that `session/load` replays. */
  readonly replay?: Step[];
  /** Steps that run before the answer to `session/resume`. */
  readonly beforeResume?: Step[];
  /** Steps that run right after the answer to either is written. */
  readonly after?: Step[];
  /** Merged into that answer. */
  readonly setup?: Partial<LoadSessionResponse>;
  /** The error of `session/load`, `session/resume` and `session/status`. */
  readonly error?: { code: number; message: string };
  /** The answer to `session/status`. */
  readonly status?: object;
}

export class Stored {
  private readonly sessions: Map<string, StoredSession>;

  constructor(
    stored: readonly StoredSession[] = [],
    private readonly pageSize = 50,
  ) {
    this.sessions = new Map(stored.map((session) => [session.sessionId, session]));
  }

  list({ cwd, cursor }: ListSessionsRequest): ListSessionsResponse {
    const from = cursor ? Number(/^from (\d+)$/.exec(cursor)?.[1] ?? NaN) : 0;
    if (Number.isNaN(from)) {
      throw RequestError.invalidParams({ cursor }, 'no such cursor');
    }
    const all = [...this.sessions.values()]
      .map(({ sessionId, cwd: folder = process.cwd(), title, updatedAt, additionalDirectories }) => ({
        sessionId,
        cwd: folder,
        title,
        updatedAt,
        additionalDirectories,
      }))
      .filter((session) => !cwd || session.cwd === cwd);
    const next = from + this.pageSize;
    return { sessions: all.slice(from, next), ...(next < all.length && { nextCursor: `from ${next}` }) };
  }

  /**
   * The session to be reopened.
   * @throws RequestError when the agent does not have it
   */
  get(sessionId: string): StoredSession {
    const session = this.sessions.get(sessionId);
    if (!session) {
      throw RequestError.resourceNotFound(sessionId);
    }
    if (session.error) {
      throw new RequestError(session.error.code, session.error.message);
    }
    return session;
  }

  /** @throws RequestError for an unknown session, as some agents do */
  delete(sessionId: string): void {
    if (!this.sessions.delete(sessionId)) {
      throw RequestError.resourceNotFound(sessionId);
    }
  }
}
