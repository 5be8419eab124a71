/** Decides when the user is notified. Pure. */
import type { SessionState } from '../../core/model/state';
import type { PermissionPresent } from '../../core/approval/askingSurface';

/** The values of `acpHost.notifications`. */
export type NotificationsSetting = 'off' | 'away' | 'hidden';

/** Whether the window has the focus, and whether the session is on its screen. */
export interface Sight {
  readonly window: boolean;
  readonly session: boolean;
}

/** `away`: neither window nor session is in sight. `hidden`: at least one of them is not. */
export function isWanted(setting: NotificationsSetting | undefined, { window, session }: Sight): boolean {
  switch (setting) {
    case 'off':
      return false;
    case 'hidden':
      return !(window && session);
    default:
      return !window && !session;
  }
}

/**
 * True for a permission request that has a notification of its own (`permission/hiddenQuestions`): its session is out of sight, and no quick pick
 * asks. @param isFocusKnown true when a quick pick may open by itself
 */
export function questionIsNotified(
  { pendingPermissions }: SessionState,
  present: PermissionPresent,
  isVisible: boolean,
  isFocusKnown: boolean,
): boolean {
  return (present === 'card' || (present === 'auto' && !isFocusKnown)) && !isVisible && pendingPermissions.length > 0;
}
