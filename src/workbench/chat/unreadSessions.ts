import type { Disposable } from '../../core/model/ports';
import { Listeners } from '../../util/listeners';

/** Sessions of this window that ended something nobody has seen yet, by key: for what shows them. Told by what is loaded late. Pure. */
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
