import type { Disposable } from '../../core/platform/disposable';
import { Listeners } from '../../core/platform/listeners';

interface Shown {
  readonly title: string;
  readonly agentName: string;
}

/** The titles in the tabs of a window, to distinguish sessions of several agents that have the same title. Pure. */
export class ShownTitles {
  private readonly titles = new Map<string, Shown>();
  private readonly listeners = new Listeners<[]>();

  /** True when the tab of another agent's session has the same title. */
  isShared(sessionKey: string): boolean {
    const own = this.titles.get(sessionKey);
    return [...this.titles.values()].some(({ title, agentName }) => title === own?.title && agentName !== own.agentName);
  }

  /** Sets the title of a session's tab. Undefined: it has no tab. */
  set(sessionKey: string, shown: Shown | undefined): void {
    if (shown) {
      this.titles.set(sessionKey, shown);
    } else {
      this.titles.delete(sessionKey);
    }
    this.listeners.call();
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }
}
