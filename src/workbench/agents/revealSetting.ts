/** Opens `acpHost.agents` for editing. */
import * as vscode from 'vscode';
import { settings } from '../shared/ids';

/** Opens the user's settings file at the entries of agents. */
export async function revealAgentsSetting(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: settings.agents, edit: false } });
}
