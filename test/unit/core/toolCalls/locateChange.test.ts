import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ChangePhase, lineOfChange, wholeTexts } from '../../../../src/core/toolCalls/locateChange';

const FILE = ['one', 'two', 'three', 'four', 'five', ''].join('\n');
const line = (file: string | undefined, oldText: string | null, newText: string, phase: ChangePhase, told?: number[]) =>
  lineOfChange(file, { oldText, newText }, phase, told);

describe('the line of a change in its file', () => {
  it('is where the old text is before the change is made, and where the new text is afterwards', () => {
    assert.equal(line(FILE, 'three', 'THREE', 'before'), 3);
    assert.equal(line(FILE, 'three\nfour\n', 'THREE\n', 'before'), 3);
    assert.equal(line(FILE.replace('three', 'THREE'), 'three', 'THREE', 'after'), 3);
    assert.equal(line(FILE, 'three', 'THREE', 'unknown'), 3);
    assert.equal(line(FILE.replace('three', 'THREE'), 'three', 'THREE', 'unknown'), 3);
    assert.equal(line(FILE, 'hree', 'HREE', 'before'), 3, 'from the middle of a line on');
  });

  it('is the first one for a whole file, for a new file and for one that does not exist yet', () => {
    assert.equal(line(FILE, FILE, `${FILE}six\n`, 'before'), 1);
    assert.equal(line(`${FILE}six\n`, FILE, `${FILE}six\n`, 'after'), 1);
    assert.equal(line(undefined, null, FILE, 'before'), 1);
    assert.equal(line(undefined, '', FILE, 'before'), 1);
    assert.equal(line('', '', FILE, 'before'), 1);
  });

  it('is unknown when the text is not in the file, or occurs several times without a line from the agent', () => {
    assert.equal(line(FILE, 'six', 'SIX', 'before'), undefined);
    assert.equal(line(undefined, 'three', 'THREE', 'before'), undefined);
    assert.equal(line('a\nb\na\n', 'a', 'c', 'before'), undefined);
    assert.equal(line('aaa\n', 'aa', 'b', 'before'), undefined, 'places that overlap are two');
    assert.equal(line('a\nb\na\n', 'a', 'c', 'before', [3]), 3, 'the agent has told which');
    assert.equal(line('a\nb\na\n', 'a', 'c', 'before', [2]), undefined, 'it has told another');
    assert.equal(line('a\nb\na\n', 'a', 'c', 'before', [1, 3]), undefined);
    assert.equal(line(FILE, '', 'six', 'before'), undefined, 'put in nobody knows where');
    assert.equal(line(FILE, 'three\n', '', 'after'), undefined, 'taken out nobody knows where');
  });

  it('is not that of another occurrence of the old text, once the change is made', () => {
    assert.equal(line('b\nx\na\n', 'a', 'b', 'after'), 1);
    assert.equal(line('x\na\n', 'a', 'b', 'after'), undefined);
    assert.equal(line('b\nx\na\n', 'a', 'b', 'unknown'), undefined, 'made or not, both can be');
  });

  it('is not too late when the new text surrounds the old one and may already be there', () => {
    const made = 'x\na\nb\ny\n';
    assert.equal(line(made, 'b', 'a\nb', 'after'), 2);
    assert.equal(line(made, 'b', 'a\nb', 'before'), undefined);
    assert.equal(line(made, 'b', 'a\nb', 'unknown'), undefined);
    assert.equal(line('x\nb\ny\n', 'b', 'a\nb', 'unknown'), 2);
    assert.equal(line('x\nb\ny\n', 'b', 'a\nb', 'before'), 2);
  });

  it('is not the first one of a file that equals the other text by chance', () => {
    assert.equal(line('a\na\nb', 'a', 'a\na\nb', 'before'), undefined);
    assert.equal(line('b\na\nc', 'b\na\nc', 'a', 'after'), undefined);
    assert.equal(line('b\na\nc', 'b\na\nc', 'a', 'before'), 1);
    assert.equal(line('b\na\nc', 'b\na\nc', 'd', 'after'), 1, 'not written yet');
    assert.equal(line('d', 'b\na\nc', 'd', 'before'), 1, 'written already');
    assert.equal(line('d', '', 'd', 'unknown'), 1);
  });

  it('does not depend on line ends or a byte order mark', () => {
    const windows = `\uFEFF${FILE.replaceAll('\n', '\r\n')}`;
    assert.equal(line(windows, 'three\nfour', 'x', 'before'), 3);
    assert.equal(line(FILE, 'three\r\nfour', 'x', 'before'), 3);
    assert.equal(line(windows, FILE, 'x', 'before'), 1);
  });

  it('is never wrong: of random edits, it is the line of the edit or unknown', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 });
    fc.assert(
      fc.property(
        lines,
        lines,
        lines,
        fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }),
        (head, tail, added, old) => {
          const place = head.length + 1;
          const made = [...head, ...added, ...tail].join('\n');
          const oldText = old.join('\n');
          const newText = added.join('\n');
          const found = line([...head, ...old, ...tail].join('\n'), oldText, newText, 'before');
          assert.ok(oldText === newText || found === undefined || found === place, `before: ${found}`);
          const after = line(made, oldText, newText, 'after');
          assert.ok(oldText === newText || newText === '' || after === undefined || after === place || made === newText, `after: ${after}`);
        },
      ),
    );
  });
});

describe('a whole-file view of a change', () => {
  const passage = (oldText: string, newText: string, at?: number) => ({ oldText, newText, line: at });

  it('shows the file before the change and after it', () => {
    const after = FILE.replace('three', 'THREE');
    assert.deepEqual(wholeTexts(FILE, [passage('three', 'THREE')], 'before'), { before: FILE, after });
    assert.deepEqual(wholeTexts(after, [passage('three', 'THREE')], 'after'), { before: FILE, after });
    assert.deepEqual(wholeTexts(FILE, [passage('three', 'THREE')], 'after'), { before: FILE, after }, 'it was not made after all');
  });

  it('undoes several passages, starting with the last', () => {
    const first = FILE.replace('one', 'One');
    const second = first.replace('One\ntwo', 'ONE\nTWO');
    assert.deepEqual(wholeTexts(second, [passage('one', 'One'), passage('One\ntwo', 'ONE\nTWO')], 'after'), {
      before: FILE,
      after: second,
    });
  });

  it('is unavailable when a passage is not in the file, or occurs twice', () => {
    assert.equal(wholeTexts(FILE, [passage('six', 'SIX')], 'after'), undefined);
    assert.equal(wholeTexts('a\nb\na\n', [passage('a', 'c')], 'before'), undefined);
    assert.deepEqual(wholeTexts('a\nb\na\n', [passage('a', 'c', 3)], 'before'), { before: 'a\nb\na\n', after: 'a\nb\nc\n' });
  });
});
