/**
 * The row of the tree that has the focus. VS Code tells extensions of the selection alone, which the arrow keys leave where it is; but a keybinding can run
 * its `list.toggleSelection` twice: the row that came and went is the one with the focus, and the selection is as before. Nothing opens by that. Pure.
 */
import type { Clock } from '../../core/model/ports';
import type { Redraw } from './redraw';

interface Item {
  readonly id: string;
}

/** ms within which a keybinding's commands follow each other. */
const TOGGLE_MS = 1000;

export class FocusedRow<T extends Item> {
  private toggles: { readonly row: T; readonly at: number }[] = [];

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly redraw: Pick<Redraw, 'isOver'>,
    private selection: readonly T[] = [],
  ) {}

  /** VS Code selects these now. */
  selected(selection: readonly T[]): void {
    const changed = [...without(selection, this.selection), ...without(this.selection, selection)];
    this.selection = selection;
    // A click takes the selection from one row to another: no toggle. Nor is it one that VS Code has forgotten selected rows.
    this.toggles =
      changed.length === 1 && this.redraw.isOver ? [...this.toggles.slice(-1), { row: changed[0]!, at: this.clock.now() }] : [];
  }

  /** The row that was just toggled twice; undefined when there was no row to toggle. Counts once. */
  take(): T | undefined {
    const [first, second] = this.toggles;
    this.toggles = [];
    return second && first!.row.id === second.row.id && this.clock.now() - first!.at < TOGGLE_MS ? second.row : undefined;
  }
}

function without<T extends Item>(rows: readonly T[], others: readonly T[]): T[] {
  return rows.filter(({ id }) => !others.some((other) => other.id === id));
}
