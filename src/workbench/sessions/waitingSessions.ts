/** The keys of the sessions that wait for a limit's reset. They are stored so that a later window restores these sessions. Loaded at the first use. */
import type * as vscode from 'vscode';
import type { Session } from '../../session/session';
import { WAITING } from './restoreWaiting';

function waitingKeys(state: vscode.Memento): readonly string[] {
  const keys = state.get<unknown>(WAITING);
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

export function storeWaiting(state: vscode.Memento, key: string, isWaiting: boolean): void {
  const others = waitingKeys(state).filter((each) => each !== key);
  void state.update(WAITING, isWaiting ? [...others, key] : others);
}

/** Restores the sessions, one after the other. A session that is gone, or continues in another window, no longer waits. */
export async function readBackWaiting(
  state: vscode.Memento,
  readBack: (key: string) => Promise<Pick<Session, 'store'> | undefined>,
): Promise<void> {
  for (const key of waitingKeys(state)) {
    const session = await readBack(key);
    if (!session?.store.state.continuation) {
      storeWaiting(state, key, false);
    }
  }
}
