import * as vscode from 'vscode';
import { commands } from './workbench/ids';

/** Called by VS Code on first use. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.commands.registerCommand(commands.newSession, () => undefined));
}
