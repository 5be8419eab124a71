import assert from 'node:assert/strict';
import { FocusedRow } from '../../../../src/application/sessionsView/focusedRow';

describe('the row with the focus', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id }));
  let now = 0;
  const clock = { now: () => now };
  const drawn = { isOver: true };
  /** Calls the listener like `list.toggleSelection` does, twice. */
  const toggleTwice = (focus: FocusedRow<{ id: string }>, selection: { id: string }[], row: { id: string }): void => {
    const isSelected = selection.some(({ id }) => id === row.id);
    const without = selection.filter(({ id }) => id !== row.id);
    focus.selected(isSelected ? without : [...selection, row]);
    focus.selected(isSelected ? [...without, row] : selection);
  };

  it('is the toggled one, whatever is selected', () => {
    for (const selection of [[], [a!], [b!], [a!, c!], [b!, c!]]) {
      const focus = new FocusedRow(clock, drawn, selection);
      toggleTwice(focus, selection, b!);
      assert.equal(focus.take(), b, JSON.stringify(selection));
      assert.equal(focus.take(), undefined, 'once');
    }
  });

  it('is undefined when no row was toggled', () => {
    const focus = new FocusedRow<{ id: string }>(clock, drawn);
    assert.equal(focus.take(), undefined);
    // Two clicks in sequence.
    focus.selected([a!]);
    focus.selected([b!]);
    assert.equal(focus.take(), undefined);
    // A click, and Escape some time later.
    focus.selected([]);
    focus.selected([a!]);
    now += 1500;
    focus.selected([]);
    assert.equal(focus.take(), undefined);
    focus.selected([b!]);
    assert.equal(focus.take(), undefined, 'another row');
  });

  it('is found by its id, because a refreshed row is the same', () => {
    const focus = new FocusedRow<{ id: string }>(clock, drawn, [{ id: 'a' }]);
    focus.selected([{ id: 'a' }, b!]);
    focus.selected([{ id: 'a' }]);
    assert.equal(focus.take(), b);
  });

  it('is undefined while VS Code has forgotten the rows', () => {
    const redraw = { isOver: true };
    const focus = new FocusedRow<{ id: string }>(clock, redraw, [a!]);
    // `b` is toggled while VS Code reports no selection.
    redraw.isOver = false;
    focus.selected([]);
    redraw.isOver = true;
    focus.selected([a!]);
    assert.equal(focus.take(), undefined, 'a was never toggled');
    toggleTwice(focus, [a!], b!);
    assert.equal(focus.take(), b);
  });
});
