/** The settings about presets. Loaded with the first new session. */
import * as vscode from 'vscode';
import { type Preset, presetsIn } from '../../application/presets/preset';
import { settings } from '../../application/shared/ids';
import { readUserValue } from '../settings/agentSettings';

/** `acpHost.presets` of the user. A preset sets the permission mode, so that a workspace cannot add one. */
export function readPresets(): readonly Preset[] {
  return presetsIn(readUserValue(settings.presets).value);
}

/** `acpHost.defaultPreset` for a session in this folder; undefined when empty. A workspace may set it: it is only the name of a preset of the user. */
export function defaultPresetName(folder: string | undefined): string | undefined {
  const uri = folder === undefined ? undefined : vscode.Uri.file(folder);
  const value = vscode.workspace.getConfiguration(undefined, uri).get(settings.defaultPreset);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** True when the workspace or the folder has set the default preset. */
export function isPresetOfWorkspace(folder: string | undefined): boolean {
  const uri = folder === undefined ? undefined : vscode.Uri.file(folder);
  const inspected = vscode.workspace.getConfiguration(undefined, uri).inspect(settings.defaultPreset);
  return inspected?.workspaceValue !== undefined || inspected?.workspaceFolderValue !== undefined;
}

/** True when the folders of the workspace have several default presets, so that the folder decides which one is used. */
export function presetDependsOnFolder(): boolean {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return new Set(folders.map(({ uri }) => defaultPresetName(uri.fsPath))).size > 1;
}
