/** The focus on what waits for the user. */
import { isCancelling } from '../../../src/core/model/select';
import { entryIdOf } from '../../../src/core/model/state';
import { cardOf } from '../../../src/core/approval/requests';
import type { DisclosureState } from '../../state/disclosureState';
import { beforePaint } from '../../base/frames';
import type { Mirror } from '../../state/mirror';
import { PAGE_SIZE } from './pages';
import { type LeadingKey, led } from '../permission/leadingKey';
import { questionDisclosureKey } from '../permission/permissionHeading';

/** Frames that a newly rendered page, or a distant part of it, needs to show a card. */
const FRAMES = 20;

/** Moves the focus to the oldest request or form that waits. Returns false when there is none. */
export function goToWaiting(mirror: Mirror, disclosures: DisclosureState, by: LeadingKey): boolean {
  const { pendingPermissions, pendingElicitations } = mirror.state;
  const [permissionId] = pendingPermissions;
  if (isCancelling(mirror.state) || (permissionId === undefined && pendingElicitations.length === 0)) {
    return false;
  }
  led.entryId = permissionId === undefined ? undefined : entryIdOf.permission(permissionId);
  led.by = by;
  focusWaiting(mirror, disclosures, () => true);
  return true;
}

/**
 * Focuses the card of a waiting request, not one of its buttons, so that a key pressed meanwhile does not answer. @param isShown true while its session
 * is still shown @param wanted the entry of the request; the oldest request when it does not wait
 */
export function focusWaiting(mirror: Mirror, disclosures: DisclosureState, isShown: () => boolean, wanted?: string, frames = FRAMES): void {
  if (!isShown()) {
    return;
  }
  const { entries, pendingPermissions, pendingElicitations } = mirror.state;
  const isForm = pendingElicitations.some((key) => entryIdOf.elicitation(key) === wanted);
  const permissionId = isForm ? undefined : (pendingPermissions.find((id) => entryIdOf.permission(id) === wanted) ?? pendingPermissions[0]);
  const requestKey = pendingElicitations.find((key) => entryIdOf.elicitation(key) === wanted) ?? pendingElicitations[0];
  const entryId =
    permissionId !== undefined
      ? entryIdOf.permission(permissionId)
      : requestKey !== undefined
        ? entryIdOf.elicitation(requestKey)
        : undefined;
  const place = permissionId !== undefined ? cardOf(mirror.state, permissionId) : entryId;
  if (permissionId !== undefined) {
    disclosures.set(questionDisclosureKey(entryIdOf.permission(permissionId)), true);
  }
  const card = document.querySelector<HTMLElement>(entryId === undefined ? '[data-sign-in]' : `[data-entry-id="${CSS.escape(entryId)}"]`);
  if (card) {
    // The heading of a tool call is outside the element that takes the focus.
    (card.closest('.tool-asked') ?? card).scrollIntoView({ block: 'nearest' });
    card.focus({ preventScroll: true });
  } else if (frames > 0) {
    if (place !== undefined) {
      document.querySelectorAll('.log > .page')[Math.floor(entries.indexOf(place) / PAGE_SIZE)]?.scrollIntoView({ block: 'nearest' });
    }
    beforePaint(() => focusWaiting(mirror, disclosures, isShown, wanted, frames - 1));
  }
}
