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
  if ('svg' in row && row.svg !== undefined) {
    const { svg, ...others } = row;
    return { ...others, iconPath: { light: imageOf(svg, '#424242'), dark: imageOf(svg, '#c5c5c5') } };
  }
  const color = 'isBroken' in row ? new vscode.ThemeColor('disabledForeground') : undefined;
  return { ...texts, iconPath: new vscode.ThemeIcon(icon, color) };
}

/** Returns the icon as an image. An image does not inherit the color of the text, so it has VS Code's colors of icons. */
function imageOf(svg: string, color: string): vscode.Uri {
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg.replaceAll('currentColor', color)).toString('base64')}`);
}
