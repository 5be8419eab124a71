import type { Disposable } from '../../core/platform/disposable';
import { Listeners } from '../../core/platform/listeners';

/** The keys of sessions of this window with a result that the user has not seen yet. Set by code that is loaded later. Pure. */
export class UnreadSessions {
  private keys: ReadonlySet<string> = new Set();
  private readonly listeners = new Listeners<[]>();

  has(key: string): boolean {
    return this.keys.has(key);
  }

  set(keys: ReadonlySet<string>): void {
    this.keys = keys;
    this.listeners.call();
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }
}
