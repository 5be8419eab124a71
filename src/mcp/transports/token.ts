/** Secrets that name a session to this window. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns a secret of 256 bits, in characters that a URL and a header may contain. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares in a time that does not depend on the texts. Their lengths are hidden by the hash. */
export function isSameToken(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
