/** The text of the notification for the end of a turn. Pure. */
import type { InertText } from '../../application/shared/escape';
import type { Translate } from '../../application/shared/translate';
import type { TurnEnd } from '../sessions/turnEnds';

/** Describes how a turn ended. @param strings the agent and the title of the session, escaped for display */
export function turnEndText(
  { failure, unanswered }: TurnEnd,
  strings: { readonly agent: InertText; readonly title: InertText },
  t: Translate,
): InertText {
  if (failure) {
    return t('{agent} could not finish: {title}', strings);
  }
  return unanswered ? t('{agent} ended its turn without an answer: {title}', strings) : t('{agent} finished: {title}', strings);
}
