/**
 * The proofs by which both ends of a connection show that they know the same secret. The secret itself is never sent: another program may listen where
 * the owner of the secret did. Each end chooses a challenge, and a proof counts for this pair of challenges and this side alone.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The challenges of both ends, that of the end which connects first. */
export type Challenges = readonly [connecting: string, listening: string];

const FORM = /^[\w-]{43}$/;

/** Returns a random text of 256 bits, in characters that a header may contain. */
export function newChallenge(): string {
  return randomBytes(32).toString('base64url');
}

export function isChallenge(value: unknown): value is string {
  return typeof value === 'string' && FORM.test(value);
}

export function proofOf(secret: string, side: 'connecting' | 'listening', challenges: Challenges): string {
  return createHmac('sha256', secret)
    .update([side, ...challenges].join(' '))
    .digest('base64url');
}

/** Compares in a time that does not depend on the proof. */
export function isProof(given: unknown, secret: string, side: 'connecting' | 'listening', challenges: Challenges): boolean {
  return (
    typeof given === 'string' && FORM.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(proofOf(secret, side, challenges)))
  );
}
