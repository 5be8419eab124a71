/**
 * From what came as a message to what it is: a request, a notification, a response, something broken that is owed an error (JSON-RPC 2.0,
 * section 5.1), or noise, which gets no answer. One bad text costs that text.
 */
import { cutDepth } from '../json/depth';
import type { Fields } from '../json/fields';
import { isRecord } from '../json/fields';
import { idLiteral } from '../json/source';
import { isBrokenMessage, mayBeJson, messageWithin } from './stdoutNoise';
import type { RateLimitedLog } from './rateLimitedLog';
import { RPC } from './rpc';
import type { Trace } from '../trace/trace';

/** All calls come inside {@link MessageSorter.read}. `text` is the message's source. */
export interface MessageSink {
  /** `message.id` may be anything. `damaged`: some characters of the text are not what was sent. */
  request(method: string, message: Fields, text: string, damaged: boolean): void;
  notification(method: string, params: unknown, text: string): void;
  response(message: Fields, text: string): void;
  /** Whether a request of ours waits under this id. */
  isAwaited(id: unknown): boolean;
  /** What was sent can only be answered with this error. */
  refuse(idLiteral: string, code: number, message: string): void;
}

/** So many lines of JSON that is no object are answered each; then only the powers of two. */
const VALUES_ANSWERED = 1000;

/** What a message of JSON-RPC consists of. */
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

export class MessageSorter {
  /** Lines that were JSON and no object. */
  private values = 0;

  constructor(
    private readonly sink: MessageSink,
    private readonly rateLimitedLog: RateLimitedLog,
    private readonly trace: Trace | undefined,
  ) {}

  /** `damaged`: it was no valid UTF-8. */
  read(text: string, damaged: boolean): void {
    const message = mayBeJson(text) ? parsed(text) : undefined;
    if (message === undefined) {
      this.unread(text, damaged);
    } else {
      this.sort(message, text, damaged);
    }
  }

  private sort(message: unknown, text: string, damaged: boolean): void {
    const deep = cutDepth(message, text);
    if (Array.isArray(message)) {
      this.malformed('null', text, 'batches are not supported');
    } else if (!isRecord(message)) {
      this.value(text);
    } else if (typeof message.method === 'string') {
      this.received(text, damaged, deep);
      if (message.id === undefined) {
        this.sink.notification(message.method, message.params, text);
      } else {
        this.sink.request(message.method, message, text, damaged);
      }
    } else if (this.isResponse(message)) {
      this.received(text, damaged, deep);
      this.sink.response(message, text);
    } else if ('jsonrpc' in message || Object.keys(message).every((key) => MEMBERS.has(key))) {
      this.malformed(idLiteral(message.id, text, ['id']) ?? 'null', text, 'not a message of JSON-RPC 2.0');
    } else {
      this.noise('Not a message', text); // A structured log line on the wrong stream; its `id` is not for us to answer.
    }
  }

  private received(text: string, damaged: boolean, deep: boolean): void {
    this.trace?.received(text);
    if (damaged) {
      this.rateLimitedLog.tell('A message with invalid UTF-8', text);
    }
    if (deep) {
      this.rateLimitedLog.tell('A message that is nested too deeply was cut', text);
    }
  }

  /** A void answer that lost its `result` is an answer too, when there is something it can answer. */
  private isResponse(message: Fields): boolean {
    return 'result' in message || 'error' in message || (!('method' in message || 'params' in message) && this.sink.isAwaited(message.id));
  }

  /**
   * JSON, but no object: owed an error as a malformed message is (section 5). Programs print numbers too, and may go on and on: then the answers
   * become ever rarer, so that they fill no pipe that nobody reads.
   */
  private value(text: string): void {
    this.noise('JSON that is no message', text);
    const count = ++this.values;
    if (count <= VALUES_ANSWERED || (count & (count - 1)) === 0) {
      this.sink.refuse('null', RPC.invalidRequest, 'Invalid request: not an object');
    }
  }

  private malformed(id: string, text: string, what: string): void {
    this.trace?.received(text);
    this.rateLimitedLog.tell('A malformed message', text);
    this.sink.refuse(id, RPC.invalidRequest, `Invalid request: ${what}`);
  }

  /**
   * No JSON. Log lines on stdout are common and get no answer; what was meant as a message gets the parse error it is owed, unless it goes on
   * and on and never says that it is one: an agent may log our answers, too.
   */
  private unread(text: string, damaged: boolean): void {
    const within = messageWithin(text);
    const message = within === undefined ? undefined : parsed(within);
    if (within !== undefined && message !== undefined) {
      this.sort(message, within, damaged);
    } else if (!isBrokenMessage(text)) {
      this.noise('Not a message', text);
    } else if (this.noise('A message that is no JSON', text) || text.includes('jsonrpc')) {
      this.sink.refuse('null', RPC.parseError, 'Parse error');
    }
  }

  private noise(what: string, text: string): boolean {
    this.trace?.noise(text);
    return this.rateLimitedLog.tell(what, text);
  }
}

/** `undefined` for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
