/** The open and closed parts, by entry and part. The state outlives the components, which are mounted and unmounted as the user scrolls. */
export class DisclosureState {
  /** Called when a part was opened or closed. */
  onChange: () => void = () => {};
  private readonly open = new Map<string, boolean>();
  private readonly listeners = new Map<string, Set<() => void>>();

  /** Undefined until the user or the page has set it. */
  get(key: string): boolean | undefined {
    return this.open.get(key);
  }

  /** @param open undefined resets the part */
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

  /** The parts that were opened or closed, the newest last. */
  get all(): readonly (readonly [key: string, open: boolean])[] {
    return [...this.open];
  }

  /** Notifies of changes of this part. Returns a function that unsubscribes. */
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
