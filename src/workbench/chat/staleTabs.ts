/** Tabs of an earlier extension host. VS Code keeps them when it restarts the host, but no host answers their pages. */
import * as vscode from 'vscode';
import type { ChatLocation } from '../../core/protocol/view';
import type { Session } from '../../session/session';
import { viewTypes } from '../../application/shared/ids';
import { inertLine } from '../../application/shared/escape';
import { loadTitles, titleLabel, titleOf } from '../../application/shared/sessionTitle';
import { MAX_TITLE } from '../../application/chat/placement';

/** A session, with the surface that shows it. */
export interface ShownSession {
  readonly session: Session;
  readonly holder?: { readonly place: ChatLocation } | undefined;
}

/**
 * Closes the stale tabs of a session that another surface shows now. They are found by title, because VS Code does not report which panel a tab
 * belongs to.
 * @param tabs the tabs before the session was shown, with their labels at that time
 * @param surfaces the surfaces of this host; closes nothing if another session of the agent with the same title has a panel
 * @param isReused true when a panel with a label from another session shows this one. No tab in front is stale then: VS Code has restored it.
 */
export async function closeStaleTabs(
  tabs: readonly (readonly [tab: vscode.Tab, label: string])[],
  session: Session,
  surfaces: readonly ShownSession[],
  isReused = false,
): Promise<void> {
  await loadTitles();
  const nameOf = ({ agentName, store }: Session): string => titleLabel(titleOf(store.state) || agentName, MAX_TITLE);
  const name = nameOf(session);
  const twins = surfaces.flatMap(({ session: other, holder }) =>
    other !== session && holder?.place === 'editor' && nameOf(other) === name ? [other.agentName] : [],
  );
  if (twins.includes(session.agentName)) {
    return;
  }
  // The label may contain the agent, the folder and the session's status after its name.
  const isNamed = (label: string, own: string): boolean => label === own || label.startsWith(`${own} (`) || label.startsWith(`${own} — `);
  const isSession = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewTypes.session);
  const candidates = tabs.filter(([tab]) => isSession(tab) && !(isReused && tab.isActive));
  // A label with the agent is not that of another agent's session.
  const exact = candidates.filter(([, label]) => isNamed(label, `${name} — ${inertLine(session.agentName, MAX_TITLE)}`));
  const found = exact.length > 0 || twins.length > 0 ? exact : candidates.filter(([, label]) => isNamed(label, name));
  const stale = found.map(([tab]) => tab);
  // The user may have closed a tab meanwhile.
  await vscode.window.tabGroups.close(stale, true).then(undefined, () => undefined);
}
