/** The tokens of one sharing. Only their hashes are stored. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ShareAccess, ShareRight } from '../core/share/share';
import type { StoredAccess } from './storedSharing';

/** A token is the id of its access and a secret of 256 bits. */
const ID_BYTES = 6;
const SECRET_BYTES = 32;
const FORM = /^[\w-]{8}[\w-]{43}$/;
const ID_LENGTH = 8;

interface Hashed extends ShareAccess {
  readonly hash: Buffer;
}

export class Accesses {
  private readonly stored = new Map<string, Hashed>();

  get all(): readonly ShareAccess[] {
    return [...this.stored.values()].map(({ accessId, right, at }) => ({ accessId, right, at }));
  }

  /** The accesses for the next window. No token can be made from a hash. */
  get hashes(): readonly StoredAccess[] {
    return [...this.stored.values()].map(({ hash, ...access }) => ({ ...access, hash: hash.toString('hex') }));
  }

  /** Adds the accesses of the window before, so that their tokens stay valid. */
  restore(accesses: readonly StoredAccess[]): void {
    accesses.forEach(({ hash, ...access }) => this.stored.set(access.accessId, { ...access, hash: Buffer.from(hash, 'hex') }));
  }

  /** Makes a token. The caller shows it once and does not store it. */
  issue(right: ShareRight, at: number): { readonly accessId: string; readonly token: string } {
    const accessId = randomBytes(ID_BYTES).toString('base64url');
    const token = accessId + randomBytes(SECRET_BYTES).toString('base64url');
    this.stored.set(accessId, { accessId, right, at, hash: hashOf(token) });
    return { accessId, token };
  }

  revoke(accessId: string): void {
    this.stored.delete(accessId);
  }

  clear(): void {
    this.stored.clear();
  }

  /** Returns the id of the access that the token claims, without checking its secret. Undefined for another text. */
  claimed(token: string): string | undefined {
    const accessId = token.slice(0, ID_LENGTH);
    return FORM.test(token) && this.stored.has(accessId) ? accessId : undefined;
  }

  /** Returns the access of a valid token. The time does not depend on the secret. */
  check(token: string): ShareAccess | undefined {
    const stored = FORM.test(token) ? this.stored.get(token.slice(0, ID_LENGTH)) : undefined;
    return stored && timingSafeEqual(stored.hash, hashOf(token)) ? stored : undefined;
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
