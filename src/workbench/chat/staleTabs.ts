/** Tabs of an extension host that is gone: VS Code leaves them when it starts another in its place, and nobody answers their pages any more. */
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { visible } from '../shared/escape';
import { viewTypes } from '../shared/ids';
import { loadTitles, titleOf } from '../shared/sessionTitle';
import { MAX_TITLE } from './placement';

/**
 * Closes those of a session that is shown elsewhere now. VS Code does not say which panel a tab is of, so they are known by their title.
 * @param tabs as they were before @param others sessions with panels of this host: where one is called the same, nothing is closed
 */
export async function closeStaleTabs(tabs: readonly vscode.Tab[], session: Session, others: readonly Session[]): Promise<void> {
  await loadTitles();
  const nameOf = ({ agentName, store }: Session): string => visible(titleOf(store.state) || agentName, MAX_TITLE);
  const name = nameOf(session);
  if (others.some((other) => nameOf(other) === name)) {
    return;
  }
  // What the session needed, and its folder, may stand behind its name.
  const isSession = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewTypes.session);
  const isNamed = ({ label }: vscode.Tab): boolean => label === name || label.startsWith(`${name} (`) || label.startsWith(`${name} — `);
  const stale = tabs.filter((tab) => isSession(tab) && isNamed(tab));
  // Somebody else may have closed one.
  await vscode.window.tabGroups.close(stale, true).then(undefined, () => undefined);
}
