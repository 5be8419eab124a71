/**
 * `qwen serve` sends the history of a loaded session over a WebSocket when the next request for the session arrives, which is after the answer to
 * `session/load`. It then notifies the client of the history's end. Such a request is sent at once, and the answer is passed on after the history, as the
 * protocol page "Session Setup" requires. Otherwise the history would be added to the conversation a second time.
 */
import type { MessageReader, MessageTransport, TransportEnd } from '../../../core/model/transport';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { parsed } from './messageRoutes';

/** ms without a message after which no history is expected. */
const QUIET_MS = 1000;
/** ms that an answer waits at most. */
const MAX_MS = 10_000;
/** UTF-16 units at the start of a message that are searched. */
const START = 300;
/** A request of the server's own that changes nothing. */
const REQUEST = '_qwen/session/heartbeat';

type Reader = MessageReader & { end(end: TransportEnd): void };

interface Answer {
  readonly text: string;
  readonly damaged: boolean;
  readonly until: number;
}

export function withLateHistory(transport: MessageTransport, clock: Clock): MessageTransport {
  const history = new LateHistory(clock, (json) => void transport.write(json));
  return {
    read: (reader) => transport.read(history.reader(reader)),
    write: (json) => {
      history.sent(json);
      return transport.write(json);
    },
    close: () => transport.close(),
    describe: () => transport.describe(),
    ...(transport.backlog && { backlog: transport.backlog.bind(transport) }),
  };
}

class LateHistory {
  /** True when such a server has answered `initialize`. */
  private isLate: boolean | undefined;
  /** The sessions of the requests to load one, by the JSON texts of their ids. */
  private readonly loading = new Map<string, unknown>();
  /** The JSON texts of the ids of our own requests. */
  private readonly ours = new Set<string>();
  private requests = 0;
  /** The answers that wait for their history, in their order. */
  private readonly held: Answer[] = [];
  private timer: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly write: (json: string) => void,
  ) {}

  sent(json: string): void {
    if (this.isLate === true && json.slice(0, START).includes('"method":"session/load"')) {
      const { id, params } = fieldsOf(json);
      this.loading.set(JSON.stringify(id), params?.sessionId);
    }
  }

  reader(reader: Reader): Reader {
    return {
      message: (text, damaged) => {
        this.isLate ??= isLateServer(text);
        const answer = this.loading.size + this.ours.size > 0 ? this.answerIn(text) : undefined;
        if (answer === 'ours') {
          return;
        }
        if (answer) {
          this.held.push({ text, damaged, until: this.clock.now() + MAX_MS });
          this.ask(answer.sessionId);
        } else {
          reader.message(text, damaged);
        }
        if (this.held.length > 0) {
          this.wait(reader, isEnd(text));
        }
      },
      skipped: (bytes, head, tail) => reader.skipped(bytes, head, tail),
      closing: () => reader.closing(),
      end: (end) => {
        this.release(reader, this.held.length);
        reader.end(end);
      },
    };
  }

  /** The session of a successful answer to `session/load`; `ours` for an answer to our own request. */
  private answerIn(text: string): { readonly sessionId: unknown } | 'ours' | undefined {
    if (!text.slice(0, START).includes('"id":')) {
      return undefined;
    }
    const { id, method, result } = fieldsOf(text);
    const key = JSON.stringify(id);
    if (method !== undefined) {
      return undefined;
    }
    if (this.ours.delete(key)) {
      return 'ours';
    }
    const sessionId = this.loading.get(key);
    return this.loading.delete(key) && result !== undefined ? { sessionId } : undefined;
  }

  private ask(sessionId: unknown): void {
    const id = `history-${++this.requests}`;
    this.ours.add(JSON.stringify(id));
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method: REQUEST, params: { sessionId } }));
  }

  /** Passes the oldest answer on when its history has ended, and otherwise when the server is quiet. */
  private wait(reader: Reader, hasEnded: boolean): void {
    this.timer?.dispose();
    this.timer = undefined;
    const now = this.clock.now();
    this.release(reader, hasEnded || this.held[0]!.until <= now ? 1 : 0);
    const [next] = this.held;
    if (next) {
      this.timer = this.clock.after(Math.min(QUIET_MS, next.until - now), () => this.release(reader, this.held.length));
    }
  }

  private release(reader: Reader, count: number): void {
    if (count === this.held.length) {
      this.timer?.dispose();
      this.timer = undefined;
    }
    this.held.splice(0, count).forEach(({ text, damaged }) => reader.message(text, damaged));
  }
}

/** Undefined for a message that is not the answer to `initialize`. `qwen --acp` has no connection id, and sends the history in time. */
function isLateServer(text: string): boolean | undefined {
  const { result } = fieldsOf(text);
  return result === undefined ? undefined : typeof result?.agentCapabilities?._meta?.qwen?.connectionId === 'string';
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly sessionId?: unknown };
  readonly result?: { readonly agentCapabilities?: { readonly _meta?: { readonly qwen?: { readonly connectionId?: unknown } } } } | null;
}

/** Without a field for a text that is no object. */
function fieldsOf(text: string): Message {
  return (parsed(text) as Message | null | undefined) ?? {};
}

function isEnd(text: string): boolean {
  const start = text.slice(0, START);
  return start.includes('"method":"_qwen/notify"') && start.includes('"kind":"replay_complete"');
}
