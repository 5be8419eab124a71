import assert from 'node:assert/strict';
import fc from 'fast-check';
import { reduceTerminalOutput } from '../../../../src/core/reduce/terminals';
import { EMPTY_STATE, TERMINAL_TAIL } from '../../../../src/core/model/state';
import { fittingSize } from '../../../../src/core/model/terminalSize';
import { newOutput, type OutputCursor } from '../../../../src/core/protocol/terminalTail';

describe('a terminal that is shown', () => {
  it('gets each chunk once, and the whole output after a gap', () => {
    const piece = fc.record({
      text: fc.oneof(fc.string({ maxLength: 5 }), fc.constant('x'.repeat(TERMINAL_TAIL))),
      skipped: fc.constantFrom(0, 0, 0, 9),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 12 }), (pieces) => {
        let state = EMPTY_STATE;
        let shown: OutputCursor | undefined;
        let screen = '';
        let all = '';
        for (const [{ text, skipped }, looks] of pieces) {
          state = reduceTerminalOutput(state, { type: 'terminal_output', at: 0, terminalId: 't', text, ...(skipped > 0 && { skipped }) });
          all = skipped > 0 ? text : all + text;
          if (!looks) {
            continue;
          }
          const added = newOutput(shown, state.terminals['t']!);
          if (!added) {
            continue;
          }
          screen = added.isReset ? added.text : screen + added.text;
          shown = added.shown;
          assert.ok(all.endsWith(screen) || screen.endsWith(all), 'nothing is missing, nothing twice');
          assert.ok(screen.endsWith(state.terminals['t']!.output));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('starts again when the output was replaced', () => {
    const first = newOutput(undefined, { output: 'abc', dropped: 0 })!;
    assert.deepEqual([first.text, first.isReset], ['abc', true]);
    assert.equal(newOutput(first.shown, { output: 'abc', dropped: 0 }), undefined);
    assert.equal(newOutput(first.shown, { output: 'abcd', dropped: 0 })!.text, 'd');
    assert.deepEqual(
      [newOutput(first.shown, { output: 'xyzd', dropped: 0 })!].map(({ text, isReset }) => [text, isReset]),
      [['xyzd', true]],
    );
    assert.equal(newOutput(first.shown, { output: 'x', dropped: 0 })!.isReset, true);
    assert.equal(newOutput(first.shown, { output: 'later', dropped: 100 })!.isReset, true);
  });

  it('has a size that programs can work with', () => {
    assert.deepEqual(fittingSize({ columns: 100, rows: 30 }), { columns: 100, rows: 30 });
    assert.deepEqual(fittingSize({ columns: 1, rows: 0 }), { columns: 20, rows: 5 });
    assert.deepEqual(fittingSize({ columns: 1e9, rows: Infinity }), { columns: 500, rows: 5 });
    assert.deepEqual(fittingSize({ columns: NaN, rows: 7.5 }), { columns: 20, rows: 7 });
  });
});
