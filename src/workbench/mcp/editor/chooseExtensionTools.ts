/** **ACP: Select Tools of Other Extensions…**: writes `acpHost.extensionTools` of the user. */
import * as vscode from 'vscode';
import { inertLine } from '../../../application/shared/escape';
import { earlierNameOf } from '../../../application/shared/earlierNames';
import { settings } from '../../../application/shared/ids';
import { inspectSetting } from '../../settings/userValue';
import { t } from '../../shared/l10n';
import type { UserActivity } from '../../shared/userActivity';
import { type Item, window } from '../../shared/window';
import { chosenTools } from './extensionToolsPort';

const MAX_NAME = 100;
const MAX_DETAIL = 200;

interface Row extends Item {
  readonly name: string;
}

export async function chooseExtensionTools(activity: Pick<UserActivity, 'during'>): Promise<void> {
  const chosen = chosenTools();
  const known = vscode.lm.tools.map(({ name, description }) => ({ name, detail: inertLine(description, MAX_DETAIL) }));
  const names = new Set(known.map(({ name }) => name));
  const rows: Row[] = [
    ...known.map(({ name, detail }) => ({ name, label: inertLine(name, MAX_NAME), detail, picked: chosen.includes(name) })),
    // An extension may be off now and return.
    ...chosen
      .filter((name) => !names.has(name))
      .map((name) => ({ name, label: inertLine(name, MAX_NAME), description: t('Not available now'), picked: true })),
  ];
  if (rows.length === 0) {
    void window.showInformationMessage(t('No extension offers a tool for agents.'));
    return;
  }
  const title = t('Tools of Other Extensions');
  const placeHolder = t('Select the tools that agents may use. Each use asks for permission.');
  const picked = await activity.during(() =>
    window.showQuickPick<Row>(rows, { title, placeHolder, canPickMany: true, matchOnDetail: true }),
  );
  if (picked) {
    const value = picked.map(({ name }) => name);
    // Without an empty list, the list under the earlier name would apply again.
    const hasEarlier = inspectSetting(earlierNameOf(settings.extensionTools)!)?.globalValue !== undefined;
    const written = value.length > 0 || hasEarlier ? value : undefined;
    await vscode.workspace.getConfiguration().update(settings.extensionTools, written, vscode.ConfigurationTarget.Global);
  }
}
