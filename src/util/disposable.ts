/** Ownership of resources that must be freed. Register a resource on the line that creates it. */
import type { Disposable } from '../core/platform/disposable';

/**
 * Frees all its items, the newest first. An item that is added later is freed at once, so that resources which were still being created do not
 * outlive their owner.
 */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private done = false;

  constructor() {
    tracker?.made(this);
  }

  get disposed(): boolean {
    return this.done;
  }

  /** Returns its argument, so that an item can be registered where it is created. */
  add<T extends Disposable>(item: T): T {
    if (this.done) {
      item.dispose();
    } else {
      this.items.add(item);
    }
    return item;
  }

  /** Frees one item early. */
  delete(item: Disposable): void {
    if (this.items.delete(item)) {
      item.dispose();
    }
  }

  /** Frees every item, even when one throws. Throws the first error at the end. */
  dispose(): void {
    if (this.done) {
      return;
    }
    this.done = true;
    tracker?.freed(this);
    const errors: unknown[] = [];
    for (const item of [...this.items].reverse()) {
      try {
        item.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    this.items.clear();
    if (errors.length > 0) {
      throw errors[0];
    }
  }
}

/** Returns a disposable that calls the function at most once. */
export function toDisposable(free: () => void): Disposable {
  let pending: (() => void) | undefined = free;
  const disposable: Disposable = {
    dispose() {
      const run = pending;
      pending = undefined;
      if (run) {
        tracker?.freed(disposable);
        run();
      }
    },
  };
  tracker?.made(disposable);
  return disposable;
}

interface Tracker {
  made(disposable: Disposable): void;
  freed(disposable: Disposable): void;
}

/** Set only by tests, because it costs a stack trace per disposable. */
let tracker: Tracker | undefined;

/**
 * For tests: tracks every store and {@link toDisposable} created from now on.
 * @returns `stop()` ends the tracking and returns the stack of each one that is not freed. Only one tracking is possible at a time.
 */
export function trackDisposables(): { stop(): string[] } {
  if (tracker) {
    throw new Error('disposables are being tracked already');
  }
  const living = new Map<Disposable, string>();
  const mine: Tracker = {
    made: (disposable) => living.set(disposable, (new Error().stack ?? '').split('\n').slice(3, 7).join('\n')),
    freed: (disposable) => living.delete(disposable),
  };
  tracker = mine;
  return {
    stop() {
      tracker = undefined;
      return [...living.values()];
    },
  };
}
