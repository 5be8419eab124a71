/** The part of a sharing that a later window needs to continue it: neither tokens nor texts of a session. Pure. */
import { isIP } from 'node:net';
import { array, custom, type Infer, integer, literal, object, optional, string } from '../core/schema/schema';

/** The form of the record. A window ignores other forms. */
const FORM = 1;
/** Characters of a certificate or of its key. */
const MAX_PEM = 64 * 1024;
const MAX_SESSIONS = 1000;
const MAX_ACCESSES = 1000;
const MAX_WAITING = 1000;
/** Characters of the whole record. */
const MAX_RECORD = 4 * 1024 * 1024;

const matching = (form: RegExp) => custom<string>((value) => typeof value === 'string' && form.test(value));
const accessId = matching(/^[\w-]{8}$/);
const sessionKey = matching(/^[a-z0-9-]{1,100}$/);
const id = string({ min: 1, max: 200 });

const storedAccess = object({
  accessId,
  right: literal('answer', 'read'),
  /** ms since the epoch */
  at: integer(),
  /** SHA-256 of the token, in hexadecimal digits. */
  hash: matching(/^[0-9a-f]{64}$/),
});
export type StoredAccess = Infer<typeof storedAccess>;

const storedSharing = object({
  host: custom<string>((value) => typeof value === 'string' && isIP(value) !== 0),
  port: integer({ min: 1, max: 65_535 }),
  /** SHA-256 of the certificate. Absent on loopback. */
  fingerprint: optional(matching(/^[0-9a-f]{64}$/)),
  /** The certificate that this sharing made. Absent for the user's own, which stays in its files. */
  made: optional(object({ cert: string({ min: 1, max: MAX_PEM }), key: string({ min: 1, max: MAX_PEM }) })),
  sessions: array(sessionKey, { min: 1, max: MAX_SESSIONS }),
  accesses: array(storedAccess, { max: MAX_ACCESSES }),
  /** The messages of clients in the queues of sessions, which **Revoke** removes. */
  waiting: array(object({ accessId, clientId: id, key: sessionKey, turnId: id }), { max: MAX_WAITING }),
});
export type StoredSharing = Infer<typeof storedSharing>;
/** A message of a client that waits in the queue of a session. */
export type WaitingMessage = StoredSharing['waiting'][number];

export function textOfSharing(sharing: StoredSharing): string {
  return JSON.stringify({ ...sharing, form: FORM });
}

/** Returns the sharing in a text of {@link textOfSharing}. Undefined for any other text: then nothing is shared again. */
export function sharingIn(text: string | undefined): StoredSharing | undefined {
  if (text === undefined || text.length > MAX_RECORD) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    return (value as { form?: unknown } | null)?.form === FORM && storedSharing.validate(value) ? storedSharing.parse(value) : undefined;
  } catch {
    return undefined;
  }
}
