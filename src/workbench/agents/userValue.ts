/** Settings of which a workspace has no say: a repository must not move the user's windows, silence notifications or show what an agent does. */
import * as vscode from 'vscode';
import { userValueOf } from '../../agent/userSettings';

/** The user's own value of a setting, else its default; the values of a workspace, a folder and a dev container do not count. */
export function userValue<T>(setting: string): T | undefined {
  const inspected = vscode.workspace.getConfiguration().inspect<T>(setting);
  return (userValueOf(setting, inspected).value ?? inspected?.defaultValue) as T | undefined;
}
