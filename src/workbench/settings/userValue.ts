/** Settings that a workspace cannot set: a repository must not move the user's windows, silence notifications or show what an agent does. */
import * as vscode from 'vscode';
import { userValueOf } from '../../agent/userSettings';

/** Returns the user's own value of a setting, or its default. Values of a workspace, a folder or a dev container are ignored. */
export function userValue<T>(setting: string): T | undefined {
  const inspected = vscode.workspace.getConfiguration().inspect<T>(setting);
  return (userValueOf(setting, inspected).value ?? inspected?.defaultValue) as T | undefined;
}
