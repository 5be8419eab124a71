/** Limits the number of live terminals: each needs a screen's worth of elements and a parser. */

export class Slots {
  private readonly taken = new Set<() => void>();
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limit: number) {}

  /** Calls `granted` at once, or when another terminal has left. Returns a function that leaves, or cancels the wait. */
  take(granted: () => void): () => void {
    if (this.taken.size < this.limit) {
      this.taken.add(granted);
      granted();
    } else {
      this.waiting.add(granted);
    }
    return () => this.leave(granted);
  }

  private leave(granted: () => void): void {
    this.waiting.delete(granted);
    if (!this.taken.delete(granted)) {
      return;
    }
    const [next] = this.waiting;
    if (!next) {
      return;
    }
    this.waiting.delete(next);
    this.taken.add(next);
    next();
  }
}
