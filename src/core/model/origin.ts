/** The client from which a message or an answer came, where it was not this window. */
import { type Fields, object, string } from '../schema/schema';

/** The maximum number of UTF-16 units of a client's name in the conversation. */
const MAX_NAME = 200;

/** The schema of the event about it. @param base the fields of every event */
export function originEvents<const B extends Fields>(base: B) {
  return {
    /** The user has sent this message, or answered this question, from another client of the protocol. */
    entry_origin: object({ ...base, entryId: string(), client: string({ min: 1, max: MAX_NAME }) }),
  };
}

/** An entry that can come from another client. */
export interface FromClient {
  /** The client's name by itself. Untrusted text. */
  readonly from?: string;
}
