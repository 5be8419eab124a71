import type { Disposable } from '../core/model/ports';

/** Who wants to hear of something. A listener added or removed during a call takes part from the next one on. */
export class Listeners<T extends readonly unknown[]> {
  private readonly listeners = new Set<{ readonly call: (...values: T) => void }>();

  add(call: (...values: T) => void): Disposable {
    const entry = { call };
    this.listeners.add(entry);
    return { dispose: () => void this.listeners.delete(entry) };
  }

  call(...values: T): void {
    [...this.listeners].forEach((listener) => listener.call(...values));
  }

  clear(): void {
    this.listeners.clear();
  }
}
