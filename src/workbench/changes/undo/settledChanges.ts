/** Waits until the review has the changes of the turns that have ended: a command on all changes must not miss a part of them. */
import * as vscode from 'vscode';
import { t } from '../../shared/l10n';
import { window } from '../../shared/window';
import type { SessionChanges } from '../session/sessionChanges';

/** ms after which the user must see why nothing happens. */
const DELAY_MS = 500;

/** False when the user does not want to wait any longer. */
export async function areSettled(sessions: readonly Pick<SessionChanges, 'settled'>[]): Promise<boolean> {
  const all = Promise.all(sessions.map((each) => each.settled())).then(() => true);
  if (await isDoneWithin(all, DELAY_MS)) {
    return true;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: t('Recording the changes of the last turn'), cancellable: true };
  return window.withProgress(options, (_progress, token) =>
    Promise.race([all, new Promise<boolean>((resolve) => void token.onCancellationRequested(() => resolve(false)))]),
  );
}

/** True when the work ends in the given ms. */
export async function isDoneWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  return Promise.race([work.then(() => true), timeout]).finally(() => clearTimeout(timer));
}
