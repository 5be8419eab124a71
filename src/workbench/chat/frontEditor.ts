/**
 * Commands of VS Code that act only on the active editor: moving it to a new window and keeping it open. Extensions have no API for this on a
 * panel.
 */
import * as vscode from 'vscode';
import type { Clock } from '../../core/platform/clock';

const LOOK_EVERY_MS = 20;
/** The time in ms that VS Code gets to bring an editor to the front. */
const FRONT_MS = 3000;

interface Panel {
  readonly active: boolean;
}

export function moveToNewWindow(panel: Panel, clock: Clock): Promise<void> {
  return inFront(panel, clock, 'workbench.action.moveEditorToNewWindow');
}

/** Keeps a panel open. VS Code turns a panel that it moves to another group into a preview, which the next previewed file would close. */
export function keepEditor(panel: Panel, clock: Clock): Promise<void> {
  return inFront(panel, clock, 'workbench.action.keepEditor');
}

async function inFront(panel: Panel, clock: Clock, command: string): Promise<void> {
  for (const end = clock.now() + FRONT_MS; !panel.active && clock.now() < end; ) {
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
  }
  // Otherwise the command would act on another editor.
  if (panel.active) {
    await vscode.commands.executeCommand(command);
  }
}
