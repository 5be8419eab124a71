/** The wait for an address that an earlier window may still have, while it ends. */
import { setTimeout as delay } from 'node:timers/promises';

/** ms between two attempts, and their number. A window that ends has a few seconds for it. */
const RETRY_MS = 250;
const ATTEMPTS = 40;
/** Listens as soon as that is possible: the port is in use, or the window that ends is removing the folder of its socket. */
export async function whenFree<T>(listen: () => Promise<T>, pause = RETRY_MS): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await listen();
    } catch (error) {
      if (attempt >= ATTEMPTS) {
        throw error;
      }
      await delay(pause);
    }
  }
}
