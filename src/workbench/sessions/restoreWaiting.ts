/**
 * Restores the sessions that wait for a limit's reset, those whose agents have outlived the window, and those that were shared. Such a session continues
 * after a reload even when no page shows it. Part of the first load.
 */
import type * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import { systemClock } from '../../util/clock';
import { keptSessionsKey, sharingKey } from '../../application/shared/ids';
import { isRestricted, whenTrusted } from '../trust/restrictedMode';

/** See `continuation.ts`, which is loaded later. */
const WAITING = 'waiting';

/** ms in which the window has restored its editors. */
const START_MS = 2000;

/** Calls `restore` once, a while after the start of a window in which a session waits. Restricted Mode delays it until the workspace is trusted. */
export function restoreWaiting(state: Pick<vscode.Memento, 'get'>, restore: () => Promise<unknown>): Disposable {
  const start = (): Disposable => systemClock.after(START_MS, () => void restore());
  const waits = [WAITING, keptSessionsKey, sharingKey].some((key) => {
    // A list of sessions, or the id of a sharing.
    const value = state.get<unknown>(key);
    return typeof value === 'string' || (Array.isArray(value) && value.length > 0);
  });
  return waits ? (isRestricted() ? whenTrusted(start) : start()) : { dispose: () => undefined };
}
