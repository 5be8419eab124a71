/** The command that imports the permission rules of VS Code's chat, Claude Code and Codex. Nothing is imported before the user has seen it. */
import os from 'node:os';
import * as vscode from 'vscode';
import type { Imported } from '../../../application/permission/rules/import/imported';
import { type ImportSource, importRows, leftText } from '../../../application/permission/rules/import/importRows';
import { ruleFiles } from '../../../application/permission/rules/import/ruleFiles';
import { vscodeEditRules, vscodeTerminalRules } from '../../../application/permission/rules/import/vscodeRules';
import type { RuleStore } from '../../../application/permission/rules/ruleStore';
import type { Log } from '../../../core/platform/log';
import { t } from '../../shared/l10n';
import type { UserActivity } from '../../shared/userActivity';
import { window } from '../../shared/window';
import { readUserValue } from '../../settings/agentSettings';
import { workspaceFolders } from '../../window/workspaceFolders';

interface ImportDependencies {
  readonly activity: UserActivity;
  readonly log: Log;
  readonly store: RuleStore;
}

export async function importRules({ activity, log, store }: ImportDependencies): Promise<void> {
  const sources = await importSources(log);
  const rows = importRows(sources, new Set(store.list().map(({ rule }) => rule.id)), t);
  const left = sources.reduce((sum, each) => sum + each.left.length, 0);
  if (rows.length === 0) {
    const showLeft = t('Show Entries');
    const answer =
      left === 0
        ? await window.showInformationMessage(t('No permission rules of VS Code, Claude Code or Codex to import.'))
        : await window.showInformationMessage(
            t('No permission rules to import. {count} entries have no equal here.', { count: left }),
            showLeft,
          );
    void (answer === showLeft && (await showText(leftText(sources, t))));
    return;
  }
  // The files of a remote machine are not necessarily the user's.
  const picked = vscode.env.remoteName === undefined;
  const options = {
    canPickMany: true,
    title: t('Import Permission Rules'),
    placeHolder:
      left === 0
        ? t('Select the rules to add to your settings')
        : t('Select the rules to add to your settings. {count} entries have no equal here.', { count: left }),
  } as const;
  const chosen = await activity.during(() =>
    window.showQuickPick(
      rows.map((row) => ({ ...row, picked })),
      options,
    ),
  );
  if (!chosen || chosen.length === 0) {
    return;
  }
  const added = await store.import(chosen.map(({ rule }) => rule));
  const showRules = t('Open Settings');
  const showLeft = t('Show Entries');
  const message = added.length === 1 ? t('1 permission rule imported.') : t('{count} permission rules imported.', { count: added.length });
  const answer = await window.showInformationMessage(message, showRules, ...(left > 0 ? [showLeft] : []));
  if (answer === showRules) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'acpHost.permissions.rules');
  } else if (answer === showLeft) {
    await showText(leftText(sources, t));
  }
}

/** Reads the user's own settings and files. Those of a workspace, a folder or a container's settings are never read. */
async function importSources(log: Log): Promise<readonly ImportSource[]> {
  const ofSetting = (name: string, read: (value: unknown) => Imported): ImportSource => ({ name, ...read(readUserValue(name).value) });
  return [
    ofSetting('chat.tools.terminal.autoApprove', vscodeTerminalRules),
    ofSetting('chat.tools.edits.autoApprove', vscodeEditRules),
    ...(await ruleFiles({ home: os.homedir(), environment: process.env, workspaceFolders: workspaceFolders(), log })),
  ];
}

async function showText(content: string): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'plaintext', content }));
}
