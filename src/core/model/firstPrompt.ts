/** The beginning of the user's first message that has any text. */
export interface FirstPrompt {
  readonly messageId: string;
  /** The text as the user wrote it, cut to a limit. */
  readonly text: string;
  /** Ids of the earlier messages that have no text yet, in their order. The beginning of a message may come late. */
  readonly silent?: readonly string[];
}
