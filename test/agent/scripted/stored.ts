/** The sessions that the agent keeps from other times, for `session/list`, `load`, `resume` and `delete`. */
import { RequestError } from '@agentclientprotocol/sdk';
import type { ListSessionsRequest, ListSessionsResponse, LoadSessionResponse, SessionInfo } from '@agentclientprotocol/sdk';
import type { Step } from './steps';

export interface StoredSession extends Partial<Omit<SessionInfo, 'sessionId'>> {
  readonly sessionId: string;
  /** What `session/load` tells again. */
  readonly replay?: Step[];
  /** Run before the answer to `session/resume`. */
  readonly beforeResume?: Step[];
  /** Run right after the answer to either is written. */
  readonly after?: Step[];
  /** Laid over that answer. */
  readonly setup?: Partial<LoadSessionResponse>;
  /** What `session/load` and `session/resume` fail with. */
  readonly error?: { code: number; message: string };
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

  /** The session to be brought back. @throws RequestError */
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

  /** @throws RequestError for one that it does not have, as some agents do */
  delete(sessionId: string): void {
    if (!this.sessions.delete(sessionId)) {
      throw RequestError.resourceNotFound(sessionId);
    }
  }
}
