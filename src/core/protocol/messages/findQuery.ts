/** The search in a conversation and its result, between host and view. */

/** UTF-16 units. */
export const MAX_QUERY = 1000;
export interface FindQuery {
  readonly text: string;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
}

export interface Found {
  /** The number of matches. */
  readonly count: number;
  /** True when there are more matches, which were not counted. */
  readonly capped: boolean;
  /** The entries with matches, in order, and the number of matches of each. */
  readonly hits: readonly (readonly [entryId: string, count: number])[];
}
