/** In which editor group a followed file is shown: never on top of what the user works in. */
import * as vscode from 'vscode';
import { viewTypes } from '../shared/ids';

/** @param last the tab that was shown last */
export function followColumn(
  { activeTabGroup, all }: Pick<vscode.TabGroups, 'activeTabGroup' | 'all'>,
  last: vscode.Tab | undefined,
): vscode.ViewColumn {
  const isFree = (group: vscode.TabGroup): boolean => {
    const { activeTab } = group;
    // What is in front in the group that has the focus is the user's, unless it is the followed file itself.
    return !showsSession(activeTab) && (!group.isActive || !activeTab || activeTab === last);
  };
  const own = last && all.find((group) => group === last.group);
  const group = own && isFree(own) ? own : [...all.filter((each) => !each.isActive), activeTabGroup].find(isFree);
  return group?.viewColumn ?? vscode.ViewColumn.Beside;
}

function showsSession(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(viewTypes.session);
}
