/** The addresses that a sign-in may use. A server names most of them, and may be hostile. */
import { isLoopback, isPrivateAddress } from '../../core/platform/privateAddress';

/** Thrown for an address that a sign-in may not use. */
export class RefusedAddress extends Error {
  constructor(readonly address: string) {
    super(`refused address: ${address.slice(0, 300)}`);
  }
}

/**
 * Returns the address when a sign-in at `server` may use it. Only `https`, and `http` on this machine, keep a code or a token secret. A server on the
 * internet must not make the window ask a machine of the user's own network.
 *
 * @throws RefusedAddress
 */
export function checkedAddress(address: string | URL, server: string): URL {
  const text = String(address);
  if (!URL.canParse(text)) {
    throw new RefusedAddress(text);
  }
  const url = new URL(text);
  const isLocal = isLoopback(url.hostname);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
  const isPrivate = isLocal || isPrivateAddress(url.hostname);
  if (!isSafe || url.username !== '' || url.password !== '' || (isPrivate && !isPrivateServer(server))) {
    throw new RefusedAddress(text);
  }
  return url;
}

function isPrivateServer(server: string): boolean {
  const { hostname } = new URL(server);
  return isLoopback(hostname) || isPrivateAddress(hostname);
}
