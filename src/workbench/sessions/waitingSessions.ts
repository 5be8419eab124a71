/**
 * The keys of the sessions that wait for a limit's reset. VS Code has them at hand when the extension is activated, so that such a session continues
 * after a reload even when no page shows it. Part of the first load.
 */
import type * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { Sessions } from '../../session/sessions';
import { systemClock } from '../../util/clock';
import { isRestricted } from '../trust/restrictedMode';

/** In `workspaceState`. */
const WAITING = 'sessions.waiting';

/** ms in which the window has restored its editors. */
const START_MS = 2000;

function waitingKeys(state: Pick<vscode.Memento, 'get'>): readonly string[] {
  const keys = state.get<unknown>(WAITING);
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

/** Calls `restore` once, a while after the start of a window in which a session waits. */
export function restoreWaiting(state: Pick<vscode.Memento, 'get'>, restore: () => Promise<unknown>): Disposable {
  return waitingKeys(state).length > 0 && !isRestricted()
    ? systemClock.after(START_MS, () => void restore().catch(() => undefined))
    : { dispose: () => undefined };
}

/** Stores the keys. A key whose session is not restored yet stays. */
export function storeWaiting(sessions: Pick<Sessions, 'all' | 'get' | 'onChange'>, state: vscode.Memento): Disposable {
  return sessions.onChange(() => {
    const stored = waitingKeys(state);
    const waiting = sessions.all.filter(({ store }) => store.state.continuation !== undefined).map(({ key }) => key);
    const keys = [...stored.filter((key) => !sessions.get(key)), ...waiting];
    if (keys.join() !== stored.join()) {
      void state.update(WAITING, keys);
    }
  });
}

/** Restores the sessions, one after the other. A session whose journal is gone no longer waits. */
export async function readBackWaiting(state: vscode.Memento, readBack: (key: string) => Promise<unknown>): Promise<void> {
  for (const key of waitingKeys(state)) {
    if (!(await readBack(key))) {
      const others = waitingKeys(state).filter((each) => each !== key);
      await state.update(WAITING, others);
    }
  }
}
