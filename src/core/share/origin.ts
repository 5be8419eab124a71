/** Other clients of a shared session: those that are attached, and the one from which a message or an answer came. */
import { type Fields, integer, object, optional, string } from '../schema/schema';

/** The maximum number of UTF-16 units of a client's name in the conversation. */
const MAX_NAME = 200;

/** The schemas of the events about them. @param base the fields of every event */
export function originEvents<const B extends Fields>(base: B) {
  return {
    /** The user has sent this message, or answered this question, from another client of the protocol. */
    entry_origin: object({ ...base, entryId: string(), client: string({ min: 1, max: MAX_NAME }) }),
    /** The session is shared, and so many clients have opened it; without a number, it no longer is. Not journaled: a sharing ends with its window. */
    sharing: object({ ...base, clients: optional(integer({ min: 0 })) }),
  };
}

/** A shared session. */
export interface SharingState {
  /** The clients that have opened the session. */
  readonly clients: number;
}

/** An entry that can come from another client. */
export interface FromClient {
  /** The client's name by itself. Untrusted text. */
  readonly from?: string;
}
