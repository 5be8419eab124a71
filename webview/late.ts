/** Parts of the page whose code is a file of its own, loaded beside the first paint or before they are first needed. */
import { useLayoutEffect, useReducer } from 'preact/hooks';

/** ms until a file that could not be loaded is asked for again. */
const AGAIN_MS = 2000;

export class Late<T> {
  /** Undefined until it is loaded. */
  now: T | undefined;
  private loading: Promise<T> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly importIt: () => Promise<T>) {}

  /** Loads it, unless that was done; never fails, as long as the page is there it is tried again. */
  load(): Promise<T> {
    return (this.loading ??= this.attempt());
  }

  /** Hears once when it is loaded, by whomever; returns the way out. */
  onLoaded(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private async attempt(): Promise<T> {
    for (let failed = false; ; failed = true) {
      try {
        this.now = await this.importIt();
        this.listeners.forEach((listener) => listener());
        this.listeners.clear();
        return this.now;
      } catch (error) {
        if (!failed) {
          console.error('A part of the view could not be loaded.', error);
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }
}

/** The part, once somebody has loaded it; the component renders again then. */
export function useLate<T>(late: Late<T>): T | undefined {
  const [, again] = useReducer<number, void>((count) => count + 1, 0);
  const { now } = late;
  useLayoutEffect(() => {
    if (now !== undefined) {
      return undefined;
    }
    // It may have come between rendering and this.
    return late.now === undefined ? late.onLoaded(() => again()) : again();
  }, [late, now]);
  return now;
}

/** As {@link useLate}, and loads it. */
export function useNeeded<T>(late: Late<T>): T | undefined {
  useLayoutEffect(() => void late.load(), [late]);
  return useLate(late);
}
