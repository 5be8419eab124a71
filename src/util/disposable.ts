/** Owning what must be freed. Register it on the line that makes it. */
import type { Disposable } from '../core/model/ports';

/**
 * Frees everything it was given, the newest first. What is added after that is freed at once: something that was still on its way when its
 * owner went must not live on.
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

  /** Returns what it was given, so that it can be registered where it is made. */
  add<T extends Disposable>(item: T): T {
    if (this.done) {
      item.dispose();
    } else {
      this.items.add(item);
    }
    return item;
  }

  /** Frees one item before its time. */
  delete(item: Disposable): void {
    if (this.items.delete(item)) {
      item.dispose();
    }
  }

  /** Every item gets its turn, also when one throws; the first error is thrown at the end. */
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

/** A disposable from a function, which runs once at most. */
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

/** Set by tests only: it costs a stack trace per disposable. */
let tracker: Tracker | undefined;

/**
 * For tests: notes every store and {@link toDisposable} made from now on.
 * @returns `stop()` ends it and gives the stack of each that is not freed. Only one can be on at a time.
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
