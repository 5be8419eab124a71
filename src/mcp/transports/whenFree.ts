/** The wait for an address that an earlier window may still have, while it ends. */
import { setTimeout as delay } from 'node:timers/promises';

/** ms between two attempts, and their number. A window that ends has a few seconds for it. */
const RETRY_MS = 250;
const ATTEMPTS = 40;
/** The address is in use, or the window that ends removes the socket's folder at this moment. */
const PASSING: ReadonlySet<string | undefined> = new Set(['EADDRINUSE', 'ENOENT', 'EACCES']);

/** Listens as soon as the address is free. Rejects when it stays in use, or with another error at once. */
export async function whenFree<T>(listen: () => Promise<T>, pause = RETRY_MS): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await listen();
    } catch (error) {
      if (attempt >= ATTEMPTS || !PASSING.has((error as NodeJS.ErrnoException).code)) {
        throw error;
      }
      await delay(pause);
    }
  }
}
