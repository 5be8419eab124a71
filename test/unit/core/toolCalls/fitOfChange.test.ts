/** The fit of a proposed change in its file, where an agent sends texts that the file does not have exactly. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { alignedTexts, fitInPhase, fitOfChange } from '../../../../src/core/toolCalls/fitOfChange';

const FILE = 'function add(a, b) {\n  return a - b;\n}\n\nfunction sub(a, b) {\n  return a - b - 0;\n}\n';

describe('the fit of a proposed change', () => {
  const fit = (oldText: string, newText: string, file: string | undefined = FILE, told?: number[]) =>
    fitOfChange(file, { oldText, newText }, told);

  it('is the line of a passage that the file has exactly once', () => {
    assert.deepEqual(fit('  return a - b;\n', '  return a + b;\n'), { line: 2 });
    assert.deepEqual(fit(FILE, 'x'), { line: 1 });
    assert.deepEqual(fitOfChange(undefined, { oldText: null, newText: 'x' }), { line: 1 });
  });

  it('is the line of a passage with other white space', () => {
    for (const oldText of ['return a - b;', 'return a - b;\n', '\treturn  a - b;\n', '    return a - b;  ']) {
      assert.deepEqual(fit(`function add(a, b) {\n${oldText}`, 'x'), { line: 1, match: 'spaces' }, oldText);
    }
    assert.deepEqual(fit('\n  function sub(a, b) {', 'x'), { line: 4, match: 'spaces' }, 'after a blank line');
    assert.deepEqual(fit('\treturn a - b;\r\n', 'x', FILE.replaceAll('\n', '\r\n')), { line: 2, match: 'spaces' });
  });

  it('is ambiguous for a passage that the file has several times', () => {
    assert.deepEqual(fit('}', '};'), { match: 'several' });
    assert.deepEqual(fit('\t}\n', '};'), { match: 'several' });
    assert.deepEqual(fit('}', '};', FILE, [3]), { line: 3 }, 'unless the agent has named the line');
  });

  it('is missing for a passage that the file does not have', () => {
    assert.deepEqual(fit('return a * b;', 'x'), { match: 'missing' });
    assert.deepEqual(fit('turn a - b;\n  }', 'x'), { match: 'missing' }, 'whole lines only');
  });

  it('is unknown for a change that was made already, and without a file', () => {
    assert.deepEqual(fit('return a * b;', 'return a - b;\n'), {});
    assert.deepEqual(fitOfChange(undefined, { oldText: 'x', newText: 'y' }), {});
    assert.deepEqual(fit('  \n', 'x', 'a\n'), {});
  });

  it('is found among repeated lines', () => {
    const line = fc.constantFrom('a', 'b');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.array(line, { maxLength: 12 }), (part, lines) => {
        const at = lines.flatMap((_, index) => (part.every((each, offset) => lines[index + offset] === each) ? [index + 1] : []));
        const expected = at.length === 1 ? { line: at[0], match: 'spaces' } : { match: at.length === 0 ? 'missing' : 'several' };
        assert.deepEqual(fit(part.map((each) => `\t${each}\n`).join(''), 'x', lines.map((each) => ` ${each}\n`).join('')), expected);
      }),
    );
  });

  it('takes linear time', function () {
    this.timeout(5000);
    for (const part of [`${'a\n'.repeat(50_000)}b`, `b\n${'a\n'.repeat(50_000)}`, `${'a\n'.repeat(25_000)}b\n${'a\n'.repeat(25_000)}`]) {
      assert.deepEqual(fit(part, 'x', ' a\n'.repeat(100_000)), { match: 'missing' });
    }
  });
});

describe('the texts of a change for display', () => {
  const shown = (oldText: string, newText: string, file = FILE) =>
    alignedTexts({ oldText, newText, ...fitOfChange(file, { oldText, newText }) });

  it('leave out the lines of the file in a new text that is the whole file', () => {
    for (const [oldText, replaced] of [
      ['  return a - b;\n', '  return a + b;\n'],
      ['  return a - b;\n', ''],
      ['  return a - b;\n', '  const sum = a + b;\n  return sum;\n'],
      ['  return a - b;\n}', '  return a + b;\n}'],
    ] as const) {
      assert.deepEqual(shown(oldText, FILE.replace(oldText, replaced)), { oldText, newText: replaced });
    }
    const [first, last] = ['function add(a, b) {\n', '  return a - b - 0;\n}\n'];
    assert.deepEqual(shown(first, FILE.replace(first, 'x\n')), { oldText: first, newText: 'x\n' });
    assert.deepEqual(shown(last, FILE.replace(last, 'x\n')), { oldText: last, newText: 'x\n' });
  });

  it('are whole lines where the agent has sent parts of lines', () => {
    const [line, changed] = ['  return a - b;', '  return a + b;'];
    const whole = { oldText: line, newText: changed };
    assert.deepEqual(shown('return a - b;', 'return a + b;'), whole);
    assert.deepEqual(shown('a - b;', 'a + b;'), whole);
    assert.deepEqual(shown('a - b - ', 'a + b - '), { oldText: '  return a - b - 0;', newText: '  return a + b - 0;' });
    assert.deepEqual(shown('return a - b;\n', 'return a + b;\n'), { oldText: `${line}\n`, newText: `${changed}\n` });
    assert.deepEqual(shown('return a - b;\n}', 'return a - b;\n  // end\n}'), {
      oldText: `${line}\n}`,
      newText: `${line}\n  // end\n}`,
    });
    const long = `${'x'.repeat(1000)} old`;
    assert.deepEqual(shown('old', 'new', long), { oldText: 'old', newText: 'new' }, 'except in a very long line');
  });

  it('have the same first line in a part of a line and a whole file', () => {
    assert.deepEqual(shown('return a - b;\n}', FILE.replace('b;\n}', 'b;\n  // end\n}')), {
      oldText: '  return a - b;\n}',
      newText: '  return a - b;\n  // end\n}',
    });
  });

  it('are whole lines in every phase', () => {
    const change = { oldText: 'return a - b;', newText: 'return a - b + 1;' };
    const made = FILE.replace('a - b;', 'a - b + 1;');
    const expected = { oldText: '  return a - b;', newText: '  return a - b + 1;' };
    for (const [file, phase] of [
      [made, 'after'],
      [made, 'unknown'],
      [FILE, 'before'],
      [FILE, 'unknown'],
    ] as const) {
      assert.deepEqual(alignedTexts({ ...change, ...fitInPhase(file, change, phase, []) }), expected, phase);
    }
  });

  it('have the white space of the file where the new text has it', () => {
    const [sent, file] = ['function add(a, b) {\nreturn a - b;\n}\n', 'function add(a, b) {\n  return a - b;\n}\n'];
    const newText = file.replace('}', '  // end\n}');
    assert.deepEqual(shown(sent, newText), { oldText: file, newText });
    assert.deepEqual(shown(sent.slice(0, -1), newText), { oldText: file.slice(0, -1), newText });
    const lasting = sent.replace('-', '+');
    assert.deepEqual(shown(sent, lasting), { oldText: sent, newText: lasting }, 'the new text has the other white space, too');
  });

  it('stay as the agent sent them for a passage, and for few equal lines', () => {
    assert.deepEqual(shown('  return a - b;\n', '  return a + b;\n'), { oldText: '  return a - b;\n', newText: '  return a + b;\n' });
    assert.deepEqual(shown('b\n', 'a\nB\n', 'a\nb\n'), { oldText: 'b\n', newText: 'a\nB\n' });
    assert.deepEqual(alignedTexts({ oldText: null, newText: 'x' }), { oldText: null, newText: 'x' });
  });
});
