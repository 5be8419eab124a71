/** What is looked for in a conversation and what was found, between host and view. */

/** UTF-16 units */
export const MAX_QUERY = 1000;
export interface FindQuery {
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

export interface Found {
  /** All matches. */
  readonly count: number;
  /** There are more, which were not counted. */
  readonly capped: boolean;
  /** The entries with matches, in order, and how many each has. */
  readonly hits: readonly (readonly [entryId: string, count: number])[];
}
