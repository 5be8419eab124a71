/** A panel in a window of its own: VS Code moves the editor that is in front. */
import * as vscode from 'vscode';
import type { Clock } from '../../core/model/ports';

const LOOK_EVERY_MS = 20;
/** ms in which VS Code brings an editor to the front. */
const FRONT_MS = 3000;

export async function moveToNewWindow(panel: { readonly active: boolean }, clock: Clock): Promise<void> {
  for (const end = clock.now() + FRONT_MS; !panel.active && clock.now() < end; ) {
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
  }
  // Another editor must not be moved in its place.
  if (panel.active) {
    await vscode.commands.executeCommand('workbench.action.moveEditorToNewWindow');
  }
}
