/** Settings of which a workspace has no say: a repository must not move the user's windows, silence notifications or show what an agent does. */
import * as vscode from 'vscode';

/** The user's own value of a setting, else its default; the value of a workspace or folder does not count. */
export function userValue<T>(setting: string): T | undefined {
  const inspected = vscode.workspace.getConfiguration().inspect<T>(setting);
  return inspected?.globalValue ?? inspected?.defaultValue;
}
