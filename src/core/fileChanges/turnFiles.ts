/** The files of a turn, as events and entries tell of them; worked out by `turnChanges.ts`. */

/** One file that a turn changed. */
export interface TurnFile {
  readonly path: string;
  readonly oldPath?: string;
  /** As of {@link FileChange}. */
  readonly operation: string;
  /** Absent when they were not told, or too much to count. */
  readonly added?: number;
  readonly removed?: number;
  /** The texts of the change are in the turn's tool calls. */
  readonly hasText?: true;
}

export interface TurnChanges {
  /** In the order in which they were first touched. */
  readonly files: readonly TurnFile[];
  /** How many more there are. */
  readonly more?: number;
}

/** A file that was written for the agent, as the running turn remembers it. */
export type WrittenFile = Pick<TurnFile, 'path' | 'operation' | 'added' | 'removed'>;
