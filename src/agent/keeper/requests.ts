/** The requests without an answer, in both directions: a new window continues them. */
import type { KeptRequest } from '../../core/keeper/messages';

/** A request of the agent. */
export interface AskedRequest {
  readonly n: number;
  readonly method: string;
  /** The id as JSON text. */
  readonly id: string;
  readonly text: string;
}

interface Sent extends KeptRequest {
  /** The number of the frame with the agent's answer. */
  answeredBy?: number;
}

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

const CANCELLED = -32800;
/** The most ids of answered requests that are remembered. */
const MAX_ANSWERED = 1000;
const ID = Buffer.from('"id"');

export class KeptRequests {
  /** The agent's requests without an answer, by id as JSON text and by frame. Usually one for each id. */
  private readonly asked = new Map<string, Map<number, AskedRequest>>();
  /** The ids of the last requests with an answer. */
  private readonly answered = new Set<string>();
  /** The windows' requests, by id as text. */
  private readonly sent = new Map<string, Sent>();
  private highest = 0;
  /** The ids of the agent's requests by their frames, as long as no window has stored these. */
  private readonly askedIn = new Map<number, string>();
  /** The ids of `initialize` requests. */
  private readonly initializing = new Set<string>();
  /** The agent's last answer to `initialize`, as JSON text. */
  initialized: string | undefined;

  /** The first id that no request of a window has had. */
  get nextId(): number {
    return this.highest + 1;
  }

  get hasTurn(): boolean {
    return [...this.sent.values()].some(({ method, answeredBy }) => method === 'session/prompt' && answeredBy === undefined);
  }

  /** The windows' requests that have no answer, or whose answer no window has stored. */
  list(): KeptRequest[] {
    return [...this.sent.values()].map(({ answeredBy: _, ...request }) => request);
  }

  /** The agent's requests without an answer, the oldest first. */
  get waiting(): readonly AskedRequest[] {
    return [...this.asked.values()].flatMap((requests) => [...requests.values()]).sort((a, b) => a.n - b.n);
  }

  /** Reads a frame of the agent. Returns its request. */
  fromAgent(n: number, line: Buffer): AskedRequest | undefined {
    // Most frames are notifications, and only other messages have an id.
    if (!line.includes(ID)) {
      return undefined;
    }
    const text = line.toString('utf8');
    const message = parse(text);
    if (!message || message.id === undefined) {
      return undefined;
    }
    const id = JSON.stringify(message.id);
    if (typeof message.method === 'string') {
      const asked = { n, method: message.method, id, text };
      const requests = this.asked.get(id) ?? new Map<number, AskedRequest>();
      this.asked.set(id, requests.set(n, asked));
      this.answered.delete(id);
      this.askedIn.set(n, id);
      return asked;
    }
    const key = String(message.id);
    const request = this.sent.get(key);
    if (request) {
      request.answeredBy = n;
    }
    if (this.initializing.delete(key) && message.result !== undefined) {
      this.initialized = JSON.stringify(message.result);
    }
    return undefined;
  }

  /** Reads a frame of a window. Returns true when the agent must get it, and a text that answers it otherwise. */
  fromWindow(text: string): true | false | { readonly answer: string } {
    const message = parse(text);
    if (!message) {
      return false;
    }
    if (typeof message.method === 'string') {
      return message.id === undefined ? true : this.requested(message.id, message.method, message.params);
    }
    const id = JSON.stringify(message.id);
    const [request] = this.asked.get(id)?.values() ?? [];
    if (request) {
      this.settle(request);
      return true;
    }
    // A second answer is dropped. An answer to no request reports a message that could not be read.
    return !this.answered.has(id);
  }

  private settle(request: AskedRequest): void {
    const { id, n } = request;
    const requests = this.asked.get(id);
    requests?.delete(n);
    if (requests && requests.size > 0) {
      return;
    }
    this.asked.delete(id);
    this.answered.add(id);
    const [oldest] = this.answered;
    if (this.answered.size > MAX_ANSWERED && oldest !== undefined) {
      this.answered.delete(oldest);
    }
  }

  /** True for the frame of a request that has an answer: a window must not receive it again. */
  isAnswered(n: number): boolean {
    const id = this.askedIn.get(n);
    return id !== undefined && !this.asked.get(id)?.has(n);
  }

  /** Forgets the frames that a window has stored. */
  stored(n: number): void {
    for (const frame of this.askedIn.keys()) {
      if (frame > n) {
        break;
      }
      this.askedIn.delete(frame);
    }
    for (const [id, { answeredBy }] of this.sent) {
      if (answeredBy !== undefined && answeredBy <= n) {
        this.sent.delete(id);
      }
    }
  }

  /** Returns the answer that cancels a request of the agent; undefined when it has an answer. */
  cancel(asked: AskedRequest): string | undefined {
    const { id } = asked;
    if (this.asked.get(id)?.get(asked.n) !== asked) {
      return undefined;
    }
    this.settle(asked);
    switch (asked.method) {
      case 'session/request_permission':
        return `{"jsonrpc":"2.0","id":${id},"result":{"outcome":{"outcome":"cancelled"}}}`;
      case 'elicitation/create':
        return `{"jsonrpc":"2.0","id":${id},"result":{"action":"cancel"}}`;
      default:
        return `{"jsonrpc":"2.0","id":${id},"error":{"code":${CANCELLED},"message":"Request cancelled: no window of the editor is open"}}`;
    }
  }

  private requested(id: unknown, method: string, params: unknown): true | { readonly answer: string } {
    const key = String(id);
    this.highest = typeof id === 'number' && Number.isSafeInteger(id) ? Math.max(this.highest, id) : this.highest;
    if (method === 'initialize') {
      if (this.initialized !== undefined) {
        return { answer: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${this.initialized}}` };
      }
      this.initializing.add(key);
      return true;
    }
    const sessionId = typeof params === 'object' && params !== null ? (params as { sessionId?: unknown }).sessionId : undefined;
    this.sent.set(key, { id: Number(id), method, ...(typeof sessionId === 'string' && { sessionId }) });
    return true;
  }
}

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
