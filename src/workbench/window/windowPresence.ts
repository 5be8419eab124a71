import * as vscode from 'vscode';

/** A context key that no clause reads. It is set to check whether the window answers. */
const PRESENT = 'acpHost.isThere';
/** The time in ms in which even a busy window answers. */
const ANSWER_MS = 600;

/**
 * Resolves to false when the window of this extension host does not answer: it was reloaded or lost its connection, and the host runs on without
 * it.
 */
export async function isWindowThere(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ANSWER_MS)));
  const answer = Promise.resolve(vscode.commands.executeCommand('setContext', PRESENT, true)).then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([answer, timeout]);
  clearTimeout(timer);
  return isThere;
}
