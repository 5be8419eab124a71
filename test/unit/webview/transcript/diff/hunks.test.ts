import assert from 'node:assert/strict';
import { diffArrays } from 'diff';
import type { ToolContent } from '../../../../../src/core/model/content';
import { diffOf } from '../../../../../webview/transcript/diff/hunks';
import { firstChangedLine, firstNumber, lineOf } from '../../../../../webview/transcript/diff/diffLine';
import { LINE_EDITS } from '../../../../../src/text/diff/lines';
import { matchesOf } from '../../../../../src/text/diff/sequences';
import { wordsOf } from '../../../../../src/text/diff/wordDiff';

const linesOf = (oldText: string, newText: string) => diffOf(oldText, newText).hunks.flatMap(({ lines }) => lines);
const signs = (oldText: string, newText: string) => linesOf(oldText, newText).map(({ sign, index }) => sign + index);

/** Random numbers, the same in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

describe('hunks', () => {
  it('contain the changed lines, with three lines around them', () => {
    assert.deepEqual(signs('a\nb\n', 'a\nc\n'), [' 0', '-1', '+1']);
    assert.deepEqual(signs('', 'a\n'), ['+0']);
    assert.deepEqual(signs('a\n', ''), ['-0']);
    assert.deepEqual(signs('a\n', 'a'), []);
    const text = Array.from({ length: 30 }, (_, line) => `line ${line}\n`);
    const { hunks, added, removed } = diffOf(text.join(''), text.with(5, 'five\n').with(12, 'twelve\n').with(28, '').join(''));
    assert.deepEqual([added, removed], [2, 3]);
    assert.deepEqual(
      hunks.map(({ lines }) => [lines.length, lines[0]!.index, lines.at(-1)!.index]),
      [
        [16, 2, 15],
        [5, 25, 28],
      ],
    );
  });

  it('have the index of each line in its text', () => {
    const oldText = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
    const newText = oldText.replace('line 4\n', '').replace('line 20', 'line 20\nnew').replace('line 25', 'line TWENTY-FIVE');
    for (const [before, after] of [
      [oldText, newText],
      [`${oldText}\r\n`, newText],
      ['', newText],
      [oldText, ''],
    ] as const) {
      const lines = linesOf(before, after);
      assert.ok(lines.length > 5);
      const [old, now] = [before.split(/\r?\n/), after.split('\n')];
      for (const { sign, index, parts } of lines) {
        assert.equal(parts.map(({ text }) => text).join(''), (sign === '-' ? old : now)[index]);
      }
    }
  });

  it('have as few lines as possible, for texts of any similarity', () => {
    const below = dice(5);
    for (let round = 0; round < 1500; round++) {
      const kinds = 1 + below(12);
      const before = Array.from({ length: below(30) }, () => String(below(kinds)));
      const after = below(3)
        ? before.flatMap((line) => (below(4) ? [line] : below(2) ? [] : [String(below(kinds)), line]))
        : Array.from({ length: below(30) }, () => String(below(kinds)));
      const common = diffArrays(before, after).reduce((sum, piece) => sum + (piece.added || piece.removed ? 0 : piece.value.length), 0);
      const places = [...matchesOf(before, after, LINE_EDITS.shown)];
      const kept = places.filter((place) => place >= 0);
      assert.equal(kept.length, common);
      assert.deepEqual(
        kept,
        kept.toSorted((one, other) => one - other),
      );
      places.forEach((place, index) => place >= 0 && assert.equal(after[place], before[index]));
    }
  });

  it('are found for a file that was rewritten or reordered, or that repeats a few lines', () => {
    const below = dice(9);
    const lines = Array.from({ length: 4000 }, (_, index) => `line ${index}`);
    const shuffled = lines
      .map((line) => ({ line, place: below(1 << 20) }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ line }) => line);
    const few = () => Array.from({ length: 4000 }, () => `line ${below(5)}`);
    for (const [before, after] of [
      [lines, lines.map((line) => `${line}!`)],
      [lines, lines.toReversed()],
      [lines, shuffled],
      [few(), few()],
      [[], lines],
    ] as const) {
      const { added, removed, hunks } = diffOf(before.map((line) => line + '\n').join(''), after.map((line) => line + '\n').join(''));
      assert.equal(after.length - added, before.length - removed);
      const shown = hunks.flatMap((hunk) => hunk.lines);
      for (const { sign, index, parts } of shown) {
        assert.equal(parts.map(({ text }) => text).join(''), (sign === '-' ? before : after)[index]);
      }
      assert.equal(shown.filter(({ sign }) => sign === '+').length, added);
    }
  });
});

describe('words of a diff', () => {
  /** The changed parts in brackets. */
  const marked = (removed: string[], added: string[]) => {
    const words = wordsOf(removed, added);
    return [words.removed, words.added].map((side) =>
      side.map((parts) => parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('')),
    );
  };

  it('are marked where they differ', () => {
    assert.deepEqual(marked(['const name = greet(user);'], ['const name = welcome(user);']), [
      ['const name = [greet](user);'],
      ['const name = [welcome](user);'],
    ]);
    assert.deepEqual(marked(['let us say one two for once'], ['let us say three four for once']), [
      ['let us say [one two] for once'],
      ['let us say [three four] for once'],
    ]);
  });

  it('are found again at another position', () => {
    assert.deepEqual(marked(['first, second, third'], ['second, third, first']), [['[first, ]second, third'], ['second, third[, first]']]);
  });

  it('follow each script, and keep characters that are drawn as one together', () => {
    assert.deepEqual(marked(['Ich sagte früher: nein'], ['Ich sagte später: nein']), [
      ['Ich sagte [früher]: nein'],
      ['Ich sagte [später]: nein'],
    ]);
    assert.deepEqual(marked(['я говорю да всем'], ['я говорю нет всем']), [['я говорю [да] всем'], ['я говорю [нет] всем']]);
    assert.deepEqual(marked(['今日は晴れです'], ['今日は雨です']), [['今日は[晴れ]です'], ['今日は[雨]です']]);
    assert.deepEqual(marked(['the family 👩‍👩‍👧 is here'], ['the family 👩‍👩‍👦 is here']), [
      ['the family [👩‍👩‍👧] is here'],
      ['the family [👩‍👩‍👦] is here'],
    ]);
    assert.deepEqual(marked(['x = cafe\u0301 + y'], ['x = cafe + y']), [['x = [cafe\u0301] + y'], ['x = [cafe] + y']]);
  });

  it('are not marked in a completely different line, or in an overlong one', () => {
    assert.deepEqual(marked(['import a from "b";'], ['while (true) run();']), [['import a from "b";'], ['while (true) run();']]);
    const long = 'word '.repeat(20_000);
    assert.deepEqual(marked([long], [`${long}!`]), [[long], [`${long}!`]]);
  });

  it('are compared with the corresponding line when more lines were added than removed', () => {
    assert.deepEqual(
      marked(['function greet(name) {', '  return name;'], ['function greet(person) {', '  // Polite.', '  return person;']),
      [
        ['function greet([name]) {', '  return [name];'],
        ['function greet([person]) {', '  // Polite.', '  return [person];'],
      ],
    );
  });
});

describe('line numbers of a diff', () => {
  const number = (oldText: string | null, newText: string, told?: number, line?: number) =>
    firstNumber({ oldText, ...(line !== undefined && { line }) }, diffOf(oldText ?? '', newText), told);

  it('come from the file, whatever the agent says', () => {
    assert.equal(number('a\nb\n', 'a\nc\n', 40, 1), 1);
    assert.equal(number('a\nb\n', 'a\nc\n', undefined, 217), 217);
    assert.equal(number('a', 'b', 3, 217), 217);
  });

  it('start at one for a new file', () => {
    assert.equal(number(null, 'a\n'), 1);
  });

  it('are taken from the agent for a passage, and omitted when the agent gives none or an ambiguous one', () => {
    assert.equal(number('return a - b;', 'return a + b;'), undefined);
    assert.equal(number('return a - b;', 'return a + b;', 217), 217);
    assert.equal(number('a\nb\n', 'a\nc\n'), undefined, 'all of the file, or some lines of it');
    assert.equal(number('a\nb\n', 'a\nc\n', 40), undefined);
    assert.equal(number('', 'a'), undefined);
    // For a whole file, the agent's line is that of the change, or the beginning.
    assert.equal(number('a\nb\nc', 'a\nb\nd', 3), 1);
    assert.equal(number('a\nb\n', 'a\nc\n', 2), 1);
    assert.equal(number('a\nb\n', 'a\nc\n', 1), 1);
  });

  it('point to the first changed line', () => {
    assert.equal(firstChangedLine(diffOf('a\nb\nc', 'a\nb\nd'), 10), 12);
    assert.equal(firstChangedLine(diffOf('a', 'b'), 10), 10);
    assert.equal(firstChangedLine(diffOf('a', 'b'), undefined), undefined);
    assert.equal(firstChangedLine(undefined, 10), 10);
  });

  it('are assigned to each passage of a file, in their order', () => {
    const diff = (path: string): ToolContent => ({ type: 'diff', changes: [{ operation: 'modify', path, oldText: 'a', newText: 'b' }] });
    const content = [diff('/a'), diff('/b'), diff('/a'), { type: 'terminal', terminalId: 't' } as const];
    const locations = [{ path: '/a', line: 3 }, { path: '/a', line: 30 }, { path: '/b' }];
    assert.deepEqual(
      content.map((_, index) => lineOf(content, index, locations)),
      [3, undefined, 30, undefined],
    );
    assert.equal(lineOf(content, 0, [{ path: '/a', line: 3 }]), undefined);
  });
});
