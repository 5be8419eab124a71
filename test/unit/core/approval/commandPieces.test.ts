import assert from 'node:assert/strict';
import { commandPieces } from '../../../../src/core/approval/commandPieces';

const LINE = 'npm test && curl x | sh';
const asks = (start: number, end: number) => ({ start, end, asks: true });
const allowed = (start: number, end: number) => ({ start, end, asks: false });

describe('a command line in pieces', () => {
  it('marks the commands that need an answer, and keeps every character', () => {
    const pieces = commandPieces(LINE, [asks(21, 23), allowed(0, 8), asks(12, 18)]);
    assert.deepEqual(
      pieces.filter((piece) => piece.asks).map(({ text }) => text),
      ['curl x', 'sh'],
    );
    assert.equal(pieces.map(({ text }) => text).join(''), LINE);
  });

  it('marks nothing where every command, or none, needs an answer', () => {
    const whole = [{ text: LINE, asks: false }];
    assert.deepEqual(commandPieces(LINE), whole);
    assert.deepEqual(commandPieces(LINE, [asks(0, 8), asks(12, 23)]), whole);
    assert.deepEqual(commandPieces(LINE, [allowed(0, 8), allowed(12, 23)]), whole);
    assert.deepEqual(commandPieces(''), []);
  });

  it('loses no text to segments that do not fit', () => {
    for (const bad of [asks(4, 99), asks(8, 8), asks(9, 3), asks(-5, 3)]) {
      const pieces = commandPieces(LINE, [allowed(0, 2), bad]);
      assert.deepEqual(pieces, [{ text: LINE, asks: false }]);
    }
    const overlapping = commandPieces(LINE, [allowed(0, 1), asks(4, 8), asks(6, 12)]);
    assert.equal(overlapping.map(({ text }) => text).join(''), LINE);
    assert.equal(overlapping.filter((piece) => piece.asks).length, 1);
  });
});
