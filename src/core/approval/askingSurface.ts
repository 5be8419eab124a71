/** Decides whether a permission request is asked on its card in the conversation or in a quick pick. Pure. */
/** The place where permission requests are asked: on the card or in a quick pick depending on the focus, always in both, or in one of them. */
export type PermissionPresent = 'auto' | 'both' | 'quickPick' | 'card';

/** The visible part of a request's card. `focused` includes the buttons on the card. */
export type CardSight = 'hidden' | 'seen' | 'focused';

export interface Surroundings {
  /**
   * Position of the keyboard focus: in the page of the request's session, in another session's page, or in a text editor. `typing`: in a text editor
   * whose text the user has just typed. Undefined when VS Code reports none.
   */
  readonly focus: 'page' | 'otherPage' | 'editor' | 'typing' | undefined;
  /** True when the request belongs to the session that was in front last. */
  readonly isInFront: boolean;
  /** `awaited`: the page has not reported the card yet. */
  readonly card: CardSight | 'awaited';
}

/**
 * Returns the place that asks now. Undefined means that no quick pick may open: the page is about to report the card, nothing reports the
 * focus, or the user is writing in an editor. A pick could then take the keys that the user types elsewhere.
 */
export function askingSurface(present: PermissionPresent, { focus, isInFront, card }: Surroundings): 'card' | 'pick' | undefined {
  const isAtCard = focus === 'page' && (card === 'focused' || (card === 'seen' && present === 'auto'));
  if (present === 'card' || isAtCard) {
    return 'card';
  }
  if (present === 'auto' && focus === 'page' && card === 'awaited') {
    return undefined;
  }
  const isEditor = focus === 'editor' || focus === 'typing';
  const mayOpen = present === 'auto' ? focus !== undefined && focus !== 'typing' : isInFront && (focus === 'page' || isEditor);
  return mayOpen ? 'pick' : undefined;
}
