import assert from 'node:assert/strict';
import { FocusedRow } from '../../../../src/workbench/sessionsView/focusedRow';

describe('the row with the focus', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id }));
  let now = 0;
  const clock = { now: () => now };
  /** As `list.toggleSelection` does it, twice. */
  const toggleTwice = (focus: FocusedRow<{ id: string }>, selection: { id: string }[], row: { id: string }): void => {
    const isSelected = selection.some(({ id }) => id === row.id);
    const without = selection.filter(({ id }) => id !== row.id);
    focus.selected(isSelected ? without : [...selection, row]);
    focus.selected(isSelected ? [...without, row] : selection);
  };

  it('is the one that was toggled, whatever is selected', () => {
    for (const selection of [[], [a!], [b!], [a!, c!], [b!, c!]]) {
      const focus = new FocusedRow(clock, selection);
      toggleTwice(focus, selection, b!);
      assert.equal(focus.take(), b, JSON.stringify(selection));
      assert.equal(focus.take(), undefined, 'once');
    }
  });

  it('is none where nothing was toggled', () => {
    const focus = new FocusedRow<{ id: string }>(clock);
    assert.equal(focus.take(), undefined);
    // Two clicks, one after the other.
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

  it('is found by its id: a row that was read again is the same', () => {
    const focus = new FocusedRow<{ id: string }>(clock, [{ id: 'a' }]);
    focus.selected([{ id: 'a' }, b!]);
    focus.selected([{ id: 'a' }]);
    assert.equal(focus.take(), b);
  });
});
