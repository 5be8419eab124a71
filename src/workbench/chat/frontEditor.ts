/** What VS Code does with the editor that is in front, and extensions cannot do with a panel: to a window of its own, and kept open. */
import * as vscode from 'vscode';
import type { Clock } from '../../core/model/ports';

const LOOK_EVERY_MS = 20;
/** ms in which VS Code brings an editor to the front. */
const FRONT_MS = 3000;

interface Panel {
  readonly active: boolean;
}

export function moveToNewWindow(panel: Panel, clock: Clock): Promise<void> {
  return inFront(panel, clock, 'workbench.action.moveEditorToNewWindow');
}

/** A panel that VS Code has moved to another group is a preview there, which the next file that is looked at would close. */
export function keepEditor(panel: Panel, clock: Clock): Promise<void> {
  return inFront(panel, clock, 'workbench.action.keepEditor');
}

async function inFront(panel: Panel, clock: Clock, command: string): Promise<void> {
  for (const end = clock.now() + FRONT_MS; !panel.active && clock.now() < end; ) {
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
  }
  // Not another editor in its place.
  if (panel.active) {
    await vscode.commands.executeCommand(command);
  }
}
