/** The rows of a quick pick that fills while it is open. Pure. */
import type { Item } from '../shared/window';

/**
 * VS Code tells an extension which row was chosen by its place in `items`. When rows have just been put in, that is the place of another row than the
 * one the user saw. So rows that moved get places that had no row before, and the places before them are kept by separators, which VS Code does not
 * draw where another one follows: what is told of such a place is about the row that stood there.
 */
export class StableRows<T extends Item> {
  /** The row that stood last in each place. */
  private readonly places: T[] = [];
  private keys: readonly unknown[] = [];
  private first = 0;

  /** @param keyOf the same for a row that is made anew @param separator a new one */
  constructor(
    private readonly pick: { items: readonly T[] },
    private readonly separator: () => T,
    private readonly keyOf: (row: T) => unknown,
  ) {}

  /** Shows these rows, of which none is a separator without a row behind it. */
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

  /** The row that VS Code told of; undefined when there is none. */
  rowOf(told: T | undefined): T | undefined {
    return told && this.places[this.pick.items.indexOf(told)];
  }
}
