/**
 * The bridge's connection to the window. When it breaks, it connects again with growing pauses and repeats the handshake itself. An agent notices
 * nothing but an answer that asks for a retry, where a call was running.
 */
import type { Socket } from 'node:net';

export interface BridgeLinkDependencies {
  connect(): Socket;
  readonly token: string;
  /** Sends a line to the agent. */
  write(line: string): void;
  /** Called when the session has ended, or the window does not come back. */
  onGone(): void;
  /** ms; the first pause. The next ones are twice as long each. */
  readonly pause?: number;
  /** ms without a connection after which the window is gone. */
  readonly patience?: number;
}

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
}

/** ms */
const FIRST_PAUSE = 100;
const MAX_PAUSE = 5000;
const PATIENCE = 120_000;
/** ms for the first connection. The window listens before an agent starts the bridge. */
const FIRST_PATIENCE = 2000;
/** Lines that wait for a connection. Above this number an agent does not wait for answers. */
const MAX_WAITING = 1000;
/** UTF-8 bytes of a line. The window closes the connection of a longer one. */
const MAX_LINE = 4 * 1024 * 1024 - 64 * 1024;
/** An id that no agent uses, for the handshake that the bridge repeats. */
const HANDSHAKE = 'acp-host-bridge-handshake';
const TOO_LARGE = 'The message has more than 4 MB. Send less.';
const RETRY = 'The editor was restarted while this tool ran, and the result is lost. Call the tool again.';

export class BridgeLink {
  private socket: Socket | undefined;
  private isOpen = false;
  private isOver = false;
  private hasAnswered = false;
  private pause: number;
  private lostAt: number | undefined;
  /** The lines of the agent's handshake of 2025: `initialize` and `notifications/initialized`. */
  private readonly handshake: string[] = [];
  /** The agent's requests without an answer, by id. */
  private readonly open = new Map<string, { readonly line: string; readonly method: string }>();
  /** Subscriptions whose confirmation the agent has: it gets no second one. */
  private readonly confirmed = new Set<string>();
  private waiting: string[] = [];

  constructor(private readonly deps: BridgeLinkDependencies) {
    this.pause = deps.pause ?? FIRST_PAUSE;
    this.connect();
  }

  /** Handles a line of the agent. */
  fromAgent(line: string): void {
    const message = parse(line);
    if (Buffer.byteLength(line) > MAX_LINE) {
      this.refuse(message);
      return;
    }
    if (message?.method !== undefined && message.id !== undefined) {
      this.open.set(keyOf(message.id), { line, method: message.method });
    }
    if (message?.method === 'initialize') {
      this.handshake.splice(0, Infinity, line);
    } else if (message?.method === 'notifications/initialized') {
      this.handshake.push(line);
    }
    if (message?.method === 'notifications/cancelled') {
      // A cancelled request gets no answer.
      const key = keyOf(message.params?.requestId);
      const cancelled = this.open.get(key)?.line;
      this.open.delete(key);
      this.confirmed.delete(key);
      this.waiting = this.waiting.filter((each) => each !== cancelled);
    }
    if (this.isOpen) {
      this.socket?.write(`${line}\n`);
    } else if (this.waiting.length < MAX_WAITING) {
      this.waiting.push(line);
    }
  }

  private refuse({ id, method }: Message = {}): void {
    if (id === undefined || method === undefined) {
      return;
    }
    if (method === 'tools/call') {
      this.answerCall(keyOf(id), TOO_LARGE);
    } else {
      this.deps.write(`{"jsonrpc":"2.0","id":${keyOf(id)},"error":{"code":-32600,"message":${JSON.stringify(TOO_LARGE)}}}`);
    }
  }

  private answerCall(key: string, text: string): void {
    const result = { content: [{ type: 'text', text }], isError: true };
    this.deps.write(`{"jsonrpc":"2.0","id":${key},"result":${JSON.stringify(result)}}`);
  }

  private connect(): void {
    const socket = (this.socket = this.deps.connect());
    let rest: Buffer = Buffer.alloc(0);
    socket.on('connect', () => {
      socket.write(`${this.deps.token}\n`);
      this.opened();
    });
    socket.on('data', (data: Buffer) => {
      rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        this.fromWindow(rest.subarray(0, end).toString());
        rest = rest.subarray(end + 1);
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.closed());
  }

  private opened(): void {
    this.isOpen = true;
    const lines: string[] = [];
    if (this.lostAt !== undefined) {
      const [initialize, ...rest] = this.handshake;
      const isAnswered = initialize !== undefined && !this.isWaiting(initialize);
      // An agent that still waits for the answer to `initialize` gets the one to its own request, which is among the open ones.
      lines.push(...(isAnswered ? [withId(initialize, HANDSHAKE), ...rest] : []));
    }
    lines.push(...this.waiting);
    this.waiting = [];
    lines.forEach((line) => this.socket?.write(`${line}\n`));
  }

  private isWaiting(line: string): boolean {
    return this.waiting.includes(line);
  }

  private fromWindow(line: string): void {
    // The window accepts the token by its first answer.
    this.pause = this.deps.pause ?? FIRST_PAUSE;
    this.hasAnswered = true;
    this.lostAt = undefined;
    const message = parse(line);
    if (message?.method === 'notifications/acp-host/ended') {
      this.end();
      return;
    }
    if (message?.id !== undefined && message.method === undefined) {
      if (message.id === HANDSHAKE) {
        return;
      }
      this.open.delete(keyOf(message.id));
    } else if (message?.method === 'notifications/subscriptions/acknowledged') {
      const key = keyOf(message.params?._meta?.['io.modelcontextprotocol/subscriptionId']);
      if (this.confirmed.has(key)) {
        return;
      }
      this.confirmed.add(key);
    }
    this.deps.write(line);
  }

  private end(): void {
    this.isOver = true;
    this.socket?.destroy();
    this.deps.onGone();
  }

  private closed(): void {
    if (this.isOver) {
      return;
    }
    const wasOpen = this.isOpen;
    this.isOpen = false;
    const now = Date.now();
    this.lostAt ??= now;
    const patience = this.hasAnswered ? PATIENCE : FIRST_PATIENCE;
    if (now - this.lostAt > (this.deps.patience ?? patience)) {
      this.end();
      return;
    }
    if (wasOpen) {
      this.settleOpen();
    }
    setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(this.pause * 2, MAX_PAUSE);
  }

  /** Answers the calls that were running, because a second run may change something twice. Other requests are sent again. */
  private settleOpen(): void {
    const waiting = new Set(this.waiting);
    this.open.forEach(({ line, method }, key) => {
      if (waiting.has(line)) {
        return;
      }
      if (method === 'tools/call') {
        this.open.delete(key);
        this.answerCall(key, RETRY);
      } else {
        this.waiting.push(line);
      }
    });
  }
}

function keyOf(id: unknown): string {
  return JSON.stringify(id ?? null);
}

function withId(line: string, id: string): string {
  return JSON.stringify({ ...(JSON.parse(line) as object), id });
}

function parse(line: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
