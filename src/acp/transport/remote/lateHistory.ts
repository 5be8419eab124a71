/**
 * `qwen serve` answers `session/load` over a WebSocket before it sends the history, and notifies the client of the history's end. The answer is passed on
 * after the history, as the protocol page "Session Setup" requires. Otherwise the history would be added to the conversation a second time.
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

type Reader = MessageReader & { end(end: TransportEnd): void };

interface Answer {
  readonly text: string;
  readonly damaged: boolean;
  readonly until: number;
}

export function withLateHistory(transport: MessageTransport, clock: Clock): MessageTransport {
  const history = new LateHistory(clock);
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
  /** True when the answer to `initialize` is of such a server. */
  private isLate: boolean | undefined;
  /** The ids of the requests to load a session, as JSON texts. */
  private readonly loading = new Set<string>();
  /** The answers that wait for their history, in their order. */
  private readonly held: Answer[] = [];
  private timer: Disposable | undefined;

  constructor(private readonly clock: Clock) {}

  sent(json: string): void {
    if (this.isLate === true && json.slice(0, START).includes('"method":"session/load"')) {
      this.loading.add(JSON.stringify(fieldsOf(json).id));
    }
  }

  reader(reader: Reader): Reader {
    return {
      message: (text, damaged) => {
        this.isLate ??= isLateServer(text);
        if (this.isAnswer(text)) {
          this.held.push({ text, damaged, until: this.clock.now() + MAX_MS });
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

  /** True for the successful answer to a request to load a session. */
  private isAnswer(text: string): boolean {
    if (this.loading.size === 0 || !text.slice(0, START).includes('"id":')) {
      return false;
    }
    const { id, method, result } = fieldsOf(text);
    return method === undefined && this.loading.delete(JSON.stringify(id)) && result !== undefined;
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
