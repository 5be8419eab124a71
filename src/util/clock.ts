import type { Clock } from '../core/platform/clock';

/** The maximum of `setTimeout`. It would fire a longer one at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMEOUT_MS));
    return { dispose: () => clearTimeout(timer) };
  },
};
