/**
 * Runs a chain of proxies between the client and an agent (RFD "Agent Extensions via ACP Proxies"). It takes the part of the conductor: each program
 * has a connection to it alone, and it routes every message to the neighbour that the message is for. For the client, the whole is one transport.
 * docs/decisions/wire/proxy-chains.md has the reasons.
 */
import type { Failure } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { MessageReader, MessageTransport, TransportEnd } from '../../core/model/transport';
import type { Fields } from '../json/fields';
import { isRecord } from '../json/fields';
import { idKey, idLiteral, membersOf } from '../json/source';
import { errorJson } from '../jsonrpc/incoming';
import { readOversizedFrame } from '../jsonrpc/oversizedFrame';
import { RPC } from '../jsonrpc/rpc';
import { type Forwarded, type Hop, Link, type Sender } from './link';
import { type Carried, carried, GREETINGS, isGreeting, isMarked, marked, peerIn, unmarked, withMember, wordsOf } from './proxyMethods';

export interface ChainOptions {
  readonly clock: Clock;
  readonly log: Log;
}

const CANCEL = '$/cancel_request';
/** ms without a message after which the programs that still run have passed on what an ended one had sent, and the most ms to wait for that. */
const QUIET_MS = 150;
const DRAIN_MS = 1500;

/** @param proxies the first is next to the client; at least one */
export function proxyChain(proxies: readonly Hop[], agent: Hop, options: ChainOptions): MessageTransport {
  return new Conductor(proxies, agent, options);
}

class Conductor implements MessageTransport {
  private readonly links: readonly Link[];
  private readonly client: Sender;
  private reader: (MessageReader & { end(end: TransportEnd): void }) | undefined;
  /** The end to report once every program has ended. Set when the chain is closing. */
  private end: TransportEnd | undefined;
  private isClosed = false;
  private drain: Disposable | undefined;
  private drainUntil = 0;

  constructor(
    proxies: readonly Hop[],
    agent: Hop,
    private readonly options: ChainOptions,
  ) {
    this.client = { asked: new Map(), receive: (text, damaged) => this.reader?.message(text, damaged) };
    this.links = [...proxies, agent].map((hop, position): Link => {
      const link: Link = new Link(
        hop,
        position,
        {
          request: (method, message, text, damaged) => this.requested(link, method, message, text, damaged),
          notification: (method, params, text) => this.notified(link, method, params, text),
          response: (message, text) => this.responded(link, message, text),
        },
        {
          ...options,
          stuck: () => this.fail({ failure: this.failureOf(link, 'proxy.not_reading') }),
          timedOut: () => this.timedOut(link),
        },
      );
      return link;
    });
  }

  read(reader: MessageReader & { end(end: TransportEnd): void }): void {
    this.reader = reader;
    for (const link of this.links) {
      link.listen(
        (end) => this.ended(link, end),
        (bytes, head, tail) => this.skipped(link, bytes, head, tail),
      );
    }
  }

  /** Takes a message of the client. */
  write(text: string): boolean {
    if (this.end) {
      return false;
    }
    const [first] = this.links;
    const members = membersOf(text);
    const method = members.get('method');
    const id = members.get('id');
    if (method === undefined) {
      // The client answers with the id that the first proxy has chosen.
      first!.receive(text);
      return true;
    }
    const message = { method: JSON.parse(method) as string, params: members.get('params') };
    if (id === undefined) {
      this.notify(this.client, message, first!, text);
    } else {
      this.request(this.client, id, message, first!);
    }
    return true;
  }

  close(): void {
    if (!this.isClosed) {
      this.isClosed = true;
      this.end ??= {};
      this.drain?.dispose();
      this.links.forEach((link) => link.close());
      this.settle();
    }
  }

  describe(): ReturnType<MessageTransport['describe']> {
    return this.links.at(-1)!.hop.transport.describe();
  }

  // Routing.

  private requested(link: Link, method: string, message: Fields, text: string, damaged: boolean): void {
    const id = idLiteral(message.id, text, ['id']);
    if (id === undefined) {
      link.refuse('null', RPC.invalidRequest, 'Invalid request: id must be a string, a number or null');
      return;
    }
    if (damaged) {
      link.refuse(id.includes('\ufffd') ? 'null' : id, RPC.parseError, 'Parse error: invalid UTF-8');
      return;
    }
    this.active();
    const params = membersOf(text).get('params');
    const words = wordsOf(method);
    if (!words) {
      this.requestUp(link, id, { method, params }, text);
      return;
    }
    const next = this.links[link.position + 1];
    const inner = carried(params, words);
    const peer = peerIn(params);
    if (!next) {
      link.refuse(id, RPC.methodNotFound, `Method not found: ${method}. An agent has no successor`);
    } else if (!inner || wordsOf(inner.method)) {
      link.refuse(id, RPC.invalidParams, 'Invalid params: method must name a method of the successor');
    } else if (peer !== undefined) {
      link.refuse(id, RPC.invalidParams, 'Invalid params: there is no such peer');
    } else if (inner.method === 'proxy/initialize' && method !== 'proxy/successor') {
      // The proxy passes on what it does not know, so it knows the older method only.
      link.refuse(id, RPC.methodNotFound, `Method not found: ${inner.method}`);
    } else {
      link.words = words;
      this.request(link, id, inner, next);
    }
  }

  private requestUp(link: Link, id: string, message: Carried, text: string): void {
    const previous = this.links[link.position - 1];
    const requestId = message.method === 'elicitation/create' ? membersOf(message.params ?? '').get('requestId') : undefined;
    const cause = requestId === undefined ? undefined : link.named(requestId);
    if (cause) {
      // The question names the request that it is about. Each connection has its own ids.
      const params = withMember(message.params ?? '', 'requestId', cause.idLiteral);
      if (previous) {
        previous.forward({ ...message, params }, { sender: link, idLiteral: id }, true);
      } else {
        this.client.receive(withMember(text, 'params', params), false);
      }
      return;
    }
    if (!previous) {
      this.client.receive(text, false);
    } else if (!previous.forward(message, { sender: link, idLiteral: id }, true)) {
      link.refuse(id, RPC.internalError, `${previous.hop.name} has too many open requests`);
    }
  }

  private notified(link: Link, method: string, params: unknown, text: string): void {
    this.active();
    const source = membersOf(text).get('params');
    const words = wordsOf(method);
    if (!words) {
      this.notifyUp(link, { method, params: source }, params, text);
      return;
    }
    const next = this.links[link.position + 1];
    const inner = carried(source, words);
    if (!next || !inner || wordsOf(inner.method) || peerIn(source) !== undefined) {
      link.log.warn('A notification for a neighbour that does not exist', text);
      return;
    }
    link.words = words;
    this.notify(link, inner, next, undefined);
  }

  private notifyUp(link: Link, message: Carried, params: unknown, text: string): void {
    const previous = this.links[link.position - 1];
    if (message.method === CANCEL) {
      const id = isRecord(params) ? idLiteral(params.requestId, text, ['params', 'requestId']) : undefined;
      if (id === undefined || this.cancel(link, id) || previous) {
        return;
      }
    }
    if (previous) {
      previous.notify(message, true);
    } else {
      this.client.receive(text, link.isDamaged);
    }
  }

  /** Sends a request of `sender` to its successor. */
  private request(sender: Sender, id: string, message: Carried, to: Link): void {
    const isProxy = to.position < this.links.length - 1;
    if (isGreeting(message.method)) {
      if (sender instanceof Link) {
        sender.stopTimer();
      }
      this.greet(to, { sender, idLiteral: id, greeting: { index: isProxy ? to.greetingIndex : -1, params: message.params } });
    } else if (!to.forward(message, { sender, idLiteral: id }, false)) {
      // The client must not get an answer while it sends.
      queueMicrotask(() => sender.receive(errorJson(id, RPC.internalError, `${to.hop.name} has too many open requests`), false));
    }
  }

  /** Sends the start of the protocol: to a proxy in the words that it knows, to the agent as `initialize`. */
  private greet(to: Link, from: Omit<Forwarded, 'method'> & Required<Pick<Forwarded, 'greeting'>>): void {
    const { index, params } = from.greeting;
    const greeting = GREETINGS[index];
    if (greeting) {
      to.greetingIndex = index;
      to.words = greeting.words;
    }
    to.startTimer();
    to.forward({ method: greeting?.method ?? 'initialize', params: greeting?.isMarked ? marked(params) : params }, from, false);
  }

  /** @param text the message itself, which may be sent as it is */
  private notify(sender: Sender, message: Carried, to: Link, text: string | undefined): void {
    if (message.method !== CANCEL) {
      void (text === undefined ? to.notify(message, false) : to.receive(text));
      return;
    }
    const id = membersOf(message.params ?? '').get('requestId');
    if (id !== undefined) {
      this.cancel(sender, id);
    }
  }

  /** Cancels a request of `sender` where it was sent. Returns false when there is none with this id. */
  private cancel(sender: Sender, id: string): boolean {
    const asked = sender.asked.get(idKey(id));
    asked?.link.notify({ method: CANCEL, params: `{"requestId":${asked.id}}` }, asked.isWrapped);
    return asked !== undefined;
  }

  private responded(link: Link, message: Fields, text: string): void {
    this.active();
    const forwarded = link.take(message.id);
    if (!forwarded) {
      link.log.warn('An answer to nothing it was asked', text);
      return;
    }
    const members = membersOf(text);
    if (forwarded.greeting && this.greeted(link, forwarded, members, message)) {
      return;
    }
    const result = members.get('result');
    if (result?.startsWith('{') && GREETINGS[forwarded.greeting?.index ?? -1]?.isMarked) {
      members.set('result', unmarked(result));
    }
    const rest = ['result', 'error'].flatMap((name) => (members.has(name) ? `,"${name}":${members.get(name) ?? 'null'}` : []));
    forwarded.sender.receive(`{"jsonrpc":"2.0","id":${forwarded.idLiteral}${rest.join('')}}`, link.isDamaged);
  }

  /** Handles an answer to the start of the protocol. Returns true when another attempt follows or the chain has failed. */
  private greeted(link: Link, forwarded: Forwarded, members: ReadonlyMap<string, string | undefined>, { error }: Fields): boolean {
    const { index, params } = forwarded.greeting!;
    link.stopTimer();
    // The official SDK refuses every other method before `initialize` as an invalid request.
    const isUnknown = isRecord(error) && [RPC.methodNotFound, RPC.invalidRequest].some((code) => code === Number(error.code));
    const isLast = index === GREETINGS.length - 1;
    if (index >= 0 && !link.isReady) {
      if (isUnknown && !isLast) {
        this.greet(link, { ...forwarded, greeting: { index: index + 1, params } });
        return true;
      }
      if (isUnknown || (isLast && (error ?? null) === null && !isMarked(members.get('result')))) {
        this.fail({ failure: this.failureOf(link, 'proxy.not_a_proxy') });
        return true;
      }
    }
    link.isReady = (error ?? null) === null;
    // The proxy that has forwarded it must answer now.
    if (forwarded.sender instanceof Link && forwarded.sender.isStarting) {
      forwarded.sender.startTimer();
    }
    return false;
  }

  /** Answers for a message that is too long to read, so that no program waits for it. */
  private skipped(link: Link, bytes: number, head: string, tail: string): void {
    const { idLiteral: id, kind } = readOversizedFrame(head, tail) ?? {};
    if (id === undefined) {
      return;
    }
    const text = `${link.hop.name} sent a message of ${bytes} bytes, more than this client reads`;
    const forwarded = kind === 'call' ? undefined : link.take(JSON.parse(id));
    if (forwarded) {
      forwarded.sender.receive(errorJson(forwarded.idLiteral, RPC.internalError, text), false);
    } else if (kind !== 'response') {
      link.refuse(id, RPC.invalidRequest, `Invalid request: ${text}`);
    }
  }

  // The end.

  private ended(link: Link, end: TransportEnd): void {
    if (!this.end) {
      this.fail(this.isAgent(link) ? end : this.endOf(link, end), !end.failure);
    }
    this.settle();
  }

  private timedOut(link: Link): void {
    const { timeoutMs } = link.hop;
    this.fail({
      failure: this.isAgent(link)
        ? { code: 'request.timeout', params: { method: 'initialize', timeoutMs } }
        : this.failureOf(link, 'proxy.start_timeout', { timeoutMs }),
    });
  }

  /** Ends the chain for one reason. @param isDrained what was sent before is passed on first */
  private fail(end: TransportEnd, isDrained = false): void {
    if (this.end) {
      return;
    }
    this.end = end;
    if (!isDrained) {
      this.close();
      return;
    }
    this.reader?.closing();
    this.drainUntil = this.options.clock.now() + DRAIN_MS;
    this.active();
  }

  /** Called with each message. Delays the end until no more come. */
  private active(): void {
    if (this.end && !this.isClosed) {
      this.drain?.dispose();
      const left = Math.max(0, this.drainUntil - this.options.clock.now());
      this.drain = this.options.clock.after(Math.min(QUIET_MS, left), () => this.close());
    }
  }

  /** Reports the end when every program has ended. */
  private settle(): void {
    if (this.isClosed && this.end && this.links.every((link) => link.hasEnded)) {
      const { reader, end } = this;
      this.reader = undefined;
      reader?.end(end);
    }
  }

  private isAgent(link: Link): boolean {
    return link.position === this.links.length - 1;
  }

  /** The end of a proxy, as the end of the connection. */
  private endOf(link: Link, { exitCode, signal, stderrTail, failure }: TransportEnd): TransportEnd {
    if (failure) {
      const { code, params = {}, detail } = failure;
      return { failure: this.failureOf(link, 'proxy.not_started', { ...params, reason: code }, detail) };
    }
    const params = { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) };
    return { failure: this.failureOf(link, link.isReady ? 'proxy.exited' : 'proxy.exited_at_start', params, stderrTail) };
  }

  private failureOf({ hop }: Link, code: Failure['code'], params: Failure['params'] = {}, detail?: string): Failure {
    return {
      code,
      params: { ...params, proxy: hop.name, ...(hop.commandLine !== undefined && { commandLine: hop.commandLine }) },
      ...(detail && { detail }),
    };
  }
}
