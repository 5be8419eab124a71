/**
 * The methods between a conductor and a proxy, in the proposal's words and in the older ones that programs still use. A conductor learns from a proxy
 * which of them it knows. Pure.
 */
import { membersOf } from '../json/source';

/** How a proxy and the conductor wrap messages of the successor. `isNested`: the message is a member of its own, and not flattened. */
export interface ProxyWords {
  readonly request: string;
  readonly notification: string;
  readonly isNested?: boolean;
}

const CURRENT: ProxyWords = { request: 'proxy/successor', notification: 'proxy/successor' };
/** The words of the Rust SDK, which have an underscore. */
const UNDERSCORED: ProxyWords = { request: '_proxy/successor', notification: '_proxy/successor' };
const SEPARATE: ProxyWords = { request: '_proxy/successor/request', notification: '_proxy/successor/notification' };
const RECEIVED: ProxyWords = {
  request: '_proxy/successor/receive/request',
  notification: '_proxy/successor/receive/notification',
  isNested: true,
};

/** The methods by which proxies send a message to their successor, each with the words for messages in the other direction. */
const SENT: ReadonlyMap<string, ProxyWords> = new Map([
  [CURRENT.request, CURRENT],
  [UNDERSCORED.request, UNDERSCORED],
  [SEPARATE.request, SEPARATE],
  [SEPARATE.notification, SEPARATE],
  ['_proxy/successor/send/request', RECEIVED],
  ['_proxy/successor/send/notification', RECEIVED],
]);

/** A method that starts a program as a proxy. */
export interface ProxyGreeting {
  readonly method: string;
  readonly words: ProxyWords;
  /** True when `initialize` itself carries the mark, and the answer must repeat it. */
  readonly isMarked?: boolean;
}

/** The ways in order. The next one is tried when a program does not know the method. */
export const GREETINGS: readonly [ProxyGreeting, ...ProxyGreeting[]] = [
  { method: 'proxy/initialize', words: CURRENT },
  { method: '_proxy/initialize', words: UNDERSCORED },
  { method: 'initialize', words: SEPARATE, isMarked: true },
];

/** The words of a method that carries a message for the successor. */
export function wordsOf(method: string): ProxyWords | undefined {
  return SENT.get(method);
}

export function isGreeting(method: string): boolean {
  return GREETINGS.some((greeting) => greeting.method === method);
}

/** A method and its parameters as source text, so that numbers keep their digits. */
export interface Carried {
  readonly method: string;
  /** Absent: the message has none. */
  readonly params?: string | undefined;
}

/** Returns the message in the params of {@link wordsOf}. @param params source text */
export function carried(params: string | undefined, { isNested = false }: ProxyWords): Carried | undefined {
  let members = membersOf(params ?? '');
  if (isNested) {
    members = membersOf(members.get('message') ?? '');
  }
  const method = textOf(members.get('method'));
  return method === undefined ? undefined : { method, params: members.get('params') };
}

/** Returns the peer that a message names. The proposal considers several successors, which a chain does not have. */
export function peerIn(params: string | undefined): string | undefined {
  return textOf(membersOf(params ?? '').get('peer'));
}

/** Returns the message as one of the successor's. @param id absent for a notification */
export function wrapped({ method, params }: Carried, words: ProxyWords, id: number | undefined): string {
  const inner = `{"method":${JSON.stringify(method)}${params === undefined ? '' : `,"params":${params}`}}`;
  return messageText(
    { method: id === undefined ? words.notification : words.request, params: words.isNested ? `{"message":${inner}}` : inner },
    id,
  );
}

/** Returns a request or a notification as text. */
export function messageText({ method, params }: Carried, id: number | undefined): string {
  const head = id === undefined ? '{"jsonrpc":"2.0"' : `{"jsonrpc":"2.0","id":${id}`;
  return `${head},"method":${JSON.stringify(method)}${params === undefined ? '' : `,"params":${params}`}}`;
}

/** Returns the params of `initialize` with the mark of a proxy. */
export function marked(params: string | undefined): string {
  const members = membersOf(params ?? '');
  const meta = membersOf(members.get('_meta') ?? '');
  meta.set('proxy', 'true');
  members.set('_meta', objectText(meta));
  return objectText(members);
}

/** True when the result of `initialize` repeats the mark. @param result source text */
export function isMarked(result: string | undefined): boolean {
  const meta = membersOf(membersOf(result ?? '').get('_meta') ?? '');
  const own = meta.get('proxy') ?? membersOf(meta.get('symposium') ?? '').get('proxy');
  return own !== undefined && own !== 'false' && own !== 'null';
}

/** Returns the result of `initialize` without the mark, which is between the conductor and the proxy. @param result source text */
export function unmarked(result: string): string {
  const members = membersOf(result);
  const meta = membersOf(members.get('_meta') ?? '');
  meta.delete('proxy');
  void (meta.size === 0 ? members.delete('_meta') : members.set('_meta', objectText(meta)));
  return objectText(members);
}

/** Returns the text of an object with another value of a member. @param value source text */
export function withMember(object: string, name: string, value: string): string {
  return objectText(membersOf(object).set(name, value));
}

function objectText(members: ReadonlyMap<string, string | undefined>): string {
  return `{${[...members].map(([name, value]) => `${JSON.stringify(name)}:${value ?? 'null'}`).join(',')}}`;
}

/** The text of a JSON string literal. */
function textOf(literal: string | undefined): string | undefined {
  return literal?.startsWith('"') ? (JSON.parse(literal) as string) : undefined;
}
