/** Chooses the editor group for a followed file: never on top of the editor that the user works in. */
import * as vscode from 'vscode';
import { viewTypes } from '../../application/shared/ids';

/** @param last the tab that was shown last */
export function followColumn(
  { activeTabGroup, all }: Pick<vscode.TabGroups, 'activeTabGroup' | 'all'>,
  last: vscode.Tab | undefined,
): vscode.ViewColumn {
  const isFree = (group: vscode.TabGroup): boolean => {
    const { activeTab } = group;
    // The active tab of the focused group belongs to the user, unless it is the followed file itself.
    return !showsSession(activeTab) && (!group.isActive || !activeTab || activeTab === last);
  };
  const own = last && all.find((group) => group === last.group);
  const group = own && isFree(own) ? own : [...all.filter((each) => !each.isActive), activeTabGroup].find(isFree);
  return group?.viewColumn ?? vscode.ViewColumn.Beside;
}

function showsSession(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(viewTypes.session);
}
