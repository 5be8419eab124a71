/** The titles of a session's turns: the user's messages. */
import { entryIdOf, isAbsent } from '../../../core/model/state';
import type { Session } from '../../../session/session';
import { messageTitle } from '../../../text/transcript/sessionTitle';
import type { InertText } from '../../../application/shared/escape';
import { titleLabel } from '../../../application/shared/sessionTitle';
import { t } from '../../shared/l10n';

/** UTF-16 units of a message's title. */
const MAX_TITLE = 80;

export function turnTitle({ store }: Session, turnId: string, max = MAX_TITLE): InertText {
  const slot = store.state.entries.get(entryIdOf.message('user', turnId));
  const title = slot && !isAbsent(slot) && slot.kind === 'message' ? messageTitle(slot.content) : '';
  return title === '' ? t('Message without text') : titleLabel(title, max);
}

/** Compares turns by their order in the session. */
export function turnOrder({ store }: Session): (one: string, other: string) => number {
  const placeOf = (turnId: string): number => store.state.entries.indexOf(entryIdOf.message('user', turnId));
  return (one, other) => placeOf(one) - placeOf(other);
}
