import type { Clock } from '../core/model/ports';

/** What `setTimeout` can count to; beyond it would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMEOUT_MS));
    return { dispose: () => clearTimeout(timer) };
  },
};
