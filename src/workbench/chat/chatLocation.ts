/** Where chats open: `acpHost.chat.location`. */
import * as vscode from 'vscode';
import type { ChatLocation } from '../../core/protocol/view';
import { settings } from '../shared/ids';

export function readChatLocation(): ChatLocation {
  return vscode.workspace.getConfiguration().get(settings.chatLocation) === 'sideBar' ? 'sideBar' : 'editor';
}
