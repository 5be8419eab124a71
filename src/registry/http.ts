/** Requests with bounds of size and time, and with redirects that never leave a safe scheme. */
import { isLoopback } from '../core/platform/privateAddress';
import type { RequestReason } from './registryReasons';

/** The part of the global `fetch` that is used. VS Code's has its proxy settings and certificates. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The bounds of a request. Times are ms. */
export interface RequestLimits {
  readonly maxBytes: number;
  /** The time until the response's headers, and then between two chunks of its body. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface RequestOptions {
  readonly limits: RequestLimits;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes of the body that were received, and the total when the server names it. */
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The address after redirects. */
  readonly url: string;
  /** Rejects with {@link RequestError}. Must be read to its end, or ended by `return`. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A request without a usable response. */
export class RequestError extends Error {
  constructor(
    readonly reason: RequestReason,
    readonly params: Readonly<Record<string, string | number>> = {},
    /** External text, such as the system's error. */
    readonly detail?: string,
  ) {
    super(detail === undefined ? reason : `${reason}: ${detail}`);
    this.name = 'RequestError';
  }
}

const MAX_REDIRECTS = 10;
const MEGABYTE = 1024 * 1024;

/** Returns the address when it may be requested: https, or http on this machine. Credentials in an address are refused. */
export function safeAddress(text: string, base?: string): URL | undefined {
  if (text.length > 4096 || !URL.canParse(text, base)) {
    return undefined;
  }
  const url = new URL(text, base);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSafe && url.username === '' && url.password === '' ? url : undefined;
}

/** Requests `address` and follows redirects. @throws RequestError also for each status except 2xx and 304 */
export async function request(fetch: Fetch, address: string, options: RequestOptions): Promise<Answer> {
  const url = safeAddress(address);
  if (!url) {
    throw new RequestError(URL.canParse(address) ? 'other_scheme' : 'bad_address', { url: shown(address) });
  }
  const running = new RunningRequest(options);
  try {
    return await follow(fetch, url, options, running);
  } catch (error) {
    running.end();
    throw running.explain(error, 'no_connection');
  }
}

/** Requests a text. @returns undefined for 304 */
export async function requestText(
  fetch: Fetch,
  address: string,
  options: RequestOptions,
): Promise<{ readonly text: string; readonly headers: Headers } | undefined> {
  const { status, headers, body } = await request(fetch, address, options);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    chunks.push(chunk);
  }
  return status === 304 ? undefined : { text: Buffer.concat(chunks).toString('utf8'), headers };
}

async function follow(fetch: Fetch, first: URL, { headers, limits, onProgress }: RequestOptions, running: RunningRequest): Promise<Answer> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url.href, { ...(headers && { headers: { ...headers } }), redirect: 'manual', signal: running.signal });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && response.status !== 304 && location !== null) {
      await response.body?.cancel();
      const next = safeAddress(location, url.href);
      // An address of the internet must not lead to a service on this machine.
      if (!next || (url.protocol === 'https:' && next.protocol !== 'https:')) {
        throw new RequestError('other_scheme', { url: shown(location) });
      }
      if (redirects === MAX_REDIRECTS) {
        throw new RequestError('too_many_redirects', { url: shown(first.href) });
      }
      url = next;
      continue;
    }
    if (!response.ok && response.status !== 304) {
      await response.body?.cancel();
      throw new RequestError('http_status', { status: response.status, url: shown(url.href) });
    }
    const declared = Number(response.headers.get('content-length') ?? Number.NaN);
    const total = Number.isFinite(declared) && !response.headers.has('content-encoding') ? declared : undefined;
    if (total !== undefined && total > limits.maxBytes) {
      await response.body?.cancel();
      throw tooLarge(limits);
    }
    const body = response.status === 304 ? [] : (response.body ?? []);
    return { status: response.status, headers: response.headers, url: url.href, body: read(body, total, limits, running, onProgress) };
  }
}

async function* read(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  total: number | undefined,
  limits: RequestLimits,
  running: RunningRequest,
  onProgress: RequestOptions['onProgress'],
): AsyncGenerator<Uint8Array> {
  let done = 0;
  try {
    for await (const chunk of body) {
      running.alive();
      done += chunk.length;
      if (done > limits.maxBytes) {
        throw tooLarge(limits);
      }
      onProgress?.(done, total);
      yield chunk;
    }
    if (total !== undefined && done < total) {
      throw new RequestError('cut_off');
    }
  } catch (error) {
    throw running.explain(error, 'cut_off');
  } finally {
    running.end();
  }
}

/** The timers of a request, and the reason why it was aborted. */
class RunningRequest {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly total: NodeJS.Timeout;
  private idle: NodeJS.Timeout | undefined;
  private isTooSlow = false;

  constructor(private readonly options: RequestOptions) {
    const { signal, limits } = options;
    this.signal = signal ? AbortSignal.any([signal, this.controller.signal]) : this.controller.signal;
    this.total = setTimeout(() => this.tooSlow(), limits.totalMs);
    this.alive();
  }

  /** Starts the time between two chunks again. */
  alive(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.tooSlow(), this.options.limits.idleMs);
  }

  end(): void {
    clearTimeout(this.idle);
    clearTimeout(this.total);
  }

  /** @param otherwise the reason for an error of the network */
  explain(error: unknown, otherwise: RequestReason): RequestError {
    if (error instanceof RequestError) {
      return error;
    }
    if (this.options.signal?.aborted) {
      return new RequestError('cancelled');
    }
    if (this.isTooSlow) {
      return new RequestError('too_slow');
    }
    const { cause } = error as { readonly cause?: unknown };
    const source = cause instanceof Error ? cause : error;
    return new RequestError(otherwise, {}, source instanceof Error ? source.message || source.name : String(source));
  }

  private tooSlow(): void {
    this.isTooSlow = true;
    this.controller.abort();
  }
}

function tooLarge({ maxBytes }: RequestLimits): RequestError {
  return new RequestError('too_large', { megabytes: Math.max(1, Math.round(maxBytes / MEGABYTE)) });
}

/** An address for display, without query and credentials, which may be secrets. */
function shown(address: string): string {
  return address
    .replace(/[?#].*$/s, '')
    .replace(/\/\/[^/@]*@/, '//')
    .slice(0, 300);
}
