/** Shows a failure as a notification with buttons for useful actions. Loaded with the first one, so it gets its dependencies from the first load. */
import * as vscode from 'vscode';
import type { Failure } from '../../core/model/failure';
import type { InertText } from '../../application/shared/escape';
import { NODE_DOWNLOAD, type NotificationAction, notificationActions } from '../../application/shared/failureActions';
import { failureText } from '../../application/shared/failureText';
import type { commands } from '../../application/shared/ids';
import type { t } from './l10n';
import type { window } from './window';

interface Dependencies {
  readonly t: typeof t;
  readonly commands: typeof commands;
  readonly show: typeof window.showErrorMessage;
}

/** Resolves when the notification has closed and the chosen action has started. @param retry repeats the failed action */
export async function notifyFailure({ t, commands, show }: Dependencies, failure: Failure, retry?: () => void): Promise<void> {
  const text: Record<NotificationAction, InertText> = {
    retry: t('Retry'),
    sign_in: t('Sign In…'),
    install_node: t('Install Node.js'),
    open_settings: t('Open Settings'),
    show_log: t('Show Log'),
    manage_trust: t('Manage Workspace Trust'),
  };
  const actions = notificationActions(failure, retry !== undefined);
  const chosen = await show(failureText(failure, t), ...actions.map((action) => text[action]));
  switch (actions.find((action) => text[action] === chosen)) {
    case 'retry':
      return retry?.();
    case 'sign_in':
      return void (await vscode.commands.executeCommand(commands.signIn));
    case 'install_node':
      return void (await vscode.env.openExternal(vscode.Uri.parse(NODE_DOWNLOAD)));
    case 'open_settings':
      return void (await vscode.commands.executeCommand(commands.openSettings));
    case 'manage_trust':
      return void (await vscode.commands.executeCommand(commands.manageWorkspaceTrust));
    case 'show_log':
      return void (await vscode.commands.executeCommand(commands.showLog));
  }
}
