/** Follows the agent while `acpHost.followAgent` is on. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import { toDisposable } from '../../util/disposable';
import { commands, settings } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { withIcon } from '../../application/shared/escape';
import { type StatusBarItem, window } from '../shared/window';
import { AgentFollower, type FollowedPanels, type FollowedSessions } from './agentFollower';
import { userValue } from '../settings/userValue';

export function followAgent(sessions: FollowedSessions, panels: FollowedPanels): Disposable {
  let follower: AgentFollower | undefined;
  let item: StatusBarItem | undefined;
  const stop = (): void => {
    follower?.dispose();
    item?.dispose();
    follower = item = undefined;
  };
  const update = (): void => {
    if (!isFollowing()) {
      stop();
    } else if (!follower) {
      follower = new AgentFollower(sessions, panels);
      item = window.createStatusBarItem('acpHost.following', vscode.StatusBarAlignment.Left);
      item.name = t('Following Agent');
      item.text = withIcon('eye', t('Following Agent'));
      item.tooltip = t('Files that the agent reads and edits are shown. Click to stop.');
      item.command = commands.toggleFollowAgent;
      item.show();
    }
  };
  update();
  const changes = vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration(settings.followAgent) && update());
  return toDisposable(() => {
    changes.dispose();
    stop();
  });
}

export function isFollowing(): boolean {
  return userValue(settings.followAgent) === true;
}

/** Changes the user's setting, for all windows. */
export async function toggleFollowAgent(): Promise<void> {
  await vscode.workspace.getConfiguration().update(settings.followAgent, !isFollowing(), vscode.ConfigurationTarget.Global);
}
