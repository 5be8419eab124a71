/** Modules in files of their own, loaded beside the first paint or before they are first needed. */
import { Listeners } from '../../src/core/platform/listeners';
import { useForceUpdate } from './memo';
import { useLayoutEffect } from 'preact/hooks';

/** ms until a file that failed to load is requested again. */
const AGAIN_MS = 2000;

export class Lazy<T> {
  /** Undefined until the module is loaded. */
  value: T | undefined;
  private loading: Promise<T> | undefined;
  private readonly listeners = new Listeners();

  constructor(private readonly importModule: () => Promise<T>) {}

  /** Loads the module unless it is loaded. Never rejects: a failed load is repeated as long as the page exists. */
  load(): Promise<T> {
    return (this.loading ??= this.attempt());
  }

  /** Calls `listener` once, when the module has loaded. Returns a function that unsubscribes. */
  onLoaded(listener: () => void): () => void {
    return this.listeners.subscribe(listener);
  }

  private async attempt(): Promise<T> {
    for (let failed = false; ; failed = true) {
      try {
        this.value = await this.importModule();
        this.listeners.call();
        this.listeners.clear();
        return this.value;
      } catch (error) {
        if (!failed) {
          console.error('A part of the view could not be loaded.', error);
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }
}

/** A module that is loaded when it is first needed. */
export function lazy<T>(importModule: () => Promise<T>): Lazy<T> {
  return new Lazy(importModule);
}

/** The part of a late module that its users need. */
export type LazyModule<T> = Pick<Lazy<T>, 'value' | 'load' | 'onLoaded'>;

/**
 * The exports that a feature uses of a late module, when the module has exports of other features, too. Only `app/chunks.ts` imports such a module. It
 * fills the slots.
 */
export class LazySlot<T> implements LazyModule<T> {
  private chunk: LazyModule<T> = lazy<T>(() => Promise.reject(new Error('The slot of a late module is empty.')));

  /** Sets the module. Must be called before the slot is used. */
  fill(chunk: LazyModule<T>): void {
    this.chunk = chunk;
  }

  get value(): T | undefined {
    return this.chunk.value;
  }

  load(): Promise<T> {
    return this.chunk.load();
  }

  onLoaded(listener: () => void): () => void {
    return this.chunk.onLoaded(listener);
  }
}

/**
 * Returns the module once it is loaded, and then renders the component again.
 * @param isNeeded loads the module now. Otherwise the page loads it when it is idle, which a busy page may not be for a minute.
 */
export function useLazy<T>(chunk: LazyModule<T>, isNeeded = false): T | undefined {
  const forceUpdate = useForceUpdate();
  const { value } = chunk;
  useLayoutEffect(() => void (isNeeded && chunk.load()), [chunk, isNeeded]);
  useLayoutEffect(() => {
    if (value !== undefined) {
      return undefined;
    }
    // The module may have loaded between rendering and this effect.
    return chunk.value === undefined ? chunk.onLoaded(() => forceUpdate()) : forceUpdate();
  }, [chunk, value]);
  return value;
}

/** Like {@link useLazy}, but always loads the module. */
export function useLoaded<T>(chunk: LazyModule<T>): T | undefined {
  return useLazy(chunk, true);
}
