/** The conductor's connection to one program of a chain: a proxy or the agent. */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { MessageTransport, TransportEnd } from '../../core/model/transport';
import { idKey } from '../json/source';
import { errorJson } from '../jsonrpc/incoming';
import { MessageSorter, type MessageSink } from '../jsonrpc/messages';
import { RateLimitedLog } from '../jsonrpc/rateLimitedLog';
import type { Trace } from '../trace/trace';
import { type Carried, GREETINGS, isGreeting, messageText, type ProxyGreeting, type ProxyWords, wrapped } from './proxyMethods';

/** A program between the client and the agent, or the agent. */
export interface Hop {
  /** The name for the user. */
  readonly name: string;
  readonly transport: MessageTransport;
  readonly trace?: Trace;
  /** ms that it may hold `initialize` before it forwards or answers it. */
  readonly timeoutMs: number;
  /** The command line without secrets, where there is one. */
  readonly commandLine?: string;
}

/** Sends requests whose answers come back by their id: the client, or the program of another link. */
export interface Sender {
  /** The open requests by {@link idKey}. */
  readonly asked: Map<string, Asked>;
  /** @param text a response @param damaged it was not valid UTF-8 */
  receive(text: string, damaged: boolean): void;
}

interface Asked {
  readonly link: Link;
  readonly id: number;
  readonly isWrapped: boolean;
}

/** A request without a response, under the conductor's own id. */
export interface Forwarded {
  readonly sender: Sender;
  /** The sender's id as it was written. */
  readonly idLiteral: string;
  readonly method: string;
  /** Set for the start of the protocol: how the program was greeted, and with which params. */
  readonly greeting?: { readonly index: number; readonly params: string | undefined };
}

/** The most requests of a link without a response. */
const MAX_OPEN = 10_000;
const MAX_CAUSES = 200;
/** Bytes that wait because a program does not read them, above which it counts as stuck. One message may be larger. */
const MAX_BACKLOG = 64 * 1024 * 1024;

export interface LinkOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the program does not read what is sent. */
  stuck(): void;
  /** Called when the program has held `initialize` for too long. */
  timedOut(): void;
}

export class Link implements Sender {
  readonly asked = new Map<string, Asked>();
  readonly log: RateLimitedLog;
  private readonly open = new Map<number, Forwarded>();
  /** The requests that the program has got, by the ids under which it has passed them on. */
  private readonly causes = new Map<string, Forwarded>();
  private readonly sorter: MessageSorter;
  private nextId = 1;
  private timer: Disposable | undefined;
  /** The index of the greeting that the proxy knows, or that is tried now. */
  greetingIndex = 0;
  /** The words in which the proxy gets messages of its successor. */
  words: ProxyWords = GREETINGS[0].words;
  /** True once it has answered `initialize`. */
  isReady = false;
  hasEnded = false;
  /** True while {@link read} handles a text that was not valid UTF-8. */
  isDamaged = false;

  /** @param position 0 for the first proxy */
  constructor(
    readonly hop: Hop,
    readonly position: number,
    sink: Omit<MessageSink, 'isAwaited' | 'refuse'>,
    private readonly options: LinkOptions,
  ) {
    const { log } = options;
    const named = (text: string): string => `${hop.name}: ${text}`;
    this.log = new RateLimitedLog({
      debug: (text) => log.debug(named(text)),
      info: (text) => log.info(named(text)),
      warn: (text) => log.warn(named(text)),
      error: (text) => log.error(named(text)),
    });
    this.sorter = new MessageSorter(
      {
        ...sink,
        isAwaited: (id) => typeof id === 'number' && this.open.has(id),
        refuse: (id, code, message) => this.refuse(id, code, message),
      },
      this.log,
      hop.trace,
    );
  }

  /** True while the program has not answered the start of the protocol. */
  get isStarting(): boolean {
    return [...this.open.values()].some((forwarded) => forwarded.greeting);
  }

  /** Starts reading from the program. */
  listen(ended: (end: TransportEnd) => void, skipped: (bytes: number, head: string, tail: string) => void): void {
    this.hop.transport.read({
      message: (text, damaged) => this.read(text, damaged),
      skipped: (bytes, head, tail) => {
        this.hop.trace?.skipped(bytes, head);
        this.log.warn(`A line of ${bytes} bytes is over the limit and was skipped`, head);
        skipped(bytes, head, tail);
      },
      closing: () => undefined,
      end: (end) => {
        this.hasEnded = true;
        this.stopTimer();
        ended(end);
      },
    });
  }

  get greeting(): ProxyGreeting | undefined {
    return GREETINGS[this.greetingIndex];
  }

  /**
   * Sends a request of another program or of the client.
   * @param isWrapped the request is one of the proxy's successor
   * @returns false when too many are open
   */
  forward(message: Carried, from: Omit<Forwarded, 'method'>, isWrapped: boolean): boolean {
    if (this.open.size >= MAX_OPEN) {
      return false;
    }
    const id = this.nextId++;
    this.open.set(id, { ...from, method: message.method });
    from.sender.asked.set(idKey(from.idLiteral), { link: this, id, isWrapped });
    if (from.sender instanceof Link && !isWrapped) {
      from.sender.passedOn(from.idLiteral, message.method);
    }
    this.write(isWrapped ? wrapped(message, this.words, id) : messageText(message, id));
    return true;
  }

  /**
   * Returns the request that a message of the program names by its id. A program that passes messages on unchanged names the id under which it has
   * passed the request on.
   */
  named(idLiteral: string): Forwarded | undefined {
    const key = idKey(idLiteral);
    return this.causes.get(key) ?? this.open.get(Number(key));
  }

  /** Remembers which request the program has most likely passed on: the newest of that method that it has got. */
  private passedOn(idLiteral: string, method: string): void {
    const wanted = isGreeting(method) ? isGreeting : (each: string) => each === method;
    const cause = [...this.open.values()].findLast((forwarded) => wanted(forwarded.method));
    if (cause) {
      this.causes.set(idKey(idLiteral), cause);
    }
    // A message about a request may be on its way when its answer has passed, so that causes outlive the requests.
    if (this.causes.size > MAX_CAUSES) {
      this.causes.delete(this.causes.keys().next().value!);
    }
  }

  notify(message: Carried, isWrapped: boolean): void {
    this.write(isWrapped ? wrapped(message, this.words, undefined) : messageText(message, undefined));
  }

  /** Returns the request that a response of the program answers, and forgets it. */
  take(id: unknown): Forwarded | undefined {
    // Some programs answer a numeric id by a string.
    const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
    const forwarded = typeof number === 'number' ? this.open.get(number) : undefined;
    if (forwarded) {
      this.open.delete(number as number);
      const key = idKey(forwarded.idLiteral);
      const asked = forwarded.sender.asked.get(key);
      if (asked?.link === this && asked.id === number) {
        forwarded.sender.asked.delete(key);
      }
    }
    return forwarded;
  }

  receive(text: string): void {
    this.write(text);
  }

  refuse(idLiteral: string, code: number, message: string): void {
    this.write(errorJson(idLiteral, code, message));
  }

  /** Starts the limit of time for which the program may hold `initialize`. */
  startTimer(): void {
    this.stopTimer();
    this.timer = this.options.clock.after(this.hop.timeoutMs, () => this.options.timedOut());
  }

  stopTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }

  close(): void {
    this.stopTimer();
    this.hop.transport.close();
  }

  private read(text: string, damaged: boolean): void {
    this.isDamaged = damaged;
    try {
      this.sorter.read(text, damaged);
    } catch (thrown) {
      this.options.log.error(`${this.hop.name}: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
    }
    this.isDamaged = false;
  }

  private write(text: string): void {
    if (this.hasEnded) {
      return;
    }
    if ((this.hop.transport.backlog?.() ?? 0) > MAX_BACKLOG) {
      this.options.stuck();
      return;
    }
    // A message over a socket may have several lines, but a line break in JSON is never part of a value.
    const line = text.includes('\n') ? text.replace(/[\r\n]+/g, ' ') : text;
    this.hop.trace?.sent(line);
    this.hop.transport.write(line);
  }
}
