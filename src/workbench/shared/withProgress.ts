/** Runs work on a whole conversation. A long one shows a progress notification that can be cancelled. */
import * as vscode from 'vscode';
import type { InertText } from '../../application/shared/escape';
import { window } from './window';

/** The number of entries from which the work takes long enough to show progress. */
const LONG = 2000;

/**
 * Resolves to undefined when the user has cancelled.
 * @param work calls `check` regularly, which throws after a cancellation
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
