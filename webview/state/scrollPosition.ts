/** The user's scroll position in a conversation. */

/** An entry, and the distance of its top from the conversation's top, in px. */
export interface ScrollPosition {
  readonly entryId: string;
  readonly offset: number;
}

/** The position in one session, also while another session is shown. */
export interface SavedScrollPosition {
  /** The position when the session was shown last; undefined: the end is followed. */
  kept: ScrollPosition | undefined;
  /** Returns the current position. Set by the conversation. */
  read(): ScrollPosition | undefined;
  /** Scrolls to `kept`, which came from another page, once there is a conversation. Set by the conversation. */
  go(): void;
  /** The position may have changed. */
  moved(): void;
}
