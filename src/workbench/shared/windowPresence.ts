import * as vscode from 'vscode';
import { settingsSection } from './ids';

/** A context key that no clause reads: that it could be set shows that the window answers. */
const IS_THERE = `${settingsSection}.isThere`;

/** ms in which a window answers, be it busy. */
const ANSWER_MS = 600;

/** False when the window of this extension host does not answer: it was reloaded or lost its connection, and the host lives on without it. */
export async function isWindowThere(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ANSWER_MS)));
  // Any command of the window's own will do.
  const answer = Promise.resolve(vscode.commands.executeCommand('setContext', IS_THERE, true)).then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([answer, late]);
  clearTimeout(timer);
  return isThere;
}
