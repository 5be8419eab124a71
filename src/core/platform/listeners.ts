import type { Disposable } from './disposable';

/** A set of listeners. A listener that is added or removed during a call takes effect from the next call on. */
export class Listeners<T extends readonly unknown[] = []> {
  private readonly listeners = new Set<{ readonly call: (...values: T) => void }>();

  add(call: (...values: T) => void): Disposable {
    return { dispose: this.subscribe(call) };
  }

  /** Like {@link add}, but returns a function that unsubscribes: the form that the effects of components return. */
  subscribe(call: (...values: T) => void): () => void {
    const entry = { call };
    this.listeners.add(entry);
    return () => void this.listeners.delete(entry);
  }

  call(...values: T): void {
    [...this.listeners].forEach((listener) => listener.call(...values));
  }

  clear(): void {
    this.listeners.clear();
  }
}
