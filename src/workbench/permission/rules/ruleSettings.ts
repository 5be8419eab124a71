/** The settings with the user's rules: which values count, and where new ones are written. */
import * as vscode from 'vscode';
import type { DenySetting, RuleSettings } from '../../../application/permission/rules/ruleSettings';
import { settings } from '../../../application/shared/ids';

export const ruleSettings: RuleSettings = {
  rules: () => {
    const { globalValue, globalRemoteValue } = inspect(settings.permissionsRules);
    // A container or a remote machine has settings of its own. They are not necessarily the user's.
    return { value: globalValue, isRemote: vscode.env.remoteName !== undefined || globalRemoteValue !== undefined };
  },
  denies: (cwd) => {
    const { workspaceFolders = [] } = vscode.workspace;
    const folder = cwd === '' ? undefined : vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd));
    const { globalValue, workspaceValue } = inspect(settings.permissionsDeny);
    // A worktree is outside of the workspace, so all folders may deny there.
    const ofFolders = (folder ? [folder] : workspaceFolders).map(({ uri }) => inspect(settings.permissionsDeny, uri).workspaceFolderValue);
    // VS Code returns the value of a single-folder workspace twice.
    const ofWorkspace = new Map([workspaceValue, ...ofFolders].map((value) => [JSON.stringify(value ?? null), value]));
    const all: readonly DenySetting[] = [
      { value: globalValue, from: 'settings' },
      ...[...ofWorkspace.values()].map((value) => ({ value, from: 'workspace' as const })),
    ];
    return all.filter(({ value }) => value !== undefined && value !== null);
  },
  writeRules: (rules) => write(settings.permissionsRules, rules),
  writeDenies: (rules) => write(settings.permissionsDeny, rules),
  onDidChange: (listener) =>
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(settings.permissionsRules) || event.affectsConfiguration(settings.permissionsDeny)) {
        listener();
      }
    }),
};

/** True when a setting may hold a rule in this folder. Cheap, because each question asks. */
export function hasRuleSettings(cwd: string): boolean {
  return [ruleSettings.rules(), ...ruleSettings.denies(cwd)].some(
    ({ value }) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0),
  );
}

interface Inspected {
  readonly globalValue?: unknown;
  readonly globalRemoteValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

function inspect(setting: string, folder?: vscode.Uri): Inspected {
  return (vscode.workspace.getConfiguration(undefined, folder ?? null).inspect(setting) ?? {}) as Inspected;
}

async function write(setting: string, rules: readonly unknown[]): Promise<void> {
  await vscode.workspace.getConfiguration().update(setting, rules.length > 0 ? rules : undefined, vscode.ConfigurationTarget.Global);
}
