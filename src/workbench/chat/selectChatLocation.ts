/** **ACP: Select Chat Location…** */
import * as vscode from 'vscode';
import type { ChatLocation } from '../../core/protocol/view';
import { type InertText, withIcon } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { type Item, window } from '../shared/window';
import { readChatLocation } from './chatLocation';

type Row = Item & { readonly location: ChatLocation };

/** Asks for the location and saves it. Resolves to undefined when the user cancels. */
export async function selectChatLocation(activity: UserActivity): Promise<ChatLocation | undefined> {
  const now = readChatLocation();
  const row = (location: ChatLocation, label: InertText, detail: InertText): Row => ({
    label,
    detail,
    location,
    ...(location === now && { description: t('current') }),
  });
  const rows = [
    row('editor', withIcon('editor-layout', t('Editor')), t('Chats open in editor tabs.')),
    row('sideBar', withIcon('layout-sidebar-right', t('Side Bar')), t('Chats open in the Chat view.')),
  ];
  const chosen = await activity.during(() => window.showQuickPick(rows, { placeHolder: t('Select where chats open') }));
  if (chosen) {
    await setChatLocation(chosen.location);
  }
  return chosen?.location;
}

/** Saves the location in the user's own settings. */
export async function setChatLocation(location: ChatLocation): Promise<void> {
  await vscode.workspace.getConfiguration().update(settings.chatLocation, location, vscode.ConfigurationTarget.Global);
}
