/**
 * Classifies a message: a request, a notification, a response, a malformed message that needs an error response (JSON-RPC 2.0, section 5.1), or
 * noise, which gets no answer. A malformed text does not affect others.
 */
import { cutDepth } from '../json/depth';
import type { Fields } from '../json/fields';
import { isRecord } from '../json/fields';
import { idLiteral } from '../json/source';
import { isBrokenMessage, mayBeJson, messageWithin } from './stdoutNoise';
import type { RateLimitedLog } from './rateLimitedLog';
import { RPC } from './rpc';
import type { Trace } from '../trace/trace';

/** All calls are made inside {@link MessageSorter.read}. `text` is the message's source. */
export interface MessageSink {
  /** `message.id` may have any value. `damaged`: some characters of the text differ from what was sent. */
  request(method: string, message: Fields, text: string, damaged: boolean): void;
  notification(method: string, params: unknown, text: string): void;
  response(message: Fields, text: string): void;
  /** True when a request of the client has this id and waits. */
  isAwaited(id: unknown): boolean;
  /** Answers the message with this error. */
  refuse(idLiteral: string, code: number, message: string): void;
}

/** This many lines of JSON that are not objects are answered each; after that, only those whose count is a power of two. */
const VALUES_ANSWERED = 1000;

/** The members of a JSON-RPC message. */
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

export class MessageSorter {
  /** The number of lines with JSON that is not an object. */
  private values = 0;

  constructor(
    private readonly sink: MessageSink,
    private readonly rateLimitedLog: RateLimitedLog,
    private readonly trace: Trace | undefined,
  ) {}

  /** @param damaged the text was not valid UTF-8 */
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
      this.noise('Not a message', text); // A structured log line on the wrong stream; its `id` must not be answered.
    }
  }

  private received(text: string, damaged: boolean, deep: boolean): void {
    this.trace?.received(text);
    if (damaged) {
      this.rateLimitedLog.warn('A message with invalid UTF-8', text);
    }
    if (deep) {
      this.rateLimitedLog.warn('A message that is nested too deeply was cut', text);
    }
  }

  /** True for a response. A void response may lack its `result`, if a request waits for its id. */
  private isResponse(message: Fields): boolean {
    return 'result' in message || 'error' in message || (!('method' in message || 'params' in message) && this.sink.isAwaited(message.id));
  }

  /**
   * Handles JSON that is not an object, which needs an error response like a malformed message (section 5). Programs may also print numbers
   * endlessly. The responses then become less frequent, so that they do not fill a pipe that the program does not read.
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
    this.rateLimitedLog.warn('A malformed message', text);
    this.sink.refuse(id, RPC.invalidRequest, `Invalid request: ${what}`);
  }

  /**
   * Handles text that is not JSON. Log lines on stdout are common and get no answer. A broken message gets a parse error. Frequent ones get it only
   * if they contain `jsonrpc`, because an agent may also log our answers.
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
    return this.rateLimitedLog.warn(what, text);
  }
}

/** Returns `undefined` for text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
