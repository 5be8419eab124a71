import * as vscode from 'vscode';
import type { Instructions } from '../../core/account/instructions';
import type { SessionAgent } from '../../core/agents/agentIds';
import { settings } from '../../application/shared/ids';

/** `acpHost.instructions` for a new session in this folder; undefined when the setting has no value. */
export function readInstructions(agent: SessionAgent, cwd: string): Promise<Instructions | undefined> | undefined {
  const found = vscode.workspace.getConfiguration(undefined, vscode.Uri.file(cwd)).inspect(settings.instructions);
  return found?.globalValue || found?.workspaceValue || found?.workspaceFolderValue
    ? import('./instructions').then((loaded) => loaded.readInstructions(agent, cwd))
    : undefined;
}
