/** The location where chats open: `acpHost.chat.location`. */
import type { ChatLocation } from '../../core/protocol/view';
import { settings } from '../../application/shared/ids';
import { userValue } from '../settings/userValue';

export function readChatLocation(): ChatLocation {
  return userValue(settings.chatLocation) === 'sideBar' ? 'sideBar' : 'editor';
}
