/** **ACP: Select Default Agent…**: offers the known agents for the setting `acpHost.defaultAgent`. */
import * as vscode from 'vscode';
import type { Catalog } from '../../agent/catalog';
import { agentNamed } from '../../core/agents/agentIds';
import { settings } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import type { UserActivity } from '../shared/userActivity';
import { separator, window } from '../shared/window';
import { type AgentItem, agentItem } from './agentItems';
import { agentRows } from '../../application/agents/agentRows';
import { availabilityOf } from '../../application/agents/availability';
import { revealAgentsSetting } from './revealSetting';

/** @param current the user's value */
export async function selectDefaultAgent(
  { entries, problems, programs }: Catalog,
  current: string | undefined,
  activity: Pick<UserActivity, 'during'>,
): Promise<void> {
  const rows = agentRows(entries, { availability: await availabilityOf(entries, process.env), problems, installed: programs }, t);
  const always: AgentItem = {
    label: t('Ask each time'),
    iconPath: new vscode.ThemeIcon('question'),
    ...(current === undefined && { description: t('Current') }),
  };
  const chosenBefore = current === undefined ? undefined : agentNamed(entries, current);
  const items = rows.map((row): AgentItem => {
    const item = agentItem(row);
    return item.entry && item.entry === chosenBefore ? { ...item, description: t('Current') } : item;
  });
  const options = {
    title: t('Select Default Agent'),
    placeHolder: t('Select the agent that new sessions start with'),
    matchOnDescription: true,
    matchOnDetail: true,
  };
  const chosen = await activity.during(() => window.showQuickPick<AgentItem>([always, separator(), ...items], options));
  if (chosen?.isBroken) {
    await revealAgentsSetting(chosen.agentName);
  } else if (chosen) {
    await vscode.workspace
      .getConfiguration()
      .update(settings.defaultAgent, chosen.entry && (chosen.entry.earlierId ?? chosen.entry.agentId), vscode.ConfigurationTarget.Global);
  }
}
