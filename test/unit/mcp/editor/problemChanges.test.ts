import assert from 'node:assert/strict';
import { problemChanges } from '../../../../src/mcp/editor/problemChanges';
import { problem } from './fakeLanguage';

describe('the problems before and after an edit', () => {
  const changes = (before: readonly [number, string][], after: readonly [number, string][]) => {
    const of = (all: readonly [number, string][]) => all.map(([line, message]) => problem(line, message));
    const { added, removed, unchanged } = problemChanges(of(before), of(after));
    const named = (all: typeof added) => all.map(({ range, message }) => `${range.start.line} ${message}`);
    return { added: named(added), removed: named(removed), unchanged };
  };

  it('are the same wherever their lines have moved to', () => {
    assert.deepEqual(
      changes(
        [
          [1, 'a'],
          [5, 'b'],
        ],
        [
          [3, 'a'],
          [7, 'b'],
        ],
      ),
      { added: [], removed: [], unchanged: 2 },
    );
  });

  it('are new or gone by their texts', () => {
    assert.deepEqual(
      changes(
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [
          [1, 'a'],
          [4, 'c'],
        ],
      ),
      { added: ['4 c'], removed: ['2 b'], unchanged: 1 },
    );
  });

  it('are paired with the nearest of equal texts', () => {
    assert.deepEqual(
      changes(
        [
          [1, 'a'],
          [20, 'a'],
        ],
        [
          [1, 'a'],
          [10, 'a'],
          [20, 'a'],
        ],
      ),
      { added: ['10 a'], removed: [], unchanged: 2 },
    );
    assert.deepEqual(
      changes(
        [
          [1, 'a'],
          [10, 'a'],
          [20, 'a'],
        ],
        [
          [2, 'a'],
          [21, 'a'],
        ],
      ),
      { added: [], removed: ['10 a'], unchanged: 2 },
    );
  });

  it('are compared quickly however many are equal', () => {
    const many = (count: number) => Array.from({ length: count }, (_, line): [number, string] => [line, 'a']);
    const start = performance.now();
    assert.equal(changes(many(5000), many(6000)).added.length, 1000);
    assert.ok(performance.now() - start < 500);
  });
});
