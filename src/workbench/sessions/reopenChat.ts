/**
 * Opens a session again for a page whose extension host has exited. The page runs this command through VS Code, in the new host. The session
 * returns with the text typed meanwhile, and the old tab, which no host answers, is closed.
 */
import * as vscode from 'vscode';
import { parseIntent } from '../../core/protocol/intent';
import { isKey } from '../../session/journal/journalFiles';
import { viewTypes } from '../../application/shared/ids';
import type { SessionCommands } from './sessionCommands';

/** @param key the session's key @param unsent the draft from the page, which is untrusted */
export async function reopenChat(sessionCommands: SessionCommands, key: string, unsent: unknown): Promise<void> {
  if (!isKey(key)) {
    return;
  }
  const { panels, drafts } = sessionCommands.deps;
  const actions = await sessionCommands.actions();
  if (panels.sessionOf(key)) {
    await actions.openKept(key); // The host was only busy.
    return;
  }
  // The clicked tab is the active one, and it is not a panel of this host.
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  const isLeft = panels.activeKey === undefined && activeTab?.input instanceof vscode.TabInputWebview;
  const left = isLeft && (activeTab.input as vscode.TabInputWebview).viewType.endsWith(viewTypes.session) ? activeTab : undefined;
  const intent = typeof unsent === 'object' ? parseIntent({ ...unsent, type: 'draft' }) : undefined;
  await drafts.load(key);
  if (intent?.type === 'draft' && intent.at > (drafts.get(key)?.at ?? 0)) {
    drafts.set(key, intent);
  }
  const session = await actions.openKept(key, { where: 'editor' });
  if (session && left) {
    await closeTab(left);
  }
}

/** Closes the tab unless it is closed already. */
async function closeTab({ label, group }: vscode.Tab): Promise<void> {
  const tabs = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn === group.viewColumn)?.tabs ?? [];
  const left = tabs.find((tab) => !tab.isActive && tab.label === label && tab.input instanceof vscode.TabInputWebview);
  if (left) {
    await vscode.window.tabGroups.close(left, true);
  }
}
