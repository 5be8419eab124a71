import type { Disposable } from './disposable';

export interface Clock {
  /** Returns the time in ms since the epoch. */
  now(): number;
  /** Runs `callback` once after `ms`; disposing cancels it. */
  after(ms: number, callback: () => void): Disposable;
}
