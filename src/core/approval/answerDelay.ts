/** Time in ms after a question appears or moves under the pointer in which it ignores answers, because the user cannot have read it yet. */
export const ANSWER_DELAY_MS = 500;
