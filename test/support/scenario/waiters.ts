/** Those who wait until something holds, asked again whenever something happened. */
export class Waiters {
  private readonly waiting = new Set<() => void>();

  /** @param soFar what happened until now, for the error */
  constructor(private readonly soFar: () => readonly string[]) {}

  check(): void {
    [...this.waiting].forEach((check) => check());
  }

  until(what: string, holds: () => boolean): Promise<void> {
    if (holds()) {
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      // Only a scenario that hangs gets here; the golden text says nothing about time.
      const limit = setTimeout(() => {
        this.waiting.delete(check);
        reject(new Error(`waited for ${what}; so far:\n${this.soFar().join('\n')}`));
      }, 15_000);
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
