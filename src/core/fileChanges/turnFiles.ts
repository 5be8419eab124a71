/** The files of a turn, as events and entries tell of them; worked out by `turnChanges.ts`. */
import { array, boolean, type Infer, number, object, optional, string } from '../model/schema';

const written = {
  path: string(),
  /** As of `FileChange`. */
  operation: string(),
  /** Absent when they were not told, or too much to count. */
  added: optional(number()),
  removed: optional(number()),
};

/** A file that was written for the agent, as the running turn remembers it. */
export const writtenFile = object(written);
export type WrittenFile = Infer<typeof writtenFile>;

/** One file that a turn changed. */
const turnFile = object({
  ...written,
  oldPath: optional(string()),
  /** The texts of the change are in the turn's tool calls. */
  hasText: optional(boolean()),
  /** The texts before and after the turn are kept. */
  kept: optional(boolean()),
  /** What it was before the turn was not kept. */
  noBefore: optional(boolean()),
});
export type TurnFile = Infer<typeof turnFile>;

export const turnChanges = object({
  /** In the order in which they were first touched. */
  files: array(turnFile),
  /** How many more there are. */
  more: optional(number()),
});
export type TurnChanges = Infer<typeof turnChanges>;
