/** ms after which a scenario counts as hanging. The longest one takes 5 s, and several times as long on a busy machine. */
const LIMIT_MS = 45_000;

/** Waits for conditions, which are checked again after every event. */
export class Waiters {
  private readonly waiting = new Set<() => void>();

  /** @param soFar the events until now, for the error */
  constructor(private readonly soFar: () => readonly string[]) {}

  check(): void {
    [...this.waiting].forEach((check) => check());
  }

  until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) {
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      // Only a hanging scenario gets here; the golden text does not depend on time.
      const limit = setTimeout(() => {
        this.waiting.delete(check);
        reject(new Error(`waited for ${what}; so far:\n${this.soFar().join('\n')}`));
      }, LIMIT_MS);
      const check = (): void => {
        if (!holds()) {
          return;
        }
        clearTimeout(limit);
        this.waiting.delete(check);
        resolve();
      };
      this.waiting.add(check);
    });
  }
}
