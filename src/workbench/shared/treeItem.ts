/** The rows of tree views, with types that accept only inert text, like `window.ts` for the rest of VS Code. Loaded with the first tree. */
import * as vscode from 'vscode';
import type { InertText } from '../../application/shared/escape';

/** A row of a tree view. `tooltip` may have lines. */
export interface TreeRow extends Omit<vscode.TreeItem, 'label' | 'description' | 'tooltip' | 'accessibilityInformation'> {
  readonly label: InertText;
  readonly description?: InertText | undefined;
  readonly tooltip?: InertText | undefined;
  /** The text for screen readers, in place of the others. */
  readonly spoken?: InertText | undefined;
}

/** Returns the row as VS Code's tree item. */
export function treeItem({ label, description, tooltip, spoken, ...others }: TreeRow): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label), others, {
    ...(description !== undefined && { description }),
    ...(tooltip !== undefined && { tooltip }),
    ...(spoken !== undefined && { accessibilityInformation: { label: spoken } }),
  });
}

/** Sets the number on the view's icon and its explanation. Removes it for 0. */
export function setBadge(tree: vscode.TreeView<unknown>, value: number, tooltip: InertText): void {
  tree.badge = value === 0 ? undefined : { value, tooltip };
}
