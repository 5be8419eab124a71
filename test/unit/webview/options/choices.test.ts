import assert from 'node:assert/strict';
import { type Row, bestRow, choicesOf, matchingRows, typedAhead } from '../../../../webview/options/choices';

const option = (currentValue: string, ...groups: [name: string | undefined, ...choices: string[]][]) => ({
  type: 'select' as const,
  configId: 'm',
  name: 'Model',
  currentValue,
  groups: groups.map(([name, ...choices]) => ({
    ...(name !== undefined && { name }),
    choices: choices.map((choice) => {
      const [label, description] = choice.split('|');
      return { value: label!.toLowerCase(), name: label!, ...(description !== undefined && { description }) };
    }),
  })),
});
const labels = (rows: readonly Row[]) => rows.map(({ label }) => label);

describe('an option’s choices', () => {
  it('are rows in the agent’s order, each with its group', () => {
    const { rows, more } = choicesOf(option('b', [undefined, 'A'], ['Deep', 'B|Thinks', 'C']), 'b');
    assert.deepEqual(
      rows.map(({ label, description, group, value }) => [label, description, group, value]),
      [
        ['A', '', '', 'a'],
        ['B', 'Thinks', 'Deep', 'b'],
        ['C', '', 'Deep', 'c'],
      ],
    );
    assert.equal(more, 0);
  });

  it('do not repeat the option’s name', () => {
    assert.deepEqual(labels(choicesOf(option('x', [undefined, 'Model: Small', 'Large']), 'large').rows), ['Small', 'Large']);
  });

  it('begin with the present value if the agent does not offer it', () => {
    assert.deepEqual(labels(choicesOf(option('gone', [undefined, 'A']), 'gone').rows), ['gone', 'A']);
    assert.deepEqual(labels(choicesOf(option('', [undefined, 'A']), '').rows), ['A']);
  });

  it('begin with the present value if it is too far down to be shown', () => {
    const all = Array.from({ length: 3000 }, (_, index) => `C${index}`);
    const { rows, more } = choicesOf(option('c2999', [undefined, ...all]), 'c2999');
    assert.deepEqual(labels(rows.slice(0, 2)), ['C2999', 'C0']);
    assert.equal(rows.length, 3000);
    assert.equal(more, 0);
    assert.equal(choicesOf(option('c999', [undefined, ...all]), 'c999').rows[0]!.label, 'C0');
  });

  it('are counted beyond the 10,000th', () => {
    const all = Array.from({ length: 12_000 }, (_, index) => `C${index}`);
    const last = choicesOf(option('c11999', [undefined, ...all]), 'c11999');
    assert.deepEqual([last.rows.length, last.more, last.rows[0]!.label], [10_001, 1999, 'C11999']);
    const first = choicesOf(option('c0', [undefined, ...all]), 'c0');
    assert.deepEqual([first.rows.length, first.more, first.rows[0]!.label], [10_000, 2000, 'C0']);
  });
});

describe('the filter of an option’s choices', () => {
  const { rows } = choicesOf(option('a', ['Fast', 'Small 2|Cheap', 'Éclair'], ['Deep', 'Large 4|For small print', 'Huge']), 'a');

  const cases: [query: string, ...found: string[]][] = [
    ['', 'a', 'Small 2', 'Éclair', 'Large 4', 'Huge'],
    ['small', 'Small 2', 'Large 4'],
    ['SMALL 2', 'Small 2'],
    ['2 small', 'Small 2'],
    ['ecl', 'Éclair'],
    ['deep', 'Large 4', 'Huge'],
    ['deep hu', 'Huge'],
    ['  ', 'a', 'Small 2', 'Éclair', 'Large 4', 'Huge'],
    ['.*'],
    ['nothing'],
  ];
  for (const [query, ...found] of cases) {
    it(`“${query}” finds ${found.join(', ') || 'nothing'}`, () => assert.deepEqual(labels(matchingRows(rows, query)), found));
  }

  it('prefers a name that begins with the typed text to one that contains it', () => {
    const found = matchingRows(rows, 'la');
    assert.deepEqual(labels(found), ['Éclair', 'Large 4']);
    assert.equal(found[bestRow(found, 'la')]!.label, 'Large 4');
    assert.equal(bestRow(matchingRows(rows, 'small'), 'small'), 0);
    assert.equal(bestRow([], 'x'), -1);
  });
});

describe('typing ahead', () => {
  const { rows } = choicesOf(option('b', [undefined, 'Beta', 'Berlin', 'Alpha', 'New York', 'New Delhi']), 'beta');

  it('moves to the next one that begins with a letter, and wraps around', () => {
    assert.equal(typedAhead(rows, 'b', 0), 0);
    assert.equal(typedAhead(rows, 'b', 1), 1);
    assert.equal(typedAhead(rows, 'b', 2), 0);
    assert.equal(typedAhead(rows, 'x', 0), -1);
  });

  it('uses all typed letters, and moves to the next one for the same letter', () => {
    assert.equal(typedAhead(rows, 'ber', 0), 1);
    assert.equal(typedAhead(rows, 'new d', 3), 4);
    assert.equal(typedAhead(rows, 'bb', 1), 1);
  });
});
