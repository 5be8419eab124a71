/** When the user is told by a notification. Pure. */
import type { SessionState } from '../../core/model/state';
import type { PermissionPresent } from '../../core/protocol/view';

/** As `acpHost.notifications` has it. */
export type NotificationsSetting = 'off' | 'away' | 'hidden';

/** What is in sight: the window has the focus, the session is on its screen. */
export interface Sight {
  readonly window: boolean;
  readonly session: boolean;
}

/** away: neither window nor session is in sight; hidden: one of them is not. */
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

/** A permission request that is asked on its card alone has a notification of its own where nobody sees it (`permission/hiddenQuestions`). */
export function questionIsTold({ pendingPermissions }: SessionState, present: PermissionPresent, isVisible: boolean): boolean {
  return present === 'card' && !isVisible && pendingPermissions.length > 0;
}
