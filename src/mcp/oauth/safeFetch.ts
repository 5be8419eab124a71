/** Requests of a sign-in: to checked addresses, with limits of time and size. */
import { checkedAddress } from './addresses';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** ms of one request. */
const MAX_MS = 15_000;
const MAX_REDIRECTS = 3;
/** Bytes of an answer. */
const MAX_BYTES = 1_000_000;

/**
 * Returns a `fetch` for a sign-in at `server`. It follows redirects of requests without a body alone, so that no code and no token reaches another
 * address.
 *
 * @param cancelled aborts all requests
 */
export function safeFetch(server: string, request: Fetch, cancelled?: AbortSignal): Fetch {
  return async (address, init = {}) => {
    const signal = AbortSignal.any([AbortSignal.timeout(MAX_MS), ...(cancelled ? [cancelled] : []), ...(init.signal ? [init.signal] : [])]);
    let url = checkedAddress(address, server);
    for (let redirects = 0; ; redirects++) {
      const response = await request(url, { ...init, redirect: 'manual', signal, credentials: 'omit' });
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) {
        return limited(response);
      }
      await response.body?.cancel();
      if ((init.method ?? 'GET') !== 'GET' || redirects === MAX_REDIRECTS) {
        throw new Error(`unexpected redirect of ${url.origin}`);
      }
      url = checkedAddress(new URL(location, url), server);
    }
  };
}

async function limited(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      throw new Error(`more than ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  // The body is decoded already.
  const plain = new Headers(headers);
  plain.delete('content-encoding');
  plain.delete('content-length');
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, statusText, headers: plain });
}
