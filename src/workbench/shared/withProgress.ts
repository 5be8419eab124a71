/** Work on a whole conversation: of a long one it is said that it goes on, and it can be given up. */
import * as vscode from 'vscode';
import type { InertText } from './escape';
import { window } from './window';

/** Entries from which it takes long enough to be told. */
const LONG = 2000;

/**
 * Undefined when the user has given it up.
 * @param work calls `check` now and then, which throws when nobody wants the rest
 */
export async function withDelayedProgress<T>(
  title: InertText,
  entries: number,
  work: (check: () => void) => Promise<T>,
): Promise<{ readonly done: T } | undefined> {
  if (entries < LONG) {
    return { done: await work(() => undefined) };
  }
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return window.withProgress(options, async (_progress, token) => {
    const check = (): void => {
      if (token.isCancellationRequested) {
        throw new vscode.CancellationError();
      }
    };
    try {
      return { done: await work(check) };
    } catch (error) {
      if (error instanceof vscode.CancellationError) {
        return undefined;
      }
      throw error;
    }
  });
}
