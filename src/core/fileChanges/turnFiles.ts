/** The files of a turn in events and entries; `turnChanges.ts` computes them. */
import { array, boolean, type Infer, number, object, optional, string } from '../schema/schema';

const written = {
  path: string(),
  /** One of the operations of `FileChange`. */
  operation: string(),
  /** Line counts; absent when the texts were not reported, or are too long to count. */
  added: optional(number()),
  removed: optional(number()),
  /** The ids of the subagents that reported a change of the file; absent when none did. */
  subagents: optional(array(string())),
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
  /** The texts before and after the turn are stored. */
  kept: optional(boolean()),
  /** The version before the turn was not stored. */
  noBefore: optional(boolean()),
});
export type TurnFile = Infer<typeof turnFile>;

export const turnChanges = object({
  /** The files in the order in which they were first touched. */
  files: array(turnFile),
  /** The number of files that are not listed. */
  more: optional(number()),
});
export type TurnChanges = Infer<typeof turnChanges>;
