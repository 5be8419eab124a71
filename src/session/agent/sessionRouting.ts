/** Finds the session of a message that names none, or a subagent's. */
import type { SessionTarget } from '../../acp/dialect';
import { sessionOfThread } from '../../acp/quirks/codexSubagents';
import type { Log } from '../../core/platform/log';
import { SessionTree } from '../../core/subagents/sessionTree';

/** The routing's view of an open session. */
export interface RoutedSession {
  /** True while a turn runs: a subagent of an unknown parent belongs to the only such session. */
  isTurnRunning?(): boolean;
  /** Reports that the agent's `method` was refused because `sessionId` is unknown; '' when it named none. */
  onRefused?(method: string, sessionId: string): void;
}

/** Refusals that are remembered, so that each is reported once; an agent can invent ids without end. */
const MAX_REFUSALS = 100;

/** Levels of `_meta` that are searched for a parent: agents nest their fields under their own name. */
const META_DEPTH = 2;

export class SessionRouting {
  /** Sessions that were open on this connection. A late message of a closed session must not reach another one. */
  private readonly former = new Set<string>();
  private readonly reported = new Set<string>();
  /** The subagents. Their parents stay the same when other turns run, so that a late message does not reach another conversation. */
  private readonly children = new SessionTree();
  /** The subagents that the agent has not announced. */
  private readonly implied = new Set<string>();

  /** @param peers the open sessions by id @param requests the peers of requests that the agent has not answered */
  constructor(
    private readonly peers: ReadonlyMap<string, RoutedSession>,
    private readonly requests: () => readonly object[],
    private readonly log: Log,
  ) {}

  /** Records that `sessionId` is open from now on. */
  opened(sessionId: string): void {
    this.former.add(sessionId);
  }

  /**
   * Registers a subagent. False when it is its own parent, a session of the user, a subagent with another parent, or one too many. A parent that is
   * not known may be the session that is being opened.
   */
  register(parent: string, child: string): boolean {
    const known = this.children.parentOf(child);
    if (known === undefined) {
      return this.add(child, parent);
    }
    return (
      known === parent || (this.implied.has(child) && this.children.rootOf(child) === this.children.rootOf(parent) && parent !== child)
    );
  }

  /**
   * The session that a message of `method` belongs to. Undefined when that is not certain: the refusal is then reported in the log and in the
   * conversations. Updates are excepted, because they can arrive before the session that they name.
   * @param named the id in the message; '' when there is none
   */
  resolve(named: string, method: string, meta: unknown): SessionTarget | undefined {
    if (this.peers.has(named)) {
      return { sessionId: named };
    }
    const root = this.rootOf(named);
    // The most frequent case by far: an update of a known subagent.
    if (root !== undefined && meta === undefined && this.peers.has(root)) {
      return { sessionId: root, child: named };
    }
    const parent = parentIn(meta, META_DEPTH) ?? root;
    const isSame = parent !== undefined && this.children.rootOf(parent) === root;
    if (root !== undefined && isSame && (this.peers.has(root) || method === 'session/update')) {
      return { sessionId: root, child: named };
    }
    const target = this.isOpening ? undefined : named === '' ? this.only([...this.peers.keys()]) : this.parentOf(named, meta);
    if (target !== undefined) {
      this.once(`${method} ${named}`, () =>
        this.log.info(
          named === ''
            ? `The agent sent ${method} without a session id. Its only session is meant: ${target}`
            : `The agent sent ${method} for ${named}, which counts as a subagent of ${target}`,
        ),
      );
      return { sessionId: target, ...(named !== '' && { child: named }) };
    }
    if (named === '' || method !== 'session/update') {
      this.refuse(named, method);
    }
    return undefined;
  }

  private parentOf(child: string, meta: unknown): string | undefined {
    const named = parentIn(meta, META_DEPTH) ?? sessionOfThread(child);
    const parent = named === undefined ? this.only(this.running()) : this.children.rootOf(named);
    if (parent === undefined || !this.peers.has(parent) || !this.add(child, parent)) {
      return undefined;
    }
    this.implied.add(child);
    return parent;
  }

  /** Returns the user's session that a subagent belongs to. */
  private rootOf(child: string): string | undefined {
    return this.children.parentOf(child) === undefined ? undefined : this.children.rootOf(child);
  }

  private add(child: string, parent: string): boolean {
    return !this.peers.has(child) && !this.former.has(child) && this.children.add(child, parent);
  }

  private only(sessionIds: readonly string[]): string | undefined {
    return sessionIds.length === 1 ? sessionIds[0] : undefined;
  }

  private running(): string[] {
    return [...this.peers].filter(([, peer]) => peer.isTurnRunning?.()).map(([sessionId]) => sessionId);
  }

  /** True while a request for a session has no response: a message with an unknown id can belong to that session. */
  private get isOpening(): boolean {
    const open = new Set<object>(this.peers.values());
    return this.requests().some((peer) => !open.has(peer));
  }

  private refuse(named: string, method: string): void {
    this.once(`refused ${method} ${named}`, () => {
      this.log.warn(`The agent sent ${method} for ${named === '' ? 'no session' : `the unknown session ${named}`}: refused`);
      const running = this.running();
      for (const [sessionId, peer] of this.peers) {
        if (running.length === 0 || running.includes(sessionId)) {
          peer.onRefused?.(method, named);
        }
      }
    });
  }

  private once(key: string, report: () => void): void {
    if (!this.reported.has(key) && this.reported.size < MAX_REFUSALS) {
      this.reported.add(key);
      report();
    }
  }
}

function parentIn(meta: unknown, depth: number): string | undefined {
  if (typeof meta !== 'object' || meta === null) {
    return undefined;
  }
  const { parentSessionId, parent_session_id: snake } = meta as Readonly<Record<string, unknown>>;
  const own = [parentSessionId, snake].find((value) => typeof value === 'string');
  if (own !== undefined || depth <= 1) {
    return own as string | undefined;
  }
  return Object.values(meta)
    .map((value: unknown) => parentIn(value, depth - 1))
    .find((value) => value !== undefined);
}
