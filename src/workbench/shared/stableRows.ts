/** The rows of a quick pick that fills while it is open. Pure. */
import type { Item } from './window';

/**
 * Keeps a choice in a growing quick pick on the row that the user saw. VS Code reports a chosen row by its index in `items`, so after an update
 * the index may belong to another row. Moved rows therefore get new indexes, and separators fill the old ones. VS Code does not draw a separator
 * that is followed by another. An index always refers to the row that was last shown there.
 */
export class StableRows<T extends Item> {
  /** The row that was last shown at each index. */
  private readonly places: T[] = [];
  private keys: readonly unknown[] = [];
  private first = 0;

  /** @param keyOf returns the same key for a row that was created again @param separator creates a separator */
  constructor(
    private readonly pick: { items: readonly T[] },
    private readonly separator: () => T,
    private readonly keyOf: (row: T) => unknown,
  ) {}

  /** Shows these rows. Each separator among them must be followed by a row. */
  show(rows: readonly T[]): void {
    const keys = rows.map(this.keyOf);
    const isOnlyLonger = this.keys.every((key, index) => key === keys[index]);
    if (!isOnlyLonger) {
      const end = this.first + this.keys.length;
      this.first = rows.length <= this.first ? 0 : end;
    }
    this.keys = keys;
    this.places.splice(this.first, rows.length, ...rows);
    const last = this.first + rows.length;
    this.pick.items = this.places.map((row, place) => (place >= this.first && place < last ? row : this.separator()));
  }

  /** Returns the row that VS Code reported, or undefined when there is none. */
  rowOf(told: T | undefined): T | undefined {
    return told && this.places[this.pick.items.indexOf(told)];
  }
}
