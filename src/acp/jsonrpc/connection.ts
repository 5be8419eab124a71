/**
 * JSON-RPC 2.0 over any message transport. Messages are handled synchronously in the order of arrival. Listeners and response callbacks run inside
 * their message's turn, without a promise between two messages, so the message after a response is also reduced after it. An exception in a listener
 * affects only its own message.
 */
import { type Failure, Fault, failureOf } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';
import type { Log } from '../../core/platform/log';
import type { MessageTransport, TransportEnd } from '../../core/model/transport';
import { answeredReason } from '../../core/share/shareMeta';
import { type Fields, isRecord } from '../json/fields';
import { type Respond, errorJson, Incoming } from './incoming';
import { idLiteral } from '../json/source';
import { MessageSorter } from './messages';
import { Outgoing } from './outgoing';
import { type Outcome, type Settled, failed, failureOfEnd, failureOfError, RPC, succeeded } from './rpc';
import { RateLimitedLog } from './rateLimitedLog';
import { readOversizedFrame } from './oversizedFrame';
import type { TraceFields } from './traceContext';
import type { Trace } from '../trace/trace';

/** The listener of a connection. All calls come in wire order. An exception becomes an error response or a line in the log. */
export interface Peer {
  /** The listener answers through `respond`, now or later. `signal` aborts when the agent cancels the request and when the connection ends. */
  onRequest(method: string, params: unknown, respond: Respond, signal: AbortSignal): void;
  onNotification(method: string, params: unknown): void;
  /** True when a request must have an id that is not null. */
  readonly refusesNullId?: boolean;
  /** Called once, after the last frame and after every pending request was settled; not after `dispose`. */
  onEnd(end: TransportEnd, failure: Failure): void;
}

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly log?: Log;
  readonly trace?: Trace;
  /** Redacts a failure that quotes the agent or its launch before it is reported. Default: no change. */
  withoutSecrets?(failure: Failure): Failure;
  /** The id of the first request. Earlier ones belong to a window that the connection has outlived. Default: 1. */
  readonly firstId?: number;
  /** Returns the trace context of the next request, for its `_meta`. Undefined: the request has none. */
  traceContext?(): TraceFields | undefined;
}

export interface RequestOptions {
  /** Absent: no limit. */
  readonly timeoutMs?: number;
}

export class Connection {
  private readonly messages: MessageSorter;
  private readonly outgoing: Outgoing;
  private readonly incoming: Incoming;
  private readonly rateLimitedLog: RateLimitedLog;
  private over: Failure | undefined;
  /** True after the agent's process has ended while its last output is still being read, so that no answers are sent. */
  private isClosing = false;
  /** Handles the messages that wait for {@link hold}, in their order. */
  private held: (() => void)[] | undefined;

  constructor(
    private readonly transport: MessageTransport,
    private readonly peer: Peer,
    private readonly options: ConnectionOptions,
  ) {
    this.rateLimitedLog = new RateLimitedLog(options.log);
    this.outgoing = new Outgoing(options.clock, (requestId) => this.notify('$/cancel_request', { requestId }), options.firstId);
    this.incoming = new Incoming(
      (json) => this.send(json),
      (isPending) => this.outgoing.pause(isPending),
    );
    this.messages = new MessageSorter(
      {
        request: (method, message, text, damaged) => this.requested(method, message, text, damaged),
        notification: (method, params, text) => this.notified(method, params, text),
        response: (message, text) => this.responded(message, text),
        isAwaited: (id) => this.outgoing.find(id) !== undefined,
        refuse: (id, code, message) => this.send(errorJson(id, code, message)),
      },
      this.rateLimitedLog,
      options.trace,
    );
    transport.read({
      message: (text, damaged) => (this.held ? this.held.push(() => this.read(text, damaged)) : this.read(text, damaged)),
      skipped: (bytes, head, tail) => this.handle(() => this.skipped(bytes, head, tail)),
      closing: () => (this.isClosing = true),
      end: (end) => this.handle(() => this.ended(end)),
    });
  }

  /**
   * Sends a request. `settled` is called exactly once: with the response inside its frame's turn, or with `request.timeout`, `agent.exited`,
   * `connection.closed` or the failure given to `dispose`. `cancel` asks the agent to stop and keeps waiting for its answer.
   */
  request(
    method: string,
    params: object,
    options: RequestOptions,
    settled: Settled<unknown>,
  ): { readonly requestId: number; cancel(): void } {
    const failure = this.over;
    if (failure) {
      queueMicrotask(() => settled(failed(failure)));
      return { requestId: 0, cancel: () => undefined };
    }
    const requestId = this.outgoing.add(method, options.timeoutMs, settled);
    this.send(JSON.stringify({ jsonrpc: '2.0', id: requestId, method, params: this.traced(params) }));
    return {
      requestId,
      cancel: () => {
        if (this.outgoing.find(requestId) !== undefined) {
          this.notify('$/cancel_request', { requestId });
        }
      },
    };
  }

  /** Adds the trace context to the params, unless the caller has set one. */
  private traced(params: object & { readonly _meta?: object }): object {
    const fields = this.options.traceContext?.();
    return fields ? { ...params, _meta: { ...fields, ...params._meta } } : params;
  }

  /** Awaits the answer to a request that an earlier window has sent over the same connection to the agent. */
  adopt(requestId: number, method: string, settled: Settled<unknown>): { readonly requestId: number; cancel(): void } {
    this.outgoing.adopt(requestId, method, settled);
    return {
      requestId,
      cancel: () => void (this.outgoing.find(requestId) !== undefined && this.notify('$/cancel_request', { requestId })),
    };
  }

  notify(method: string, params: object): void {
    this.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /**
   * Keeps the messages that arrive from now on until `ready` settles, and then handles them. A listener calls it when code that it needs is not loaded
   * yet.
   */
  hold(ready: Promise<unknown>): void {
    const held: (() => void)[] = (this.held = []);
    const release = (): void => {
      this.held = undefined;
      this.transport.handling?.(false);
      held.forEach((handle) => handle());
    };
    ready.catch((thrown: unknown) => this.report('a message', thrown)).then(release, release);
  }

  /** Ends the connection at once: pending requests get `failure`, the signals of running listeners abort, and the transport is closed. */
  dispose(failure: Failure = { code: 'connection.disposed' }): void {
    if (!this.over) {
      this.close(failure);
    }
    this.transport.close();
  }

  private handle(arrived: () => void): void {
    if (this.held) {
      this.held.push(arrived);
    } else {
      arrived();
    }
  }

  private ended(end: TransportEnd): void {
    if (this.over) {
      return;
    }
    const failure = this.withoutSecrets(failureOfEnd(end, this.options.trace?.trailingStderr()));
    this.close(failure);
    this.guard('onEnd', () => this.peer.onEnd(end, failure));
  }

  private withoutSecrets(failure: Failure): Failure {
    return this.options.withoutSecrets?.(failure) ?? failure;
  }

  private close(failure: Failure): void {
    this.over = failure;
    this.incoming.abortAll();
    this.outgoing.settleAll(failure, (requestId, outcome) => this.settle(requestId, outcome));
  }

  private send(json: string): void {
    if (this.over || this.isClosing) {
      return;
    }
    this.options.trace?.sent(json);
    this.transport.write(json);
  }

  private read(text: string, damaged: boolean): void {
    // One chunk may contain more messages after the one whose listener called `dispose`.
    if (this.over) {
      return;
    }
    const { held } = this;
    this.transport.handling?.(true);
    try {
      this.messages.read(text, damaged);
    } catch (thrown) {
      this.report('a message', thrown);
    }
    // A message that waits for code is handled when the code is there.
    if (this.held === held) {
      this.transport.handling?.(false);
    }
  }

  private requested(method: string, message: Fields, text: string, damaged: boolean): void {
    const literal = idLiteral(message.id, text, ['id']);
    if (literal === undefined) {
      this.rateLimitedLog.warn('A request whose id is no id', text);
      this.send(errorJson('null', RPC.invalidRequest, 'Invalid request: id must be a string, a number or null'));
      return;
    }
    if (literal === 'null' && this.peer.refusesNullId) {
      this.rateLimitedLog.warn('A request whose id is null', text);
      this.send(errorJson('null', RPC.invalidRequest, 'Invalid request: id must be a string or an integer'));
      return;
    }
    if (damaged) {
      // A damaged request could write U+FFFD into the user's files. An id that contains it is not the sender's id.
      this.send(errorJson(literal.includes('\ufffd') ? 'null' : literal, RPC.parseError, 'Parse error: invalid UTF-8'));
      return;
    }
    if (message.jsonrpc !== undefined && message.jsonrpc !== '2.0') {
      this.rateLimitedLog.warn('A request of another JSON-RPC version', text);
      this.send(errorJson(literal, RPC.invalidRequest, 'Invalid request: jsonrpc must be "2.0"'));
      return;
    }
    if (this.incoming.has(literal)) {
      this.rateLimitedLog.warn('A request whose id is still in use', text);
    }
    const { respond, signal } = this.incoming.begin(literal);
    try {
      this.peer.onRequest(method, message.params ?? undefined, respond, signal);
    } catch (thrown) {
      respond.error(thrown instanceof Fault ? thrown : new Fault(failureOf(thrown)));
    }
  }

  private notified(method: string, params: unknown, text: string): void {
    if (method === '$/cancel_request') {
      const literal = isRecord(params) ? idLiteral(params.requestId, text, ['params', 'requestId']) : undefined;
      if (literal === undefined || !this.incoming.cancel(literal, isRecord(params) ? answeredReason(params._meta) : undefined)) {
        this.options.log?.debug('$/cancel_request for nothing that is open');
      }
    } else if (!method.startsWith('$/')) {
      this.guard(method, () => this.peer.onNotification(method, params ?? undefined));
    }
  }

  private responded(message: Fields, text: string): void {
    const requestId = this.outgoing.find(message.id);
    if (requestId === undefined) {
      const late = this.outgoing.takeExpired(message.id);
      this.rateLimitedLog.warn(late ? 'An answer after its time limit' : 'An answer to nothing we asked', text);
      return;
    }
    const error = message.error ?? undefined;
    this.settle(
      requestId,
      error === undefined
        ? succeeded(message.result)
        : failed(this.withoutSecrets(failureOfError(this.outgoing.methodOf(requestId) ?? '', error))),
    );
  }

  /** Handles a message that was too long to read, so that neither side waits for its answer forever. */
  private skipped(bytes: number, head: string, tail: string): void {
    if (this.over) {
      return;
    }
    this.transport.handling?.(true);
    try {
      this.readSkipped(bytes, head, tail);
    } finally {
      this.transport.handling?.(false);
    }
  }

  private readSkipped(bytes: number, head: string, tail: string): void {
    this.options.trace?.skipped(bytes, head);
    this.rateLimitedLog.warn(`A line of ${bytes} bytes is over the limit and was skipped`, head);
    const { idLiteral: literal, kind } = readOversizedFrame(head, tail) ?? {};
    if (literal === undefined) {
      return;
    }
    const requestId = kind === 'call' ? undefined : this.outgoing.find(JSON.parse(literal));
    if (requestId !== undefined) {
      const method = this.outgoing.methodOf(requestId) ?? '';
      this.settle(requestId, failed({ code: 'protocol.bad_answer', params: { method }, detail: `${bytes} bytes` }));
    } else if (kind !== 'response') {
      this.send(errorJson(literal, RPC.invalidRequest, `Invalid request: the message has ${bytes} bytes, more than this client reads`));
    }
  }

  private settle(requestId: number, outcome: Outcome<unknown>): void {
    this.guard('a response', () => this.outgoing.settle(requestId, outcome));
  }

  private guard(what: string, call: () => void): void {
    try {
      call();
    } catch (thrown) {
      this.report(what, thrown);
    }
  }

  private report(what: string, thrown: unknown): void {
    this.options.log?.error(`${what}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
  }
}
