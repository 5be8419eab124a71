/** Asks for the agent of a new session. */
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { type AgentItem, agentItem } from '../agents/agentItems';
import { agentRows } from '../../application/agents/agentRows';
import { preferredAgent } from '../../application/agents/preferredAgent';
import { availabilityOf } from '../../application/agents/availability';
import { revealAgentsSetting } from '../agents/revealSetting';
import type { Failure } from '../../core/model/failure';
import type { InertText } from '../../application/shared/escape';
import { commands } from '../../application/shared/ids';
import { t } from '../shared/l10n';
import { type Button, separator, window } from '../shared/window';

/**
 * @param recent the names of agents that were used, the last one first
 * @param problems the problems in the user's setting; see `parseAgents`
 */
export async function pickAgent(
  recent: readonly string[],
  entries: readonly CatalogEntry[],
  notice: InertText | undefined,
  title: InertText = t('New Session'),
  problems: readonly Failure[] = [],
): Promise<CatalogEntry | undefined> {
  const availability = await availabilityOf(entries, process.env);
  return new Promise((resolve) => {
    const openSettings: Button = { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Open Agent Settings') };
    const pick = window.createQuickPick<AgentItem>();
    pick.title = title;
    pick.placeholder = t('Select an agent');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    // The focus moves around in a window that has just opened, which would close the question.
    pick.ignoreFocusOut = true;
    pick.buttons = [openSettings];
    const agents = agentRows(entries, { recent, availability, problems }, t);
    const rows = agents.map(agentItem);
    // A user who misses an agent looks for it in this list.
    const noticeRow: AgentItem = {
      label: t('Some agent settings were ignored'),
      ...(notice !== undefined && { detail: notice }),
      alwaysShow: true,
    };
    const browseRow: AgentItem = { label: t('Browse Agents…'), iconPath: new vscode.ThemeIcon('library'), alwaysShow: true };
    const addRow: AgentItem = { label: t('Add Agent…'), iconPath: new vscode.ThemeIcon('add'), alwaysShow: true };
    pick.items = [...rows, separator(), ...(notice === undefined ? [] : [noticeRow]), browseRow, addRow];
    const leaveFor = (command: () => Thenable<unknown>) => {
      pick.hide();
      void command();
    };
    const toSettings = () => leaveFor(() => vscode.commands.executeCommand(commands.openSettings));
    pick.onDidChangeValue((typed) => {
      const preferred = preferredAgent(agents, typed);
      void (preferred && (pick.activeItems = [rows[agents.indexOf(preferred)]!]));
    });
    pick.onDidTriggerButton(toSettings);
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      if (row === noticeRow) {
        toSettings();
      } else if (row === browseRow) {
        leaveFor(() => vscode.commands.executeCommand(commands.browseAgents));
      } else if (row === addRow) {
        leaveFor(() => vscode.commands.executeCommand(commands.addAgent));
      } else if (row?.isBroken) {
        leaveFor(() => revealAgentsSetting(row.agentName));
      } else if (row?.entry) {
        resolve(row.entry);
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
