/** Reports rules of the user that are not in force: all of them in one notification. */
import * as vscode from 'vscode';
import { brokenRulesNotice } from '../../../application/permission/rules/brokenRules';
import { settings } from '../../../application/shared/ids';
import type { StoredRule } from '../../../policy/rules/userRule';
import { t } from '../../shared/l10n';
import { window } from '../../shared/window';

/** @param areSuspended true while a rule that may deny something cannot be read */
export function warnBrokenRules(rules: readonly StoredRule[], areSuspended: boolean): void {
  const openSettings = t('Open Settings');
  const show = areSuspended ? window.showErrorMessage : window.showWarningMessage;
  void show(brokenRulesNotice(rules, areSuspended, t), openSettings).then((button) => {
    if (button === openSettings) {
      void vscode.commands.executeCommand('workbench.action.openSettings', settings.permissionsRules);
    }
  });
}
