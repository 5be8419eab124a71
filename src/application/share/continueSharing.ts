/** Continues the sharing of the window before, at the same address and with the same tokens. Loaded when there may be one. */
import { failureOf } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';
import type { ShareAddress, Sharing } from '../../share/sharing';
import type { SharedSession } from '../../share/sharedSession';
import type { SharingRecord } from '../../share/sharingRecord';
import type { StoredSharing } from '../../share/storedSharing';

/** ms between two attempts to listen, and their number. The extension host before may still be ending. */
const RETRY_MS = 500;
const ATTEMPTS = 30;

export interface ContinueDependencies {
  readonly clock: Clock;
  readonly sharing: Pick<Sharing, 'add' | 'continue' | 'sessions' | 'start' | 'stop' | 'stored'>;
  readonly record: Pick<SharingRecord, 'discard' | 'read' | 'take'>;
  /** Reads a session back. Undefined for one that has ended or cannot be shared; `elsewhere`: another window has it. */
  session(key: string): Promise<SharedSession | 'elsewhere' | undefined>;
  /** Reads the user's own certificate. */
  ownCertificate(): Promise<NonNullable<ShareAddress['tls']> | undefined>;
}

/** The result. `unavailable`: the address of the window before cannot be used. */
export type Continued =
  | { readonly type: 'none' }
  | { readonly type: 'shared' }
  | { readonly type: 'unavailable'; readonly host: string; readonly port: number; readonly detail: string; readonly isTaken: boolean };

export async function continueSharing(deps: ContinueDependencies): Promise<Continued> {
  const { record, sharing } = deps;
  const stored = await record.read();
  if (!stored) {
    return { type: 'none' };
  }
  const found = await Promise.all(stored.sessions.map((key) => deps.session(key).catch(() => undefined)));
  const sessions = found.filter((each) => each !== undefined && each !== 'elsewhere');
  if (sessions.length === 0) {
    // Another window with this folder may serve them: the record is then its own.
    await (found.includes('elsewhere') ? undefined : record.discard());
    return { type: 'none' };
  }
  record.take();
  sharing.continue(stored);
  // Before the server listens, because a client that connects at once must find its session.
  sessions.forEach((session) => sharing.add(session));
  try {
    await listen(deps, await addressOf(stored, deps));
  } catch (error) {
    await sharing.stop();
    await record.discard();
    const { code } = error as NodeJS.ErrnoException;
    const { host, port } = stored;
    return { type: 'unavailable', host, port, detail: code ?? failureOf(error).detail ?? '', isTaken: code === 'EADDRINUSE' };
  }
  if (!sharing.stored) {
    await record.discard();
    return { type: 'none' }; // The sessions have ended meanwhile.
  }
  return { type: 'shared' };
}

/** Listens at the same port, never at another one. Ends without a server when the sessions end meanwhile. */
async function listen({ sharing, clock }: ContinueDependencies, address: ShareAddress): Promise<void> {
  for (let attempt = 1; sharing.sessions.length > 0; attempt++) {
    try {
      return await sharing.start(address);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (attempt === ATTEMPTS || (code !== 'EADDRINUSE' && code !== 'EADDRNOTAVAIL')) {
        throw error;
      }
    }
    await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
  }
}

/** @throws when the certificate is no longer valid, or the user has another one */
async function addressOf({ host, port, fingerprint, made }: StoredSharing, deps: ContinueDependencies): Promise<ShareAddress> {
  if (fingerprint === undefined) {
    return { host, port };
  }
  const { ownCertificate } = await import('../../share/certificate');
  const tls = made ? { ...ownCertificate(made.cert, made.key, deps.clock.now()), isMade: true } : await deps.ownCertificate();
  if (tls?.fingerprint !== fingerprint) {
    throw new Error('The certificate is another one.');
  }
  return { host, port, tls };
}
