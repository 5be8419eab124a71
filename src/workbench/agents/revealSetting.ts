/** Opens `acpHost.agents` for editing. */
import * as vscode from 'vscode';
import { settings } from '../../application/shared/ids';
import { entryOffset } from '../../application/agents/settingsEntry';

/** Opens the user's settings file at the entries of agents, or at the entry of this one. */
export async function revealAgentsSetting(agentName?: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: settings.agents, edit: false } });
  const editor = vscode.window.activeTextEditor;
  const offset = agentName === undefined || !editor ? undefined : entryOffset(editor.document.getText(), settings.agents, agentName);
  if (offset !== undefined) {
    const at = editor!.document.positionAt(offset);
    editor!.selection = new vscode.Selection(at, at);
    editor!.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}
