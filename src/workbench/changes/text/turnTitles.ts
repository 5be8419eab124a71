/** The titles of a session's turns: the user's messages. */
import { entryIdOf, isAbsent } from '../../../core/model/state';
import type { Session } from '../../../session/session';
import { messageTitle } from '../../../text/transcript/sessionTitle';
import { type InertText, inertLine } from '../../../application/shared/escape';
import { t } from '../../shared/l10n';

export function turnTitle({ store }: Session, turnId: string, max?: number): InertText {
  const slot = store.state.entries.get(entryIdOf.message('user', turnId));
  const title = slot && !isAbsent(slot) && slot.kind === 'message' ? messageTitle(slot.content) : '';
  return title === '' ? t('Message without text') : inertLine(title, max);
}

/** Compares turns by their order in the session. */
export function turnOrder({ store }: Session): (one: string, other: string) => number {
  const placeOf = (turnId: string): number => store.state.entries.indexOf(entryIdOf.message('user', turnId));
  return (one, other) => placeOf(one) - placeOf(other);
}
