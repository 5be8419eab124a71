/** The beginning of the user's first message that has any text. */
export interface FirstPrompt {
  readonly messageId: string;
  /** The text as the user wrote it, cut to a limit. */
  readonly text: string;
  /** Ids of the messages before it, in their order, that have no text yet: the beginning of one may come late. */
  readonly silent?: readonly string[];
}
