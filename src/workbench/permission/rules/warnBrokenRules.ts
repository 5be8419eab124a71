/** Reports rules of the user that are not in force: all of them in one notification. */
import * as vscode from 'vscode';
import { brokenRulesNotice } from '../../../application/permission/rules/brokenRules';
import { inertLine } from '../../../application/shared/escape';
import { settings } from '../../../application/shared/ids';
import type { StoredRule, UserRule } from '../../../policy/rules/userRule';
import { userRuleText } from '../../../text/messages/userRules';
import { t } from '../../shared/l10n';
import { window } from '../../shared/window';

const MAX_RULE = 300;

/**
 * @param areSuspended true while a rule that may deny something cannot be read
 * @param confirm puts rules of a remote machine in force
 */
export async function warnBrokenRules(
  rules: readonly StoredRule[],
  areSuspended: boolean,
  confirm: (rules: readonly UserRule[]) => Promise<void>,
): Promise<void> {
  const [openSettings, confirmRules] = [t('Open Settings'), t('Confirm Rules…')];
  const unconfirmed = rules.filter(({ isUnconfirmed }) => isUnconfirmed).map(({ rule }) => rule);
  const show = areSuspended ? window.showErrorMessage : window.showWarningMessage;
  const buttons = [...(unconfirmed.length > 0 ? [confirmRules] : []), openSettings];
  const button = await show(brokenRulesNotice(rules, areSuspended, t), ...buttons);
  if (button === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settings.permissionsRules);
  } else if (button === confirmRules) {
    await confirm(await pickRules(unconfirmed));
  }
}

/** Shows the whole content of each rule. None is selected, because the machine has written them. */
async function pickRules(rules: readonly UserRule[]): Promise<readonly UserRule[]> {
  const rows = rules.map((rule) => ({
    label: inertLine(userRuleText(rule, t), MAX_RULE),
    detail: inertLine(JSON.stringify(rule), MAX_RULE),
    rule,
  }));
  const title = t('Rules in the Settings of the Remote Machine');
  const placeHolder = t('Select the rules that you have written yourself');
  const chosen = await window.showQuickPick(rows, { canPickMany: true, title, placeHolder, matchOnDetail: true });
  return (chosen ?? []).map(({ rule }) => rule);
}
