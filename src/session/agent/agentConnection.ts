/**
 * One running agent and the sessions that share it. Routes each message of the agent to the session it names. Updates for a session that no peer
 * has claimed yet (sent before the `session/new` response) are buffered.
 */
import type { Client, Dialect, ElicitationAnswer, ElicitationParams } from '../../acp/dialect';
import type { AgentAccount } from '../../core/account/account';
import type { McpServer } from '../../core/mcp/mcpServer';
import type { EventInput } from '../../core/model/event';
import { asSubagentEvents } from '../../core/subagents/innerEvents';
import { type Failure, fault } from '../../core/model/failure';
import type { KeptAgent } from '../../core/keeper/keptAgent';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import { type RoutedSession, SessionRouting } from './sessionRouting';

/** A session's handlers for the agent's messages: the dialect's `Client` without the session id. */
export type SessionPeer = {
  [K in Exclude<
    keyof Client,
    'onUnknown' | 'onAccount' | 'elicit' | 'onElicitationComplete' | 'resolveSession' | 'registerSubagent' | 'runsTerminal'
  >]: Client[K] extends (sessionId: string, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;
} & RoutedSession & {
    onUnknown(method: string, params: unknown): void;
    onAccount?(account: AgentAccount): void;
    elicit(request: ElicitationParams, signal: AbortSignal): Promise<ElicitationAnswer>;
    /** Called on every session: the agent's elicitation ids are not bound to a session. */
    onElicitationComplete(elicitationId: string): void;
    /** The last frame of a kept agent that an earlier window has stored for this session. Its updates are not repeated. */
    readonly storedFrame?: number | undefined;
  };

/** Handles the messages that the agent sends because of one request by the client. */
export type RequestPeer = Pick<SessionPeer, 'elicit' | 'onElicitationComplete'> & Partial<Pick<SessionPeer, 'onUnknown' | 'storedFrame'>>;

interface OwnRequest {
  readonly peer: RequestPeer;
  /** Aborts when the request is answered: a question that the agent asked because of it is then withdrawn. */
  readonly over: AbortController;
}

/** A session's view of the agent's life. */
export interface ConnectionListener {
  /** Reports the command line that is starting, and a line of its output or its address. The command line is empty when there is no process. */
  onProgress(command: string, line?: string): void;
  onReady(dialect: Dialect): void;
  /** Called once, when the agent has ended or could not be started. */
  onEnd(failure: Failure): void;
}

/** An agent that was started. */
export interface ConnectedAgent extends Disposable {
  /** Redacts the secrets of these servers from now on, wherever texts of the agent are shown or saved. */
  redactSecretsOf?(servers: readonly McpServer[]): void;
}

/** Starts the process and the handshake. The result ends both. */
export type Connect = (events: {
  client: Client;
  onProgress(command: string, line?: string): void;
  onReady(dialect: Dialect): void;
  onEnd(failure: Failure): void;
  /** Called when the agent's process runs, also when another one replaces it. Not called for an agent that isn't a process. */
  onProcess?(pid: number): void;
  /** A line of stderr that may be about an MCP server. */
  onServerLine?(line: string): void;
  /** Called when the agent's process belongs to a keeper, so that it can outlive the window. */
  onKept?(kept: KeptAgent): void;
}) => ConnectedAgent;

/** Updates that are buffered at least for an unclaimed session. At twice this number the oldest are moved to the log. */
const MAX_UNCLAIMED = 2000;
/** Unclaimed sessions with buffered updates. Above this number the updates of the oldest are moved to the log. */
const MAX_UNCLAIMED_SESSIONS = 100;
/** UTF-16 units of buffered updates that one log entry holds. */
const MAX_LOGGED = 2000;

export class AgentConnection {
  /** Methods by which `authenticate` has succeeded in this process. */
  readonly authenticatedBy = new Set<string>();
  /** The sessions and lists that use the agent. */
  readonly listeners = new Set<ConnectionListener>();
  private readonly serverLines = new Set<(line: string) => void>();
  private readonly peers = new Map<string, SessionPeer>();
  /** The requests without a response, by id. */
  private readonly requests = new Map<number, OwnRequest>();
  private readonly routing: SessionRouting;
  private readonly unclaimed = new Map<string, EventInput[]>();
  /** Absent only while the constructor runs. */
  private readonly process: ConnectedAgent | undefined;
  private progress: { command: string; line?: string } | undefined;
  private dialect: Dialect | undefined;
  private account: AgentAccount | undefined;
  /** The reason why the agent has ended; undefined while it starts or runs. */
  failure: Failure | undefined;
  /** The process; undefined until it runs, and for an agent that isn't a process. */
  pid: number | undefined;
  /** Set for an agent whose process belongs to a keeper. */
  kept: KeptAgent | undefined;

  constructor(
    /** The agent's name in the settings. */
    readonly agentId: string,
    connect: Connect,
    private readonly log: Log,
    /** Called when the last session has left or the agent has ended: no session can use the connection afterwards. */
    private readonly onUnused: () => void,
    /** Called when the process runs, and when a session has joined or left. */
    private readonly onChange?: () => void,
    onKept?: (connection: AgentConnection, kept: KeptAgent) => void,
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
      onProcess: (pid) => {
        this.pid = pid;
        this.onChange?.();
      },
      onServerLine: (line) => this.serverLines.forEach((listener) => listener(line)),
      onKept: (kept) => {
        this.kept = kept;
        onKept?.(this, kept);
        this.onChange?.();
      },
    });
  }

  /** True once the agent has answered `initialize`. */
  get isReady(): boolean {
    return this.dialect !== undefined;
  }

  /** Calls `listener` with each line of stderr that may be about an MCP server. */
  onServerLine(listener: (line: string) => void): Disposable {
    this.serverLines.add(listener);
    return { dispose: () => void this.serverLines.delete(listener) };
  }

  /** Adds a listener and reports the current state to it. The agent is stopped when the last listener leaves. */
  join(listener: ConnectionListener): Disposable {
    this.listeners.add(listener);
    this.onChange?.();
    if (this.progress) {
      listener.onProgress(this.progress.command, this.progress.line);
    }
    if (this.dialect) {
      listener.onReady(this.dialect);
    }
    if (this.failure) {
      listener.onEnd(this.failure);
    }
    return {
      dispose: () => {
        if (!this.listeners.delete(listener)) {
          return;
        }
        if (this.listeners.size === 0) {
          this.failure ??= { code: 'connection.disposed' };
          this.warnOfUnclaimed();
          this.process?.dispose();
          this.onUnused();
        } else {
          this.onChange?.();
        }
      },
    };
  }

  /** Drops updates buffered for an unclaimed session. The agent replays them, or meant them for a session that has since detached. */
  discard(sessionId: string): void {
    const waiting = this.unclaimed.get(sessionId);
    if (waiting) {
      this.unclaimed.delete(sessionId);
      this.log.info(
        `${waiting.length} updates for session ${sessionId} came before it was asked for: ${JSON.stringify(waiting).slice(0, MAX_LOGGED)}`,
      );
    }
  }

  /** Redacts the secrets of servers that the agent is about to get. */
  redactSecretsOf(servers: readonly McpServer[]): void {
    if (servers.length > 0) {
      this.process?.redactSecretsOf?.(servers);
    }
  }

  /** True while a conversation has claimed this session. */
  isClaimed(sessionId: string): boolean {
    return this.peers.has(sessionId);
  }

  /** Routes the messages for this session to `peer` from now on, and the buffered updates immediately. */
  claim(sessionId: string, peer: SessionPeer): Disposable {
    this.peers.set(sessionId, peer);
    this.routing.opened(sessionId);
    const waiting = this.unclaimed.get(sessionId);
    this.unclaimed.delete(sessionId);
    if (waiting) {
      peer.onUpdate(waiting);
    }
    if (this.account) {
      peer.onAccount?.(this.account);
    }
    return {
      dispose: () => {
        if (this.peers.get(sessionId) === peer) {
          this.peers.delete(sessionId);
        }
      },
    };
  }

  /** Until disposed, `peer` answers the elicitations that the agent sends because of this request. Disposing withdraws those without an answer. */
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

  /** Registers the subagents of a session that an earlier window had. */
  adoptSubagents(sessionId: string, subagents: readonly { readonly subagentId: string; readonly parentId?: string | undefined }[]): void {
    subagents.forEach(({ subagentId, parentId }) => this.routing.register(parentId ?? sessionId, subagentId));
  }

  /** Ends the process for all of its sessions, which get `failure` as the reason. */
  end(failure: Failure): void {
    if (this.failure) {
      return;
    }
    this.failure = failure;
    this.each((listener) => listener.onEnd(failure));
    this.warnOfUnclaimed();
    this.process?.dispose();
    this.onUnused();
  }

  private warnOfUnclaimed(): void {
    this.unclaimed.forEach((events, sessionId) => this.warnOf(sessionId, events));
    this.unclaimed.clear();
  }

  private warnOf(sessionId: string, events: readonly EventInput[]): void {
    this.log.warn(`${events.length} updates for session ${sessionId} were never claimed: ${JSON.stringify(events).slice(0, MAX_LOGGED)}`);
  }

  private each(notify: (listener: ConnectionListener) => void): void {
    for (const listener of [...this.listeners]) {
      notify(listener);
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
      registerSubagent: (parent, child) => this.routing.register(parent, child),
      onUpdate: (sessionId, events) => {
        this.deliver(sessionId, events);
        // Updates of a subagent may come before its announcement.
        for (const event of events) {
          const early = event.type === 'subagent_update' ? this.unclaimed.get(event.subagentId) : undefined;
          if (early && event.type === 'subagent_update') {
            this.unclaimed.delete(event.subagentId);
            this.deliver(sessionId, asSubagentEvents(event.subagentId, early));
          }
        }
      },
      onTurnStarted: (sessionId) => this.peers.get(sessionId)?.onTurnStarted(),
      // A session that has left the agent doesn't wait for the end of its turn.
      onTurnEnded: (sessionId, end) => this.peers.get(sessionId)?.onTurnEnded(end),
      onUnknown: (method, params, sessionId) => {
        const claimed = sessionId === undefined ? this.requests.get(requestIdIn(params))?.peer : this.peers.get(sessionId);
        if (claimed && this.isStored(claimed)) {
          return;
        }
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
      onAccount: (account) => this.onAccount(account),
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

  /** Reports the account to the sessions of the process. A session that claims its id later gets it then. */
  private onAccount(account: AgentAccount): void {
    this.account = account;
    this.peers.forEach((peer) => peer.onAccount?.(account));
  }

  private deliver(sessionId: string, events: readonly EventInput[]): void {
    const claimed = this.peers.get(sessionId);
    if (claimed) {
      void (this.isStored(claimed) || claimed.onUpdate(events));
    } else {
      this.keep(sessionId, events);
    }
  }

  /** True while a request is handled again whose question the conversation has from an earlier window. */
  isRepeated(peer: Pick<SessionPeer, 'storedFrame'>): boolean {
    return peer.storedFrame !== undefined && (this.kept?.position.isRepeated === true || this.isStored(peer));
  }

  /** True while a frame is handled again that an earlier window has stored for this session. */
  private isStored({ storedFrame }: Pick<SessionPeer, 'storedFrame'>): boolean {
    const frame = storedFrame === undefined ? undefined : this.kept?.position.handling;
    return frame !== undefined && frame <= (storedFrame ?? 0);
  }

  private keep(sessionId: string, events: readonly EventInput[]): void {
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

/** The id of the client's request that a message names; NaN when it names none. */
function requestIdIn(params: unknown): number {
  const requestId = typeof params === 'object' && params !== null ? (params as { requestId?: unknown }).requestId : undefined;
  return typeof requestId === 'number' ? requestId : NaN;
}
