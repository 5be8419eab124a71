/** How many terminals are live at once: each costs the page a screen's worth of elements and a parser. */

export class Slots {
  private readonly taken = new Set<() => void>();
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limit: number) {}

  /** `granted` is called at once, or when somebody has left. Returns the way out of both. */
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
