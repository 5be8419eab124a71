/** What tree views show, with types that take inert text alone, as `window.ts` has them for the rest of VS Code. Loaded with the first tree. */
import * as vscode from 'vscode';
import type { InertText } from './escape';

/** A row of a tree view. `tooltip` may have lines. */
export interface TreeRow extends Omit<vscode.TreeItem, 'label' | 'description' | 'tooltip' | 'accessibilityInformation'> {
  readonly label: InertText;
  readonly description?: InertText | undefined;
  readonly tooltip?: InertText | undefined;
  /** What screen readers say in place of all that. */
  readonly spoken?: InertText | undefined;
}

/** As VS Code takes it. */
export function treeItem({ label, description, tooltip, spoken, ...others }: TreeRow): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label), others, {
    ...(description !== undefined && { description }),
    ...(tooltip !== undefined && { tooltip }),
    ...(spoken !== undefined && { accessibilityInformation: { label: spoken } }),
  });
}

/** The number on the view's icon, and what it counts; none for 0. */
export function setBadge(tree: vscode.TreeView<unknown>, value: number, tooltip: InertText): void {
  tree.badge = value === 0 ? undefined : { value, tooltip };
}
