/** Tabs of an earlier extension host. VS Code keeps them when it restarts the host, but no host answers their pages. */
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { viewTypes } from '../../application/shared/ids';
import { loadTitles, titleLabel, titleOf } from '../../application/shared/sessionTitle';
import { MAX_TITLE } from '../../application/chat/placement';

/**
 * Closes the stale tabs of a session that another surface shows now. They are found by title, because VS Code does not report which panel a tab
 * belongs to.
 * @param tabs the tabs before the session was shown @param others sessions with panels of this host; closes nothing if one has the same title
 */
export async function closeStaleTabs(tabs: readonly vscode.Tab[], session: Session, others: readonly Session[]): Promise<void> {
  await loadTitles();
  const nameOf = ({ agentName, store }: Session): string => titleLabel(titleOf(store.state) || agentName, MAX_TITLE);
  const name = nameOf(session);
  if (others.some((other) => nameOf(other) === name)) {
    return;
  }
  // The label may contain the session's status and folder after its name.
  const isSession = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewTypes.session);
  const isNamed = ({ label }: vscode.Tab): boolean => label === name || label.startsWith(`${name} (`) || label.startsWith(`${name} — `);
  const stale = tabs.filter((tab) => isSession(tab) && isNamed(tab));
  // The user may have closed a tab meanwhile.
  await vscode.window.tabGroups.close(stale, true).then(undefined, () => undefined);
}
