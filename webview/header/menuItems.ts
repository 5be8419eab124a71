/** Helpers that build the items of the header's menus. */
import type { FromView } from '../../src/core/protocol/view';
import { actionLabel, type ViewAction } from '../failures/failureActions';
import type { MenuItem } from '../components/menu';

/** Returns a function that makes the menu item of an action. */
export function actionItem(post: (message: FromView) => void): (action: ViewAction) => MenuItem {
  return (action) => ({ label: actionLabel(action), choose: () => post({ type: 'action', action }) });
}

/** The items of all groups, with a separator between two groups. */
export function grouped(groups: readonly (readonly MenuItem[])[]): MenuItem[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => group.map((item, position) => (index > 0 && position === 0 ? { ...item, first: true } : item)));
}
