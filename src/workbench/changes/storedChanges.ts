/**
 * The keys of the sessions with pending changes in this workspace. VS Code has them at hand when the extension is activated, so that a window without
 * pending changes or reviews does nothing. Part of the first load.
 */
import type * as vscode from 'vscode';
import { systemClock } from '../../util/clock';
import { hasTitledTab, storedTitles } from './review/reviewTabs';
import { isRestricted, whenTrusted } from '../trust/restrictedMode';

/** In `workspaceState`. */
export const PENDING_SESSIONS = 'changes.pendingSessions';

/** ms in which the window has restored its editors. */
const START_MS = 1500;

/** The oldest first. */
export function storedKeys(state: Pick<vscode.Memento, 'get'>): readonly string[] {
  const keys = state.get<unknown>(PENDING_SESSIONS);
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

/** Calls `show` once, a while after the start of a window whose workspace has pending changes, or which has restored a review of them. */
export function showStoredChanges(state: Pick<vscode.Memento, 'get'>, show: () => Promise<unknown>): { dispose(): void } {
  const titles = storedTitles(state);
  const hasChanges = storedKeys(state).length > 0;
  if (!hasChanges && titles.size === 0) {
    return { dispose: () => undefined };
  }
  const begin = (): { dispose(): void } =>
    systemClock.after(START_MS, () => {
      if (hasChanges || hasTitledTab(titles)) {
        void show().catch(() => undefined);
      }
    });
  if (!isRestricted()) {
    return begin();
  }
  let timer: { dispose(): void } | undefined;
  const trust = whenTrusted(() => (timer = begin()));
  return {
    dispose: () => {
      trust.dispose();
      timer?.dispose();
    },
  };
}
