/** Asks which agent a new session is with. */
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { type AgentRow, agentRows } from '../agents/agentRows';
import type { InertText } from '../shared/escape';
import { commands } from '../shared/ids';
import { t } from '../shared/l10n';
import { type Button, type Item, separator, window } from '../shared/window';

type Row = Item & { readonly entry?: CatalogEntry };

/** @param last the agent that was used last */
export function pickAgent(
  last: string | undefined,
  entries: readonly CatalogEntry[],
  notice: InertText | undefined,
): Promise<CatalogEntry | undefined> {
  return new Promise((resolve) => {
    const openSettings: Button = { iconPath: new vscode.ThemeIcon('gear'), tooltip: t('Open Agent Settings') };
    const pick = window.createQuickPick<Row>();
    pick.title = t('New Session');
    pick.placeholder = t('Select an agent');
    pick.matchOnDescription = true;
    // A window that has just opened moves its focus about, and with it would go the question.
    pick.ignoreFocusOut = true;
    pick.buttons = [openSettings];
    const rows = agentRows(entries, last, t).map(rowOf);
    // Whoever misses an agent looks for it here.
    const noticeRow: Row = {
      label: t('Some agent settings were ignored'),
      ...(notice !== undefined && { detail: notice }),
      alwaysShow: true,
    };
    pick.items = notice === undefined ? rows : [...rows, separator(), noticeRow];
    const toSettings = () => {
      pick.hide();
      void vscode.commands.executeCommand(commands.openSettings);
    };
    pick.onDidTriggerButton(toSettings);
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      if (row === noticeRow) {
        toSettings();
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

function rowOf(row: AgentRow): Row {
  return 'separator' in row ? separator(row.separator) : row;
}
