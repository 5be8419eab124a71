/** The user's setting of presets, written. */
import * as vscode from 'vscode';
import { settings } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

/** Writes the setting. Undefined means that the present setting is no object: the user reads why nothing is saved. Returns true when it is written. */
export async function writePresets(value: Readonly<Record<string, unknown>> | undefined): Promise<boolean> {
  if (value) {
    await vscode.workspace.getConfiguration().update(settings.presets, value, vscode.ConfigurationTarget.Global);
    return true;
  }
  const edit = t('Edit Settings');
  const message = t("The preset wasn't saved: {setting} in your settings isn't an object.", { setting: settings.presets });
  if ((await window.showErrorMessage(message, edit)) === edit) {
    await openPresetSettings();
  }
  return false;
}

/** The preset that the user's own settings name for new sessions; undefined without one. */
export function userDefaultPreset(): string | undefined {
  const value = vscode.workspace.getConfiguration().inspect(settings.defaultPreset)?.globalValue;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Makes a preset the one of new sessions in the user's settings. Undefined removes the setting. */
export async function writeDefaultPreset(name: string | undefined): Promise<void> {
  await vscode.workspace.getConfiguration().update(settings.defaultPreset, name, vscode.ConfigurationTarget.Global);
}

export async function openPresetSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: settings.presets, edit: false } });
}
