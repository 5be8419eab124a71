/** Settings that a workspace cannot set: a repository must not move the user's windows, silence notifications or show what an agent does. */
import * as vscode from 'vscode';
import { type Inspected, userValueOf } from '../../agent/userSettings';
import { earlierNameOf, withoutEarlierNames } from '../../application/shared/earlierNames';

/** Returns the user's own value of a setting, or its default. Values of a workspace, a folder or a dev container are ignored. */
export function userValue<T>(setting: string): T | undefined {
  const inspected = inspectSetting(setting);
  const earlier = earlierNameOf(setting);
  const value = userValueOf(setting, inspected).value ?? (earlier && userValueOf(earlier, inspectSetting(earlier)).value);
  return (value ?? inspected?.defaultValue) as T | undefined;
}

/** Returns a setting's values by their source, in the workspace or in one of its folders. */
export function inspectSetting(setting: string, folder?: vscode.Uri): Inspected | undefined {
  return withoutEarlierNames(setting, vscode.workspace.getConfiguration(undefined, folder).inspect(setting));
}

/** True when the setting has changed, also under its earlier name. */
export function affectsSetting(event: vscode.ConfigurationChangeEvent, setting: string): boolean {
  return [setting, earlierNameOf(setting)].some((name) => name !== undefined && event.affectsConfiguration(name));
}
