/**
 * Replays the frames of a log, both ways, through a connection and the interpreter of its protocol version. The agent's messages are delivered. The
 * client's requests are repeated, so that the connection waits for their answers. Facts that only the client knew (a prompt's text, the user's answers)
 * are read from its frames, if the log contains them.
 */
import type { Failure } from '../../core/model/failure';
import { withCause } from '../../text/messages/recognizeCause';
import type { ClientCall, ClientFrames, LoggedVersion, LoggedVersions } from '../clientFrames';
import { connect } from '../connect';
import type { Dialect, NewSession, Ongoing } from '../dialect';
import { type Fields, isRecord } from '../json/fields';
import { idLiteral as literalOf } from '../json/source';
import type { Outcome, Settled } from '../jsonrpc/rpc';
import { recordSteering, refusedOption } from './answers';
import { type LoggedPrompt, ReplayClient } from './client';
import type { Direction } from './logLines';
import { LogTransport } from './logTransport';
import { OpenRequests } from './openRequests';
import type { Recording } from './recording';
import type { ReplaySessions } from './sessions';

/** Time passes only in the log, so no request times out. */
const CLOCK = { now: () => 0, after: () => ({ dispose: () => undefined }) };
/** No part of the client's description is shown. */
const NOBODY = { name: '', version: '' };
/** Decodes an answer for its description alone. */
const INERT = { request: () => ({ requestId: 0, cancel: () => undefined }), notify: () => undefined } as never;

export class ReplayConnection {
  private readonly requests = new OpenRequests();
  private readonly client: ReplayClient;
  /** Ids of new sessions of this connection. */
  private readonly taken = new Set<string>();
  private transport!: LogTransport;
  /** The id of the connection's `initialize`. */
  private initializeId = 0;
  /** True until `initialize` is answered. */
  private isInitializing = false;
  private dialect: Dialect | undefined;
  private version: LoggedVersion;
  /** The version that the client proposed first. It proposes older ones after a refusal. */
  private proposed: number | undefined;
  /** The last refusal, which is shown unless an older version is proposed next. */
  private refusal: Failure | undefined;
  private connections = 0;
  private delivered = 0;

  constructor(
    private readonly sessions: ReplaySessions,
    private readonly versions: LoggedVersions,
  ) {
    // A log without the answer to `initialize` is read as the oldest version.
    this.version = versions.at(-1)!;
    this.client = new ReplayClient(sessions, this.requests, () => this.frames);
    this.connect();
  }

  /** True when this side waits for the response with that id. */
  requested(side: Direction, idLiteral: string): boolean {
    return this.requests.has(side, idLiteral);
  }

  /** Handles a request (with an id) or a notification. */
  called(direction: Direction, method: string, params: unknown, idLiteral: string | undefined): void {
    if (direction === 'c2a') {
      const fields = isRecord(params) ? params : {};
      const answer = this.frames.answer?.(method, fields);
      if (answer) {
        this.requests.takeTheirs(answer.key)?.answer?.(answer.result, undefined);
        return;
      }
      const call = this.frames.call(method, fields);
      if (call?.type === 'initialize') {
        this.proposes(Number(fields.protocolVersion));
      }
      const request = this.repeat(call, method);
      if (idLiteral !== undefined) {
        this.requests.addOurs(idLiteral, { ...request, session: request.session ?? this.sessions.known(fields.sessionId) });
      }
    } else if (method === '$/cancel_request') {
      const cancelled = isRecord(params)
        ? this.requests.theirRequest(literalOf(params.requestId, JSON.stringify(params), ['requestId']) ?? '')
        : undefined;
      this.transport.feed({ method, params: { requestId: cancelled?.requestId } });
    } else {
      const key = idLiteral ?? this.frames.question?.(method, params);
      const request = key === undefined ? undefined : { requestId: `a${++this.delivered}` };
      // A question whose id is in use is not asked.
      if (request && (idLiteral !== undefined || !this.requests.has('a2c', key!))) {
        this.requests.addTheirs(key!, request);
      }
      this.client.request = request;
      this.transport.feed({ ...(idLiteral !== undefined && { id: request!.requestId }), method, params });
      this.client.request = undefined;
    }
  }

  answered(direction: Direction, { result, error = undefined }: Fields, idLiteral: string): void {
    const asker = direction === 'a2c' ? 'c2a' : 'a2c';
    const literal = this.requested(asker, idLiteral) ? idLiteral : idLiteral.replace(/^"(-?\d+)"$/, '$1');
    if (direction === 'c2a') {
      this.requests.takeTheirs(literal)?.answer?.(isRecord(result) ? result : {}, error ?? undefined);
      return;
    }
    const found = this.requests.takeOurs(literal);
    if (!found && this.requests.isOurs(literal)) {
      return; // A second response. A response without a request is interpreted only if its request may precede the log.
    }
    this.requests.withdrawBecauseOf(literal);
    const id = found ? found.requestId : this.guessed(result);
    if (id === undefined) {
      return;
    }
    if (id === this.initializeId) {
      this.initialized(result, error ?? undefined);
    } else {
      this.transport.feed(error === undefined || error === null ? { id, result } : { id, error });
    }
  }

  private get frames(): ClientFrames {
    return this.version.clientFrames;
  }

  /** Repeats the request whose answer this is, when the log does not contain it. Returns its id. */
  private guessed(result: unknown): number | undefined {
    const { current } = this.sessions;
    switch (isRecord(result) ? this.frames.answeredCall(result) : undefined) {
      case 'initialize':
        if (!this.isInitializing) {
          this.connect();
        }
        return this.initializeId;
      case 'new':
        return this.newSession(undefined, { cwd: '', additionalDirectories: [], mcpServers: [] }).requestId;
      case 'prompt':
        return this.prompt(current?.state.sessionId ?? '', []).requestId;
      default:
        return undefined;
    }
  }

  /** Sends a request of the client again. */
  private repeat(call: ClientCall | undefined, method: string): { readonly session?: Recording; readonly requestId?: number } {
    switch (call?.type) {
      case 'initialize':
        this.connect();
        return { requestId: this.initializeId };
      case 'authenticate':
        return this.agent.authenticate(call.methodId, this.unlessRefused(undefined, method));
      case 'new': {
        const session = this.sessions.begin(call.setup);
        return this.newSession(session, call.setup);
      }
      case 'load':
      case 'resume': {
        const { session, before } = this.sessions.comeBack(call.sessionId, call.setup, call.type === 'load');
        const settled: Settled<NewSession> = (outcome) =>
          outcome.ok
            ? this.sessions.opened(session, outcome.value.sessionId, outcome.value.events)
            : (before ? this.sessions.goBack(session, before) : session).notice(method, 'error', outcome.failure);
        const open = call.type === 'load' ? this.agent.loadSession : this.agent.resumeSession;
        return { session, ...open?.(call.sessionId, call.setup, settled) };
      }
      case 'prompt': {
        const session = this.sessions.of(call.sessionId);
        const prompt = { session, turnId: session.startTurn(call.content), isTaken: false };
        this.client.promptSent(call.sessionId, prompt);
        return { session, ...this.prompt(call.sessionId, call.content, prompt) };
      }
      case 'steer': {
        const session = this.sessions.known(call.sessionId);
        return {
          ...this.agent.steer?.(call.sessionId, call.content, (outcome) => {
            if (session) {
              recordSteering(session, call.content, outcome.ok ? outcome.value : outcome.failure);
            }
          }),
        };
      }
      case 'config': {
        const session = this.sessions.known(call.sessionId);
        this.agent.setConfig(call.sessionId, call.configId, call.value, (outcome) => {
          if (outcome.ok) {
            session?.append(...outcome.value);
          } else {
            session?.notice('', 'error', refusedOption(call, session.state, outcome.failure));
          }
        });
        return { requestId: this.transport.lastRequestId };
      }
      case 'cancel':
        this.agent.cancel(call.sessionId);
        this.sessions.known(call.sessionId)?.cancel();
        return {};
      case undefined:
        return {};
    }
  }

  private newSession(session: Recording | undefined, setup: Parameters<Dialect['newSession']>[0]) {
    const { requestId } = this.agent.newSession(setup, (outcome) => {
      if (!outcome.ok || this.taken.has(outcome.value.sessionId)) {
        const failure: Failure = outcome.ok ? { code: 'protocol.bad_answer', params: { method: 'session/new' } } : outcome.failure;
        (session ?? this.sessions.begun).notice('session/new', 'error', failure);
        return;
      }
      this.taken.add(outcome.value.sessionId);
      this.sessions.opened(session, outcome.value.sessionId, outcome.value.events);
    });
    return { requestId, ...(session && { session }) };
  }

  private prompt(sessionId: string, content: Parameters<Dialect['prompt']>[1], prompt?: LoggedPrompt): Ongoing {
    const settled: Settled<void> = (outcome) => {
      if (!outcome.ok) {
        this.client.promptRefused(sessionId, prompt, outcome.failure);
      } else if (prompt) {
        prompt.isTaken = true;
      }
    };
    return this.agent.prompt(sessionId, content, settled, prompt?.turnId);
  }

  private unlessRefused(session: Recording | undefined, method: string): Settled<unknown> {
    return (outcome) => {
      if (!outcome.ok) {
        (session ?? this.sessions.begun).notice(method, 'error', outcome.failure);
      }
    };
  }

  /** The agent's methods. A log that does not begin with `initialize` is one of an agent that offers all of them. */
  private get agent(): Dialect {
    if (!this.dialect) {
      if (!this.isInitializing) {
        this.connect();
      }
      this.deliverInitialized({});
    }
    return this.dialect!;
  }

  /** Delivers the answer to `initialize`. The version of an agent that the client does not support is read as the oldest one. */
  private initialized(answer: unknown, error: unknown): void {
    if (error !== undefined || !isRecord(answer ?? {})) {
      this.transport.feed({ id: this.initializeId, ...(error === undefined ? { result: answer } : { error }) });
      return;
    }
    const fields = isRecord(answer) ? answer : {};
    const unnamed = this.versions.find((version) => version.isAnswer?.(fields) ?? true);
    const named = Number(fields.protocolVersion ?? unnamed?.version);
    this.version = this.versions.find(({ version }) => version === named) ?? this.versions.at(-1)!;
    const described = this.version.interpreter(this.client, { timeoutMs: 0 }).dialect(fields, INERT);
    this.sessions.describeAgent({ ...described, protocolVersion: Number.isFinite(named) ? named : this.version.version });
    if (this.isInitializing) {
      this.deliverInitialized(fields);
    }
  }

  private deliverInitialized(answer: Fields): void {
    const { version, clientFrames } = this.version;
    this.transport.feed({ id: this.initializeId, result: { ...clientFrames.offeringAll(answer), protocolVersion: version } });
  }

  private connect(): void {
    const transport = (this.transport = new LogTransport());
    this.dialect = undefined;
    this.requests.clear();
    this.client.clear();
    this.taken.clear();
    const options = {
      clientInfo: NOBODY,
      clock: CLOCK,
      timeoutMs: 1,
      mark: `${++this.connections}.`,
      withoutSecrets: withCause,
      takesFirstAnswer: true,
      isReplay: true,
    };
    connect(transport, this.versions, this.client, options, (outcome) => this.connected(outcome));
    this.initializeId = transport.lastRequestId;
    this.isInitializing = true;
  }

  private proposes(version: number): void {
    if (this.proposed !== undefined && version < this.proposed) {
      this.refusal = undefined;
    } else {
      this.end();
      this.proposed = version;
    }
  }

  /** The log has ended, or its connection. */
  end(): void {
    if (this.refusal) {
      this.sessions.begun.notice('initialize', 'error', this.refusal);
      this.refusal = undefined;
    }
  }

  private connected(outcome: Outcome<Dialect>): void {
    this.isInitializing = false;
    if (outcome.ok) {
      this.dialect = outcome.value;
    } else {
      this.refusal = outcome.failure;
      this.connect();
    }
  }
}
