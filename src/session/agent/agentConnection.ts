/**
 * One running agent and the sessions that share it. Routes what the agent says to the session it names; what names a session nobody has
 * claimed yet (an update before the `session/new` response) waits for it.
 */
import type { Client, Dialect, ElicitationAnswer, ElicitationParams } from '../../acp/dialect';
import type { UnstampedEvent } from '../../core/model/event';
import { type Failure, fault } from '../../core/model/failure';
import type { Disposable, Log } from '../../core/model/ports';
import { type RoutedSession, SessionRouting } from './sessionRouting';

/** What one session does for its agent: the dialect's `Client` without the session's id. */
export type SessionPeer = {
  [K in Exclude<keyof Client, 'onUnknown' | 'elicit' | 'onElicitationComplete' | 'resolveSession'>]: Client[K] extends (
    sessionId: string,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
} & RoutedSession & {
    onUnknown(method: string, params: unknown): void;
    elicit(request: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer>;
    /** Told to every session: ids of elicitations are the agent's own. */
    onElicitationComplete(elicitationId: string): void;
  };

/** Whoever waits for a request of ours, as far as the agent can ask something back because of it. */
export type RequestPeer = Pick<SessionPeer, 'elicit' | 'onElicitationComplete'> & Partial<Pick<SessionPeer, 'onUnknown'>>;

interface OwnRequest {
  readonly peer: RequestPeer;
  /** Aborts when the request has its answer: what was asked because of it is of no more use. */
  readonly over: AbortController;
}

/** A session's view of the agent's life. */
export interface ConnectionListener {
  /** Something to show while it starts. */
  onProgress(command: string, line?: string): void;
  onReady(dialect: Dialect): void;
  /** Once; the agent is gone or never came. */
  onEnd(failure: Failure): void;
}

/** Starts the process and the handshake; `close` ends both. */
export type Connect = (events: {
  client: Client;
  onProgress(command: string, line?: string): void;
  onReady(dialect: Dialect): void;
  onEnd(failure: Failure): void;
}) => Disposable;

/** Updates kept at least for a session that nobody has claimed; beyond twice that the oldest go to the log. */
const MAX_UNCLAIMED = 2000;
/** Sessions that nobody has claimed; beyond it the oldest go to the log. */
const MAX_UNCLAIMED_SESSIONS = 100;
/** UTF-16 units of them in the log. */
const MAX_LOGGED = 2000;

export class AgentConnection {
  /** Methods that this process was told of, with success. */
  readonly authenticatedBy = new Set<string>();
  private readonly listeners = new Set<ConnectionListener>();
  private readonly peers = new Map<string, SessionPeer>();
  /** By the id of the request that runs. */
  private readonly requests = new Map<number, OwnRequest>();
  private readonly routing: SessionRouting;
  private readonly unclaimed = new Map<string, UnstampedEvent[]>();
  /** Absent only while the constructor runs. */
  private readonly process: Disposable | undefined;
  private progress: { command: string; line?: string } | undefined;
  private dialect: Dialect | undefined;
  private ended: Failure | undefined;

  constructor(
    /** In settings. */
    readonly agentName: string,
    connect: Connect,
    private readonly log: Log,
    /** Called when the last session left or the agent ended: the connection is of no more use. */
    private readonly onUnused: () => void,
  ) {
    this.routing = new SessionRouting(this.peers, () => [...this.requests.values()].map(({ peer }) => peer), log);
    this.process = connect({
      client: this.router(),
      onProgress: (command, line) => {
        this.progress = { command, ...(line !== undefined && { line }) };
        this.each((listener) => listener.onProgress(command, line));
      },
      onReady: (dialect) => {
        this.dialect = dialect;
        this.each((listener) => listener.onReady(dialect));
      },
      onEnd: (failure) => this.end(failure),
    });
  }

  /** Tells `listener` what has been and what comes; when the last one leaves, the agent is stopped. */
  join(listener: ConnectionListener): Disposable {
    this.listeners.add(listener);
    if (this.progress) {
      listener.onProgress(this.progress.command, this.progress.line);
    }
    if (this.dialect) {
      listener.onReady(this.dialect);
    }
    if (this.ended) {
      listener.onEnd(this.ended);
    }
    return {
      dispose: () => {
        if (this.listeners.delete(listener) && this.listeners.size === 0) {
          this.ended ??= { code: 'connection.disposed' };
          this.warnOfUnclaimed();
          this.process?.dispose();
          this.onUnused();
        }
      },
    };
  }

  /** What came for a session that nobody had is of no use any more: it is told again, or was told to somebody who left. */
  discard(sessionId: string): void {
    const waiting = this.unclaimed.get(sessionId);
    if (waiting) {
      this.unclaimed.delete(sessionId);
      this.log.info(
        `${waiting.length} updates for session ${sessionId} came before it was asked for: ${JSON.stringify(waiting).slice(0, MAX_LOGGED)}`,
      );
    }
  }

  /** True while some conversation is of this session. */
  isClaimed(sessionId: string): boolean {
    return this.peers.has(sessionId);
  }

  /** From here on `peer` answers for this session; what came before is handed over at once. */
  claim(sessionId: string, peer: SessionPeer): Disposable {
    this.peers.set(sessionId, peer);
    this.routing.opened(sessionId);
    const waiting = this.unclaimed.get(sessionId);
    this.unclaimed.delete(sessionId);
    if (waiting) {
      peer.onUpdate(waiting);
    }
    return {
      dispose: () => {
        if (this.peers.get(sessionId) === peer) {
          this.peers.delete(sessionId);
        }
      },
    };
  }

  /** Until disposed, `peer` is asked what the agent elicits because of this request of ours; what is then still open is withdrawn. */
  own(requestId: number, peer: RequestPeer): Disposable {
    const own: OwnRequest = { peer, over: new AbortController() };
    this.requests.set(requestId, own);
    return {
      dispose: () => {
        if (this.requests.get(requestId) === own) {
          this.requests.delete(requestId);
        }
        own.over.abort();
      },
    };
  }

  private end(failure: Failure): void {
    if (this.ended) {
      return;
    }
    this.ended = failure;
    this.each((listener) => listener.onEnd(failure));
    this.warnOfUnclaimed();
    this.process?.dispose();
    this.onUnused();
  }

  private warnOfUnclaimed(): void {
    this.unclaimed.forEach((events, sessionId) => this.warnOf(sessionId, events));
    this.unclaimed.clear();
  }

  private warnOf(sessionId: string, events: readonly UnstampedEvent[]): void {
    this.log.warn(`${events.length} updates for session ${sessionId} were never claimed: ${JSON.stringify(events).slice(0, MAX_LOGGED)}`);
  }

  private each(tell: (listener: ConnectionListener) => void): void {
    for (const listener of [...this.listeners]) {
      tell(listener);
    }
  }

  private router(): Client {
    const peer = (sessionId: string): SessionPeer => {
      const found = this.peers.get(sessionId);
      if (!found) {
        // "A given resource, such as a session or file, was not found" (schema, ErrorCode).
        throw fault('params.invalid', { field: 'sessionId' }, { rpcCode: -32002, message: `Unknown session: ${sessionId}` });
      }
      return found;
    };
    return {
      resolveSession: (named, method, meta) => this.routing.resolve(named, method, meta),
      onUpdate: (sessionId, events) => {
        const claimed = this.peers.get(sessionId);
        if (claimed) {
          claimed.onUpdate(events);
        } else {
          this.keep(sessionId, events);
        }
      },
      onUnknown: (method, params, sessionId) => {
        const claimed = sessionId === undefined ? this.requests.get(requestIdIn(params))?.peer : this.peers.get(sessionId);
        if (claimed?.onUnknown) {
          claimed.onUnknown(method, params);
        } else {
          this.log.info(`The agent sent ${method}, which no session claims: ${(JSON.stringify(params) ?? '').slice(0, MAX_LOGGED)}`);
        }
      },
      requestPermission: async (sessionId, request, signal) => peer(sessionId).requestPermission(request, signal),
      elicit: async (scope, request, signal) => {
        if ('sessionId' in scope) {
          return peer(scope.sessionId).elicit(request, signal);
        }
        const own = this.requests.get(scope.requestId);
        if (!own) {
          throw fault('params.invalid', { field: 'requestId' }, { rpcCode: -32602, message: `Not an open request: ${scope.requestId}` });
        }
        return own.peer.elicit(request, AbortSignal.any([signal, own.over.signal]));
      },
      onElicitationComplete: (elicitationId) => {
        const owners = [...this.requests.values()].map(({ peer: owner }) => owner);
        new Set<RequestPeer>([...this.peers.values(), ...owners]).forEach((each) => each.onElicitationComplete(elicitationId));
      },
      readTextFile: async (sessionId, params, signal) => peer(sessionId).readTextFile(params, signal),
      writeTextFile: async (sessionId, params, signal) => peer(sessionId).writeTextFile(params, signal),
      createTerminal: async (sessionId, params, signal) => peer(sessionId).createTerminal(params, signal),
      terminalOutput: (sessionId, terminalId) => peer(sessionId).terminalOutput(terminalId),
      waitForTerminalExit: async (sessionId, terminalId, signal) => peer(sessionId).waitForTerminalExit(terminalId, signal),
      killTerminal: async (sessionId, terminalId) => peer(sessionId).killTerminal(terminalId),
      releaseTerminal: async (sessionId, terminalId) => peer(sessionId).releaseTerminal(terminalId),
    };
  }

  private keep(sessionId: string, events: readonly UnstampedEvent[]): void {
    const waiting = this.unclaimed.get(sessionId) ?? [];
    this.unclaimed.set(sessionId, waiting);
    waiting.push(...events);
    if (waiting.length >= 2 * MAX_UNCLAIMED) {
      this.warnOf(sessionId, waiting.splice(0, MAX_UNCLAIMED));
    }
    const [oldest] = this.unclaimed;
    if (this.unclaimed.size > MAX_UNCLAIMED_SESSIONS && oldest) {
      this.unclaimed.delete(oldest[0]);
      this.warnOf(...oldest);
    }
  }
}

/** The id of a request of ours that a message names; one that no request has when it names none. */
function requestIdIn(params: unknown): number {
  const requestId = typeof params === 'object' && params !== null ? (params as { requestId?: unknown }).requestId : undefined;
  return typeof requestId === 'number' ? requestId : NaN;
}
