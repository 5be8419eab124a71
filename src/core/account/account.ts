/** The account that an agent uses (`auth/status`, unstable). It is only shown: nothing of it is stored or logged. */
import { type Fields, literal, object, optional, string } from '../schema/schema';

export interface AgentAccount {
  /** `unknown` for any other word. */
  readonly state: 'authenticated' | 'unauthenticated' | 'not_required' | 'unknown';
  /** The names of the accounts in use. */
  readonly label?: string;
}

/** @param base the fields of every event */
export const accountEvents = <const B extends Fields>(base: B) => ({
  /** Not journaled. */
  account: object({ ...base, state: literal('authenticated', 'unauthenticated', 'not_required', 'unknown'), label: optional(string()) }),
});
