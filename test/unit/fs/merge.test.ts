import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { applyEdits, changedLines, merge } from '../../../src/fs/merge';
import { describeLines } from '../../../src/util/text';

/** The merged text, or the conflicting lines. */
function merged(base: string, theirs: string, ours: string, eol: '\n' | '\r\n' = '\n'): string {
  const result = merge(base, theirs, ours, eol);
  return 'conflicts' in result ? `conflict ${describeLines(result.conflicts)}` : applyEdits(theirs, result.edits);
}

describe('merge', () => {
  it('combines changes of different lines, including adjacent ones', () => {
    assert.equal(merged('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n'), 'A\nb\nC\n');
    assert.equal(merged('a\nb\nc\n', 'A\nb\nc\n', 'a\nB\nc\n'), 'A\nB\nc\n');
    assert.equal(merged('a\nb\n', 'a\nx\nb\n', 'a\nB\n'), 'a\nx\nB\n');
    assert.equal(merged('a\nb\n', 'a\nB\n', 'a\nx\nb\n'), 'a\nx\nB\n');
    assert.equal(merged('a\nb\nc\n', 'a\nc\n', 'a\nb\nC\n'), 'a\nC\n');
  });

  it('names the lines of the present text that both changed', () => {
    assert.equal(merged('a\nb\nc\n', 'new\na\nB\nc\n', 'a\nbb\nc\n'), 'conflict 3');
    assert.equal(merged('a\nb\nc\n', 'a\nb1\nb2\nc\n', 'a\nc\n'), 'conflict 2-3');
    assert.equal(merged('a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n'), 'conflict 2');
    assert.equal(merged('a\nb\n', 'a\nx\nb\n', 'a\ny\nb\n'), 'conflict 2');
    assert.equal(merged('a\nb\nc\nd\n', 'a1\nb\nc1\nd\n', 'a2\nb\nc2\nd\n'), 'conflict 1, 3');
  });

  it('treats the same change on both sides as one', () => {
    assert.equal(merged('a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nB\nc\nD\n'), 'a\nB\nc\nD\n');
    assert.equal(merged('a\nb\nc\n', 'a\nB\nc\n', 'a\nB\nC\n'), 'conflict 3');
    assert.equal(merged('a\nb\n', 'a\nx\nb\n', 'a\nx\nb\n'), 'a\nx\nb\n');
    assert.equal(merged('a\nb\n', 'a\nx\nb\n', 'a\nx\ny\nb\n'), 'a\nx\ny\nb\n');
    assert.equal(merged('a\nb\n', 'a\nx\ny\nb\n', 'a\nx\nb\n'), 'a\nx\ny\nb\n');
  });

  it('separates text typed at the end of the last line from lines appended after it', () => {
    assert.equal(merged('a\nb', 'a\nb!', 'a\nb\nc'), 'a\nb!\nc');
    assert.equal(merged('a\nb\n', 'a\nb\ntyped', 'a\nb\nc\n'), 'a\nb\nc\ntyped');
    assert.equal(merged('', 'typed', 'written'), 'conflict 1');
  });

  it("joins the agent's changes when the user deleted the text between them", () => {
    assert.equal(merged('a\nb\nc\n', 'a\nc\n', 'A\nb\nC\n'), 'A\nC\n');
    assert.equal(merged('a\nb\nc', 'a', 'A\nb'), 'conflict 1');
    assert.equal(merged('a\nb\nc\nd', 'a\nc\nd', 'a\nb'), 'a');
  });

  it('keeps line ends, whatever the agent sends', () => {
    assert.equal(merged('a\r\nb\r\n', 'a\r\nb\r\n', 'a\nB\nc\n', '\r\n'), 'a\r\nB\r\nc\r\n');
    assert.equal(merged('a\nb\n', 'a\nb\n', 'a\r\nb\r\n'), 'a\nb\n');
    assert.equal(merged('a\r\nb\nc\r\n', 'a\r\nb\nc\r\n', 'a\nB\nc\nd\n', '\r\n'), 'a\r\nB\nc\r\nd\r\n');
  });

  it('edits only the characters that differ', () => {
    const edits = merge('one two\nthree four\n', 'one two\nthree four\n', 'one 2\nthree 4\n', '\n');
    assert.deepEqual(edits, {
      edits: [
        { start: 4, end: 7, text: '2' },
        { start: 14, end: 18, text: '4' },
      ],
    });
    assert.deepEqual(merge('a\nb\n', 'a\nb\n', 'a\nx\nb\n', '\n'), { edits: [{ start: 2, end: 2, text: 'x\n' }] });
  });

  it('does not cut a line end or a character in two', () => {
    const smile = merge('\u{1F600}', '\u{1F600}', '\u{1F601}', '\n');
    assert.deepEqual(smile, { edits: [{ start: 0, end: 2, text: '\u{1F601}' }] });
    const pairs = merge('a\r\nb\r\nc', 'a\r\nb\r\nc', 'a', '\r\n');
    assert.deepEqual(pairs, { edits: [{ start: 1, end: 7, text: '' }] });
  });

  it('reports which lines are new', () => {
    assert.equal(describeLines(changedLines('a\nb\nc\n', 'a\nx\ny\nc\nz\n')), '2-3, 5');
    assert.equal(
      describeLines(
        [
          { first: 1, last: 1 },
          { first: 4, last: 5 },
          { first: 6, last: 6 },
          { first: 9, last: 9 },
        ],
        2,
      ),
      '1, 4-6, …',
    );
  });

  it('is exact even when too much changed to find the smallest difference', () => {
    const lines = (prefix: string) => Array.from({ length: 4000 }, (_, index) => `${prefix}${index}`);
    const base = ['first', ...lines('old'), 'last'].join('\n');
    const ours = ['first', ...lines('new'), 'last'].join('\n');
    assert.equal(merged(base, base, ours), ours);
    assert.equal(merged(base, base.replace('first', 'FIRST'), ours), ours.replace('first', 'FIRST'));
    assert.match(merged(base, base.replace('old7\n', 'typed\n'), ours), /^conflict /);
    const reversed = ['first', ...lines('old').reverse(), 'last'].join('\n');
    assert.equal(merged(base, base.replace('last', 'LAST'), reversed), reversed.replace('last', 'LAST'));
  });

  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'dd'), { maxLength: 8 }).map((lines) => lines.join('\n'));

  it("returns one side's text when the other side did not change", () => {
    fc.assert(
      fc.property(text, text, (base, side) => {
        assert.equal(merged(base, base, side), side);
        assert.equal(merged(base, side, base), side);
        assert.equal(merged(base, side, side), side);
      }),
    );
  });

  it('gives the same conflicts for swapped sides, and ordered, separate edits', () => {
    fc.assert(
      fc.property(text, text, text, (base, theirs, ours) => {
        const one = merge(base, theirs, ours, '\n');
        const other = merge(base, ours, theirs, '\n');
        assert.equal('conflicts' in one, 'conflicts' in other);
        if ('conflicts' in one) {
          return assert.ok(one.conflicts.length > 0);
        }
        if (!('conflicts' in other)) {
          assert.equal(applyEdits(theirs, one.edits), applyEdits(ours, other.edits));
        }
        for (const [index, { start, end }] of one.edits.entries()) {
          assert.ok(start <= end && start >= (index === 0 ? 0 : one.edits[index - 1]!.end));
        }
      }),
      { numRuns: 2000 },
    );
  });
});
