/** Agents as rows of a quick pick. */
import * as vscode from 'vscode';
import type { CatalogEntry } from '../../agent/catalog';
import { type Item, separator } from '../shared/window';
import type { AgentRow } from './agentRows';

export type AgentItem = Item & { readonly entry?: CatalogEntry };

export function agentItem(row: AgentRow): AgentItem {
  if ('separator' in row) {
    return separator(row.separator);
  }
  const { icon, ...texts } = row;
  return { ...texts, iconPath: new vscode.ThemeIcon(icon) };
}
