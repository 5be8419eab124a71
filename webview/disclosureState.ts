/** What is open and what is closed, by entry and part. It outlives the components, which come and go as the user scrolls. */
export class DisclosureState {
  /** Something was opened or closed. */
  onChange: () => void = () => {};
  private readonly open = new Map<string, boolean>();
  private readonly listeners = new Map<string, Set<() => void>>();

  /** Undefined until somebody has said so. */
  get(key: string): boolean | undefined {
    return this.open.get(key);
  }

  /** @param open undefined forgets what was said about the part */
  set(key: string, open: boolean | undefined): void {
    if (this.open.get(key) === open) {
      return;
    }
    if (open === undefined) {
      this.open.delete(key);
    } else {
      this.open.set(key, open);
    }
    this.onChange();
    for (const listener of [...(this.listeners.get(key) ?? [])]) {
      listener();
    }
  }

  /** What somebody has opened or closed, the newest last. */
  get all(): readonly (readonly [key: string, open: boolean])[] {
    return [...this.open];
  }

  /** Hears of this part; returns the way out. */
  subscribe(key: string, listener: () => void): () => void {
    const listeners = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(key) === listeners) {
        this.listeners.delete(key);
      }
    };
  }
}
