import assert from 'node:assert/strict';
import { namedValues } from '../../../../../webview/transcript/content/values';

describe('values of a tool call', () => {
  it('are shown beside their names, each in its most readable form', () => {
    const values = namedValues({
      command: 'ls -la',
      lines: 'a\nb',
      count: 2,
      sure: false,
      none: null,
      tags: ['a', 'b'],
      mixed: ['a, b', 1],
      deep: { one: { two: 'x'.repeat(80) } },
      flat: { a: 1 },
    })!;
    assert.deepEqual(
      values.map(({ name, type, text }) => [name, type, text.slice(0, 20)]),
      [
        ['command', 'word', 'ls -la'],
        ['lines', 'text', 'a\nb'],
        ['count', 'word', '2'],
        ['sure', 'word', 'false'],
        ['none', 'word', 'null'],
        ['tags', 'word', 'a, b'],
        ['mixed', 'word', '["a, b",1]'],
        ['deep', 'json', '{\n  "one": {\n    "tw'],
        ['flat', 'word', '{"a":1}'],
      ],
    );
  });

  it('are JSON when there are no names, or too many', () => {
    for (const value of [
      'text',
      7,
      null,
      undefined,
      [1, 2],
      {},
      Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`k${index}`, index])),
    ]) {
      assert.equal(namedValues(value), undefined);
    }
    assert.equal(namedValues({ a: undefined })![0]!.text, '');
  });
});
