/** The pages, callbacks and device codes in the output of a sign-in. Pure. */
import { withoutSequences } from '../../text/ansi/sequences';

/** The local address to which a sign-in page returns. */
export interface Callback {
  readonly port: number;
}

/** New facts in the output. */
export interface SignInFacts {
  /** A page whose sign-in returns to a port of the agent's machine. */
  readonly callback?: Callback;
  /** A code that the user enters on a page. */
  readonly device?: { readonly code: string; readonly page: string };
}

/** UTF-16 units of the output that are searched. */
const MAX_OUTPUT = 16_000;
/** Printable ASCII without quotation marks and angle brackets, which surround addresses. */
const ADDRESS = /https?:\/\/[!#-&(-;=?-_a-~]+/g;
/** Two groups of letters and digits, as in RFC 8628. */
const CODE = /\b[A-Z0-9]{3,5}-[A-Z0-9]{3,5}\b/g;
const MAX_PORT = 65_535;

export class SignInOutput {
  private text = '';
  private readonly ports = new Set<number>();
  private code = '';

  /** Adds output. Returns what it contains for the first time. */
  push(text: string): SignInFacts {
    this.text = (this.text + text).slice(-MAX_OUTPUT);
    const shown = withoutSequences(this.text);
    // An address at the end may continue.
    const addresses = [...shown.matchAll(ADDRESS)]
      .filter(({ 0: found, index }) => index + found.length < shown.length)
      .map(([found]) => withoutDot(found));
    const callback = addresses.map(callbackOf).find((each) => each && !this.ports.has(each.port));
    const device = this.deviceIn(shown, addresses);
    if (callback) {
      this.ports.add(callback.port);
    }
    this.code = device?.code ?? this.code;
    return { ...(callback && { callback }), ...(device && { device }) };
  }

  private deviceIn(shown: string, addresses: readonly string[]): SignInFacts['device'] {
    const words = addresses.reduce((rest, address) => rest.replaceAll(address, ' '), shown);
    const code = /\bcode\b/i.test(words) ? words.match(CODE)?.at(-1) : undefined;
    const page = addresses.findLast((address) => callbackOf(address) === undefined && address.startsWith('https://'));
    return code !== undefined && code !== this.code && page !== undefined ? { code, page } : undefined;
  }
}

/** Returns the loopback address to which a sign-in page returns, from its parameters; undefined when there is none. */
export function callbackOf(address: string): Callback | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  for (const [name, value] of url?.searchParams ?? []) {
    const target = /^(?:redirect|callback|return)/i.test(name) && URL.canParse(value) ? new URL(value) : undefined;
    if (target && isLoopback(target)) {
      return { port: Number(target.port) };
    }
  }
  return undefined;
}

/** The parts of a callback that the user has pasted. */
export interface PastedCallback extends Callback {
  readonly host: '127.0.0.1' | '::1';
  /** The path with its parameters, which contain the secret of the sign-in. */
  readonly path: string;
}

/** Reads the address of the page that failed to load; undefined when it is not one of this machine. */
export function pastedCallback(text: string): PastedCallback | undefined {
  const address = text.trim();
  const url = URL.canParse(address) && !/\s/.test(address) ? new URL(address) : undefined;
  if (!url || !isLoopback(url) || url.username || url.password || url.search === '') {
    return undefined;
  }
  return { port: Number(url.port), host: url.hostname === '[::1]' ? '::1' : '127.0.0.1', path: url.pathname + url.search };
}

/** True for http on this machine with a port of its own. */
function isLoopback({ protocol, hostname, port }: URL): boolean {
  return protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) && Number(port) > 0 && Number(port) <= MAX_PORT;
}

/** The end of a sentence is not part of its address. */
function withoutDot(address: string): string {
  return address.replace(/[.,;:!?)\]]+$/, '');
}
