/** Agents as rows of a quick pick. */
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { type Item, separator } from '../shared/window';
import type { AgentRow } from '../../application/agents/agentRows';

/** `isBroken`: an entry of the setting that can't be used, of this name; without a name the setting as a whole. */
export type AgentItem = Item & { readonly entry?: CatalogEntry; readonly isBroken?: boolean; readonly agentName?: string };

export function agentItem(row: AgentRow): AgentItem {
  if ('separator' in row) {
    return separator(row.separator);
  }
  const { icon, ...texts } = row;
  const color = 'isBroken' in row ? new vscode.ThemeColor('disabledForeground') : undefined;
  return { ...texts, iconPath: new vscode.ThemeIcon(icon, color) };
}
