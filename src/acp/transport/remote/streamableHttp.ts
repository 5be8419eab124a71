/**
 * The Streamable HTTP transport (proposal "Streamable HTTP and WebSocket transport"). Each message to the agent is a POST. The agent's messages
 * arrive on event streams: one of the connection, and one per session. docs/decisions/wire/remote-transports.md has the reasons.
 */
import type { Clock } from '../../../core/platform/clock';
import type { Failure } from '../../../core/model/failure';
import type { MessageReader, MessageTransport, TransportEnd } from '../../../core/model/transport';
import { Cookies } from './cookies';
import { EventReader } from './eventStream';
import { MessageRoutes, type Outgoing, parsed } from './messageRoutes';
import type { HttpRequest, HttpResponse, SendHttp } from './ports';
import { failureOfError, failureOfStatus, RemoteError, StreamRefused } from './remoteFailures';
import { boundedText, firstText, inTime, lowerCase, oneHeader } from './responseText';
import { StreamOrder } from './streamOrder';

export interface StreamableHttpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True when the server must be one of this user. */
  readonly isOwnOnly?: boolean;
  /** Longer messages are skipped. */
  readonly maxBytes: number;
  /** ms for the answer to a POST, and for the beginning of a stream. */
  readonly answerTimeoutMs: number;
}

export const CONNECTION_HEADER = 'acp-connection-id';
const SESSION_HEADER = 'acp-session-id';
const PROTOCOL_HEADER = 'acp-protocol-version';
const EVENTS = 'text/event-stream';
const JSON_TYPE = 'application/json';

/** The code of JSON-RPC. Codes from -32000 on have a meaning in ACP, such as a sign-in that is missing. */
const INTERNAL_ERROR = -32603;

/** The pauses in ms before a stream is opened again that ended while nothing was awaited: servers and proxies close idle streams. */
const REOPEN_MS = [100, 1000, 5000, 15_000];
/** A stream that lasted as long as this, in ms, starts with the first pause again. */
const STEADY_MS = 30_000;
/** ms that messages which are being sent get when the connection is closed. */
const CLOSE_MS = 1000;
/** ms that an answer waits for the messages of its session, such as a long replay. */
const REPLAY_MS = 10_000;
const LONG_REPLAY_MS = 120_000;
/** ms that a session waits for the first messages of a subagent that it has announced. */
const ANNOUNCED_MS = 500;
/** Streams of subagents. Over HTTP/1.1 each is a connection. */
const MAX_ANNOUNCED = 256;

export function streamableHttpTransport(options: StreamableHttpOptions, send: SendHttp, clock: Clock): MessageTransport {
  return new StreamableHttpTransport(options, send, clock);
}

class StreamableHttpTransport implements MessageTransport {
  private reader: (MessageReader & { end(end: TransportEnd): void }) | undefined;
  private readonly cookies = new Cookies();
  private readonly abort = new AbortController();
  private readonly host: string;
  private connectionId: string | undefined;
  private protocolVersion: string | undefined;
  /** The last POST. They are sent one after the other, because their order counts. */
  private posts: Promise<void> = Promise.resolve();
  /** The streams that are open, by session; the connection's has the key ''. Each value settles when its stream has begun. */
  private readonly streams = new Map<string, Promise<void>>();
  /** The sessions of subagents. No request is ours, so a server that has no stream for one costs nothing else. */
  private readonly announced = new Set<string>();
  private readonly routes = new MessageRoutes();
  private readonly order: StreamOrder;
  private isOver = false;

  constructor(
    private readonly options: StreamableHttpOptions,
    private readonly http: SendHttp,
    private readonly clock: Clock,
  ) {
    this.host = new URL(options.url).host;
    this.order = new StreamOrder(clock);
  }

  read(reader: MessageReader & { end(end: TransportEnd): void }): void {
    this.reader = reader;
  }

  write(json: string): boolean {
    if (this.isOver) {
      return false;
    }
    this.posts = this.posts.then(() => this.post(json)).catch((error: unknown) => this.fail(failureOfError(error, this.host)));
    return true;
  }

  close(): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    const { connectionId } = this;
    // A POST that hangs may not keep the connection.
    const late = new Promise<void>((resolve) => void this.clock.after(CLOSE_MS, resolve));
    void Promise.race([this.posts, late])
      .then(async () => {
        this.abort.abort();
        if (connectionId !== undefined) {
          await this.delete(connectionId);
        }
      })
      .catch(() => undefined)
      .then(() => this.reader?.end({}));
  }

  describe(): { address: string } {
    return { address: this.options.url };
  }

  private async post(json: string): Promise<void> {
    if (this.isOver && this.connectionId === undefined) {
      return;
    }
    const message = JSON.parse(json) as Outgoing;
    if (this.connectionId === undefined) {
      await this.initialize(json);
      return;
    }
    const session = this.routes.sessionOf(message);
    if (session !== undefined) {
      await this.stream(session).catch((error: unknown) => {
        if (!this.isOptional(session, error)) {
          throw error;
        }
      });
    }
    const key = message.id === undefined ? undefined : JSON.stringify(message.id);
    if (key !== undefined && typeof message.method === 'string') {
      this.routes.sent(key, session, message);
    }
    const response = await this.request(
      'POST',
      {
        'content-type': JSON_TYPE,
        accept: `${JSON_TYPE}, ${EVENTS}`,
        ...(session !== undefined && { [SESSION_HEADER]: session }),
      },
      json,
    );
    const { status } = response;
    if (status >= 200 && status < 300) {
      await this.answerOf(response);
    } else {
      this.refused(status, await this.failureOf(response), key, message);
    }
    if (key !== undefined && typeof message.method !== 'string') {
      this.routes.answered(key);
    }
  }

  /** Ends the connection, or only the request: the server still knows the connection after most statuses. */
  private refused(status: number, failure: Failure, key: string | undefined, message: Outgoing): void {
    const endsConnection = status === 401 || status === 403 || status === 404 || status === 410 || (status >= 300 && status < 400);
    if (endsConnection || key === undefined || typeof message.method !== 'string') {
      if (endsConnection || key !== undefined) {
        this.fail(failure);
      }
      return; // A notification that the server refused costs only itself.
    }
    this.routes.refused(key);
    const { params, detail } = failure;
    const words = `HTTP ${status}${detail === undefined ? '' : `: ${detail}`}`;
    const seconds = params?.['seconds'];
    const data = { message: words, ...(seconds !== undefined && { retryAfter: Number(seconds) }) };
    const error = JSON.stringify({ code: INTERNAL_ERROR, message: words, data });
    this.reader?.message(`{"jsonrpc":"2.0","id":${key},"error":${error}}`, false);
  }

  private async initialize(json: string): Promise<void> {
    const response = await this.request('POST', { 'content-type': JSON_TYPE, accept: JSON_TYPE }, json);
    if (response.status !== 200) {
      throw new RemoteError(await this.failureOf(response));
    }
    const connectionId = oneHeader(response, CONNECTION_HEADER);
    const { text, isCut } = await boundedText(response.body, this.options.maxBytes);
    if (connectionId === undefined || connectionId === '' || isCut) {
      const reason = isCut ? 'The answer is too long.' : 'The answer has no Acp-Connection-Id.';
      throw new RemoteError({ code: 'remote.not_acp', params: { host: this.host }, detail: reason });
    }
    this.connectionId = connectionId;
    if (this.isOver) {
      await this.delete(connectionId);
      return;
    }
    const version = (parsed(text) as { result?: { protocolVersion?: unknown } } | undefined)?.result?.protocolVersion;
    this.protocolVersion = typeof version === 'number' ? `${version}` : undefined;
    // The connection's stream has begun before anything is sent whose answer arrives on it.
    await this.stream('');
    this.reader?.message(text, false);
  }

  /** Some servers answer a POST with the message itself, or with a stream of it. */
  private async answerOf(response: HttpResponse): Promise<void> {
    const type = oneHeader(response, 'content-type') ?? '';
    if (response.status === 200 && type.startsWith(EVENTS)) {
      void this.readEvents(response, '').catch(() => undefined);
      return;
    }
    const { text } = await boundedText(response.body, this.options.maxBytes);
    if (response.status === 200 && type.startsWith(JSON_TYPE) && text.trim() !== '') {
      this.received(text, false, '');
    }
  }

  /** Opens the stream of a session, or of the connection. Resolves when it has begun. Rejects when the server refuses it. */
  private stream(session: string): Promise<void> {
    const open = this.streams.get(session);
    if (open) {
      return open;
    }
    let begun!: () => void;
    let refused!: (error: unknown) => void;
    const ready = new Promise<void>((resolve, reject) => {
      begun = resolve;
      refused = reject;
    });
    ready.catch(() => undefined);
    this.streams.set(session, ready);
    this.order.expected(session);
    this.follow(session, begun).catch((error: unknown) => {
      refused(error);
      this.streams.delete(session);
      this.order.gone(session);
      if (!this.isOptional(session, error) && !this.isOver && !this.abort.signal.aborted) {
        this.fail(failureOfError(error, this.host));
      }
    });
    return ready;
  }

  /** True when the connection goes on without this stream. Some servers have none before the session is open. The request then says what is wrong. */
  private isOptional(session: string, error: unknown): boolean {
    return this.announced.has(session) || (session !== '' && error instanceof StreamRefused && !this.routes.isOpen(session));
  }

  private async failureOf({ status, headers, body }: HttpResponse): Promise<Failure> {
    return failureOfStatus(status, headers, await firstText(body), this.host, this.connectionId !== undefined);
  }

  /** Reads a stream, and opens it again when it ends while nothing is awaited on it. */
  private async follow(session: string, begun: () => void): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      const response = await this.request('GET', { accept: EVENTS, ...(session !== '' && { [SESSION_HEADER]: session }) });
      if (response.status !== 200) {
        const failure = await this.failureOf(response);
        throw new (response.status === 403 || response.status === 404 ? StreamRefused : RemoteError)(failure);
      }
      begun();
      this.order.begun(session);
      const since = this.clock.now();
      const broken = await this.readEvents(response, session).then(
        () => undefined,
        (error: unknown) => error ?? new Error('The stream ended.'),
      );
      if (this.isOver) {
        return;
      }
      // An answer may have been lost with the stream, and the protocol sends none twice.
      if (this.routes.isAwaited(session)) {
        throw broken ?? new RemoteError({ code: 'remote.closed', params: { host: this.host } });
      }
      const steady = this.clock.now() - since > STEADY_MS;
      attempt = steady ? 0 : attempt;
      const pause = REOPEN_MS[attempt];
      if (pause === undefined) {
        throw broken ?? new RemoteError({ code: 'remote.closed', params: { host: this.host } });
      }
      await new Promise<void>((resolve) => void this.clock.after(pause, resolve));
    }
  }

  private async readEvents(response: HttpResponse, session: string): Promise<void> {
    const events = new EventReader(
      {
        message: (text, damaged) => this.received(text, damaged, session),
        skipped: (bytes, head, tail) => this.deliver(session, head.length, () => this.reader?.skipped(bytes, head, tail)),
      },
      this.options.maxBytes,
    );
    for await (const chunk of response.body) {
      if (this.isOver) {
        return;
      }
      events.push(chunk);
    }
    events.end();
  }

  /** @param session the session of the stream; '' for the connection's */
  private received(text: string, damaged: boolean, session: string): void {
    if (this.isOver) {
      return;
    }
    const { answered, announced } = this.routes.received(text, session);
    if (answered !== undefined) {
      void this.stream(answered).catch(() => undefined);
      this.order.wait(session, answered, REPLAY_MS, LONG_REPLAY_MS);
    }
    const isNew = announced !== undefined && this.isNewSubagent(announced);
    this.deliver(session, text.length, () => {
      this.reader?.message(text, damaged);
      if (isNew) {
        // Not earlier: its messages would come before the announcement.
        void this.stream(announced).catch(() => undefined);
      }
    });
    if (isNew) {
      this.order.wait(session, announced, ANNOUNCED_MS);
    }
  }

  private deliver(session: string, size: number, message: () => void): void {
    if (!this.isOver) {
      this.order.add(session, () => this.isOver || message(), size);
    }
  }

  /** False when its stream is open, and when there are too many. */
  private isNewSubagent(session: string): boolean {
    if (this.streams.has(session) || this.announced.has(session) || this.announced.size >= MAX_ANNOUNCED) {
      return false;
    }
    this.announced.add(session);
    return true;
  }

  private async request(method: HttpRequest['method'], headers: Record<string, string>, body?: string): Promise<HttpResponse> {
    const ends = new AbortController();
    const { answerTimeoutMs } = this.options;
    const late = (): RemoteError =>
      new RemoteError({ code: 'remote.unreachable', params: { host: this.host, seconds: `${answerTimeoutMs / 1000}` } });
    let isLate = false;
    const timer = this.clock.after(answerTimeoutMs, () => {
      isLate = true;
      ends.abort();
    });
    try {
      const response = await this.http({
        method,
        url: this.options.url,
        isOwnOnly: this.options.isOwnOnly,
        headers: {
          ...this.ownHeaders(),
          ...headers,
          ...(this.connectionId !== undefined && { [CONNECTION_HEADER]: this.connectionId }),
          ...(this.protocolVersion !== undefined && { [PROTOCOL_HEADER]: this.protocolVersion }),
        },
        ...(body !== undefined && { body }),
        signal: AbortSignal.any([this.abort.signal, ends.signal]),
      });
      const cookies = response.headers['set-cookie'];
      this.cookies.store(typeof cookies === 'string' ? [cookies] : (cookies ?? []));
      const isStream = response.status === 200 && (method === 'GET' || oneHeader(response, 'content-type')?.startsWith(EVENTS));
      return isStream ? response : { ...response, body: inTime(response.body, this.clock, answerTimeoutMs, late) };
    } catch (error) {
      throw isLate ? late() : error;
    } finally {
      timer.dispose();
    }
  }

  /** The headers of the settings, and the cookies. */
  private ownHeaders(): Record<string, string> {
    const headers = lowerCase(this.options.headers);
    const cookie = this.cookies.header(headers['cookie']);
    return { ...headers, ...(cookie !== undefined && { cookie }) };
  }

  private async delete(connectionId: string): Promise<void> {
    const { answerTimeoutMs } = this.options;
    const ends = new AbortController();
    const timer = this.clock.after(Math.min(answerTimeoutMs, 2000), () => ends.abort());
    try {
      const response = await this.http({
        method: 'DELETE',
        url: this.options.url,
        isOwnOnly: this.options.isOwnOnly,
        headers: { ...this.ownHeaders(), [CONNECTION_HEADER]: connectionId },
        signal: ends.signal,
      });
      await firstText(response.body);
    } finally {
      timer.dispose();
    }
  }

  private fail(failure: Failure): void {
    if (!this.isOver) {
      this.order.flush();
      this.isOver = true;
      this.abort.abort();
      this.reader?.end({ failure });
      // The server should not keep the agent of a connection without a reader.
      if (this.connectionId !== undefined) {
        void this.delete(this.connectionId).catch(() => undefined);
      }
    }
  }
}
