/**
 * The limits of the agent's account (RFD "Quotas and Limits"): pools that usage is charged against, and the meters of each. The context and the cost
 * of a session are its `usage`.
 */
import { array, type Fields, type Infer, number, object, optional, string } from '../schema/schema';

/** An amount as the agent writes it. The unit is a currency of ISO 4217 or a word such as `requests`. */
const quantity = object({ value: string(), unit: optional(string()) });
export type Quantity = Infer<typeof quantity>;

const quotaMeter = object({
  /** Unique in its pool. */
  id: string(),
  label: optional(string()),
  /** May exceed 100. */
  usedPercent: optional(number()),
  used: optional(quantity),
  limit: optional(quantity),
  remaining: optional(quantity),
  /** An ISO 8601 duration, such as `PT5H`. */
  window: optional(string()),
  /** ms since the epoch */
  resetsAt: optional(number()),
  /** One of ok, warning and exceeded, or an unknown word. */
  status: optional(string()),
});
export type QuotaMeter = Infer<typeof quotaMeter>;

const quotaPool = object({
  /** Unique in the session. */
  id: string(),
  label: optional(string()),
  /** Only `available` means that the pool can be used. Absent when the agent does not know. */
  state: optional(string()),
  meters: array(quotaMeter),
});
export type QuotaPool = Infer<typeof quotaPool>;

/** The events of limits. @param base the fields of every event */
export const limitEvents = <const B extends Fields>(base: B) => ({
  /** The account's limits, complete. `updatedAt` is in RFC 3339. */
  quota: object({ ...base, pools: array(quotaPool), updatedAt: optional(string()) }),
  /** The conversation waits until this time and then continues by itself. Without a time it no longer waits. Stored with the queue, not journaled. */
  continue_scheduled: object({ ...base, continuesAt: optional(number()), turnId: optional(string()) }),
});

export interface Quota {
  readonly pools: readonly QuotaPool[];
}
