/** The agents in the settings of the workspace, and the question about them. Loaded when there are some. */
import * as vscode from 'vscode';
import { WorkspaceAgents, workspaceAgentText, type WorkspaceSetting } from '../../application/agents/workspaceAgents';
import { joined } from '../../application/shared/escape';
import { settings } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { window } from '../shared/window';
import { isRestricted } from '../trust/restrictedMode';

/** @param workspaceState `ExtensionContext.workspaceState`, which is outside of the workspace */
export function workspaceAgents(workspaceState: Pick<vscode.Memento, 'get' | 'update'>): WorkspaceAgents {
  return new WorkspaceAgents({ storage: workspaceState, settings: readSettings, isRestricted });
}

/**
 * **ACP: Review Agents of This Workspace…**: asks about each agent that the user has not agreed to, with its whole text. Resolves to true when one
 * was allowed.
 */
export async function reviewWorkspaceAgents(
  workspaceState: Pick<vscode.Memento, 'get' | 'update'>,
  activity: Pick<UserActivity, 'during'>,
): Promise<boolean> {
  const agents = workspaceAgents(workspaceState);
  const asked = agents.list().filter(({ consent }) => consent.type !== 'agreed');
  if (asked.length === 0) {
    void window.showInformationMessage(t('No agent of this workspace waits for you.'));
    return false;
  }
  let isAllowed = false;
  for (const agent of asked) {
    const allow = t('Allow Agent');
    const never = t("Don't Ask Again");
    const risk = t('It runs with your permissions. It is offered without another question until its text changes.');
    const options = { modal: true, detail: joined([workspaceAgentText(agent, t), risk], '\n\n') };
    const answer = await activity.during(() =>
      window.showWarningMessage(t('Allow this agent from the settings of the workspace?'), options, allow, never),
    );
    if (answer === undefined) {
      break;
    }
    await agents.record([{ subject: agent.subject, isAgreed: answer === allow }]);
    isAllowed ||= answer === allow;
  }
  return isAllowed;
}

/** Reads each settings file of the workspace. The only folder of a workspace without a file has the workspace's value. */
function readSettings(): readonly WorkspaceSetting[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const ofFile = workspaceFile ? vscode.workspace.getConfiguration().inspect(settings.agents)?.workspaceValue : undefined;
  return [
    ...(workspaceFile && ofFile !== undefined ? [{ place: workspaceFile.fsPath, value: ofFile }] : []),
    ...workspaceFolders.flatMap(({ uri }): WorkspaceSetting[] => {
      const value = vscode.workspace.getConfiguration(undefined, uri).inspect(settings.agents)?.workspaceFolderValue;
      return value === undefined ? [] : [{ place: uri.fsPath, value }];
    }),
  ];
}
