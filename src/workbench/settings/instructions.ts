/** The setting `acpHost.instructions`. Loaded when it has a value. */
import * as vscode from 'vscode';
import { instructionsFor } from '../../application/agents/instructions';
import type { Instructions } from '../../core/account/instructions';
import type { SessionAgent } from '../../core/agents/agentIds';
import { settings } from '../../application/shared/ids';
import { readUserValue } from './agentSettings';

/**
 * Returns the instructions for a new session in this folder. The values of the workspace and of its folder count only in a trusted workspace, and the
 * folder's value only in that folder.
 */
export function readInstructions(agent: SessionAgent, cwd: string): Instructions | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd));
  const inspected =
    folder && vscode.workspace.isTrusted
      ? vscode.workspace.getConfiguration(undefined, folder.uri).inspect(settings.instructions)
      : undefined;
  const shared = inspected?.workspaceValue;
  const own = inspected?.workspaceFolderValue;
  // VS Code returns the value of a workspace with a single folder twice.
  const values = vscode.workspace.workspaceFile ? [shared, own] : [own ?? shared];
  return instructionsFor(agent, readUserValue(settings.instructions).value, values);
}
