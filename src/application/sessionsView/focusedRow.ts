/**
 * Finds the row of the tree that has the focus. VS Code reports only the selection to extensions, and the arrow keys do not move it. A keybinding
 * can run `list.toggleSelection` twice. The row that is toggled twice has the focus, and the selection is the same as before. Nothing opens
 * because of that. Pure.
 */
import type { Clock } from '../../core/platform/clock';
import type { TreeRefresh } from './treeRefresh';

interface Item {
  readonly id: string;
}

/** The maximum time in ms between a keybinding's commands. */
const TOGGLE_MS = 1000;

export class FocusedRow<T extends Item> {
  private toggles: { readonly row: T; readonly at: number }[] = [];

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly redraw: Pick<TreeRefresh, 'isOver'>,
    private selection: readonly T[] = [],
  ) {}

  /** Called with VS Code's new selection. */
  selected(selection: readonly T[]): void {
    const changed = [...without(selection, this.selection), ...without(this.selection, selection)];
    this.selection = selection;
    // A click moves the selection from one row to another, which is no toggle. Neither is a change while VS Code fetches the rows again.
    this.toggles =
      changed.length === 1 && this.redraw.isOver ? [...this.toggles.slice(-1), { row: changed[0]!, at: this.clock.now() }] : [];
  }

  /** Returns the row that was just toggled twice, or undefined when there is none. Returns it once. */
  take(): T | undefined {
    const [first, second] = this.toggles;
    this.toggles = [];
    return second && first!.row.id === second.row.id && this.clock.now() - first!.at < TOGGLE_MS ? second.row : undefined;
  }
}

function without<T extends Item>(rows: readonly T[], others: readonly T[]): T[] {
  return rows.filter(({ id }) => !others.some((other) => other.id === id));
}
