import assert from 'node:assert/strict';
import { columnOf, locate, locateLine, previewOf, type PositionInput, wordAround } from '../../../../src/mcp/editor/position';
import { RetryError } from '../../../../src/mcp/editor/retry';

const text = ['const total = 1;', '', 'function sum(a: number) {', '  return total + a;', '}', 'sum(total);', '  return total + a;'].join(
  '\n',
);

describe('a position for a tool', () => {
  const at = (input: PositionInput, source = text) => locate(source, input, 'a.ts');
  const error = (input: PositionInput, source = text): string => {
    try {
      at(input, source);
    } catch (thrown) {
      assert.ok(thrown instanceof RetryError);
      return thrown.message;
    }
    return assert.fail('no error');
  };

  it('is found by a symbol and the text of its line', () => {
    assert.deepEqual(at({ symbol: 'sum', lineText: 'function sum(a: number) {' }), { line: 2, character: 9 });
  });

  it('does not depend on white space, line ends or a line number in front', () => {
    for (const lineText of [
      '  function   sum(a: number) {',
      'function sum( a:number ) {',
      '3: function sum(a: number) {',
      '   3\tfunction sum(a: number) {',
    ]) {
      assert.deepEqual(at({ symbol: 'sum', lineText }, text.replaceAll('\n', '\r\n')), { line: 2, character: 9 }, lineText);
    }
    assert.deepEqual(at({ symbol: 'b', lineText: 'b = 2' }, 'a = 1\rb = 2'), { line: 1, character: 0 });
  });

  it('takes a part of a line, and the line of several that has the symbol', () => {
    assert.deepEqual(at({ symbol: 'sum', lineText: 'function sum(' }), { line: 2, character: 9 });
    assert.deepEqual(at({ symbol: 'sum', lineText: '\n\nfunction sum(a: number) {\n  return total + a;' }), { line: 2, character: 9 });
  });

  it('prefers the whole line to a line that contains it', () => {
    assert.deepEqual(at({ symbol: 'x', lineText: 'x = 1' }, 'let x = 12\nx = 1'), { line: 1, character: 0 });
  });

  it('finds whole names only', () => {
    assert.deepEqual(at({ symbol: 'a', line: 1 }, 'aa ba $a a'), { line: 0, character: 9 });
    assert.deepEqual(at({ symbol: 'x', line: 1 }, '𝑎x 🎉x'), { line: 0, character: 6 });
    assert.deepEqual(at({ symbol: '=>', line: 1 }, 'a=>b'), { line: 0, character: 1 });
  });

  it('lists all lines when several match', () => {
    const message = error({ symbol: 'total', lineText: 'return total + a;' });
    assert.match(message, /^2 lines of a\.ts match:\n4: return total \+ a;\n7: return total \+ a;\nGive line too/);
    assert.deepEqual(at({ symbol: 'total', lineText: 'return total + a;', line: 7 }), { line: 6, character: 9 });
  });

  it('lists the lines with the symbol when the text of the line is wrong', () => {
    assert.match(error({ symbol: 'sum', lineText: 'function plus() {' }), /3: function sum\(a: number\) \{\n6: sum\(total\);/);
    assert.match(error({ symbol: 'sum', line: 1 }), /sum is not in line 1 of a\.ts: const total = 1;\n.*\n3: /);
    assert.match(error({ symbol: 'nothing', lineText: 'sum(total);' }), /nothing is not in a\.ts/);
  });

  it('is found by a symbol alone when one line has it', () => {
    assert.deepEqual(at({ symbol: 'number' }), { line: 2, character: 16 });
    assert.match(error({ symbol: 'total' }), /1: const total = 1;\n4: /);
  });

  it('counts lines and columns from 1, in characters', () => {
    assert.deepEqual(at({ line: 1, column: 7 }), { line: 0, character: 6 });
    assert.deepEqual(at({ line: 1, column: 3 }, '😀ab'), { line: 0, character: 3 });
    assert.equal(columnOf('😀ab', 3), 3);
    assert.match(error({ line: 1, column: 99 }), /has 16 characters/);
    assert.match(error({ line: 99, column: 1 }), /has 7 lines/);
    assert.match(error({ line: 3 }), /symbol and lineText/);
    assert.match(error({}), /symbol and lineText/);
  });

  it('bounds the lines of an error', () => {
    const message = error({ symbol: 'x' }, 'x\n'.repeat(5000));
    assert.equal(message.split('\n').length, 23);
    assert.match(message, /and 4980 more/);
  });

  it('may be a line alone', () => {
    assert.equal(locateLine(text, { lineText: 'sum(total);' }, 'a.ts'), 5);
    assert.equal(locateLine(text, { line: 2 }, 'a.ts'), 1);
    assert.equal(locateLine(text, { symbol: 'sum', lineText: 'sum(total);' }, 'a.ts'), 5);
    assert.throws(() => locateLine(text, { lineText: 'return total + a;' }, 'a.ts'), RetryError);
    assert.throws(() => locateLine(text, { line: 8 }, 'a.ts'), RetryError);
    assert.throws(() => locateLine(text, {}, 'a.ts'), RetryError);
  });

  it('has the name around it, also of characters with two units', () => {
    const line = 'a + 𝑥𝑦é_1(b)';
    for (const [character, name] of [
      [0, 'a'],
      [1, 'a'],
      [2, ''],
      [4, '𝑥𝑦é_1'],
      [6, '𝑥𝑦é_1'],
      [11, '𝑥𝑦é_1'],
      [12, 'b'],
      [99, ''],
    ] as const) {
      assert.equal(wordAround(line, character), name, String(character));
    }
  });

  it('is found quickly in a line of millions of characters', () => {
    const line = `${'a'.repeat(3_000_000)} 😀`;
    const start = performance.now();
    assert.equal(wordAround(line, 3_000_001), '');
    assert.equal(wordAround(line, 3_000_000).length, 1000);
    for (let row = 0; row < 50; row++) {
      assert.equal(columnOf(line, line.length), 3_000_003);
    }
    assert.ok(performance.now() - start < 4000);
  });

  it('shortens previews between characters', () => {
    assert.equal(previewOf('  a b  '), 'a b');
    assert.equal(previewOf(`${'a'.repeat(199)}😀b`), `${'a'.repeat(199)}…`);
  });
});
