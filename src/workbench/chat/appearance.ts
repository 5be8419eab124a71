/** The page's fonts, when the user wants other ones than the window's. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { ToView } from '../../core/protocol/view';
import { settings } from '../../application/shared/ids';

type Appearance = Extract<ToView, { readonly type: 'appearance' }>;

/** The font settings of VS Code's own chat, available since 1.103. */
const CHAT = { size: 'chat.fontSize', family: 'chat.fontFamily' };
const MIN_SIZE = 6;
const MAX_SIZE = 40;

/** Reads our settings, with the user's settings for VS Code's chat as the fallback. */
export function readAppearance(): Appearance {
  const configuration = vscode.workspace.getConfiguration();
  const size = configuration.get<unknown>(settings.fontSize) || setByUser(CHAT.size);
  const family = configuration.get<unknown>(settings.fontFamily) || setByUser(CHAT.family);
  return {
    type: 'appearance',
    ...(typeof size === 'number' && size > 0 && { fontSize: Math.min(Math.max(size, MIN_SIZE), MAX_SIZE) }),
    ...(typeof family === 'string' && family !== '' && family !== 'default' && { fontFamily: family }),
  };
}

export function watchAppearance(send: (message: ToView) => void): Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if ([settings.fontSize, settings.fontFamily, CHAT.size, CHAT.family].some((setting) => event.affectsConfiguration(setting))) {
      send(readAppearance());
    }
  });
}

/** Returns only the user's own value: the default of another setting must not decide ours. */
function setByUser(setting: string): unknown {
  const inspected = vscode.workspace.getConfiguration().inspect<unknown>(setting);
  return inspected?.workspaceFolderValue ?? inspected?.workspaceValue ?? inspected?.globalValue;
}
