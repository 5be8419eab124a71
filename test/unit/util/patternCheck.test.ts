import assert from 'node:assert/strict';
import { checkPatterns, type PatternVerdict } from '../../../src/util/patternCheck';

const verdict = async (pattern: string, value: string): Promise<PatternVerdict> => (await checkPatterns([{ pattern, value }]))[0]!;

describe('patterns from agents', function () {
  this.timeout(60_000);

  it('are matched anywhere in the value, as in JSON Schema', async () => {
    const tried: [pattern: string, value: string, expected: PatternVerdict][] = [
      ['^[a-zA-Z_][a-zA-Z0-9_]*$', 'processData', 'match'],
      ['^[a-zA-Z_][a-zA-Z0-9_]*$', '9lives', 'no_match'],
      ['b', 'abc', 'match'],
      ['^.$', '👍', 'match'],
      ['^\\p{Lu}', 'Äpfel', 'match'],
      // These patterns are valid only without Unicode mode, and mean the same there.
      ['^[\\w\\-]+\\@\\d$', 'a-b@1', 'match'],
      ['^\\_x', '_x', 'match'],
    ];
    const checks = tried.map(([pattern, value]) => ({ pattern, value }));
    assert.deepEqual(
      await checkPatterns(checks),
      tried.map(([, , expected]) => expected),
    );
  });

  it('are undecided when they are malformed, or belong to another dialect', async () => {
    // Without Unicode mode JavaScript would interpret each of the last three differently.
    for (const pattern of ['(', '(?P<year>\\d+)', '(?i)abc', 'a++', '\\Aabc\\Z', '^\\p{Lu}\\_', '[[:alpha:]]']) {
      assert.equal(await verdict(pattern, 'abc'), 'undecided', pattern);
    }
  });

  it('are stopped when they take too long, and the next one still gets its result', async () => {
    const evil = { pattern: '^(a+)+$', value: `${'a'.repeat(40)}!` };
    const good = { pattern: '^a', value: 'a' };
    assert.deepEqual(await checkPatterns([evil, good, evil, good]), ['undecided', 'match', 'undecided', 'match']);
  });

  it('remain undecided when many took too long', async () => {
    const evil = { pattern: '(x+x+)+y', value: 'x'.repeat(40) };
    const verdicts = await checkPatterns([...Array.from({ length: 30 }, () => evil), { pattern: 'a', value: 'a' }]);
    assert.deepEqual(new Set(verdicts), new Set(['undecided']));
    assert.equal(verdicts.length, 31);
  });

  it('are limited in length', async () => {
    assert.equal(await verdict('a'.repeat(5000), 'a'), 'undecided');
    assert.equal(await verdict('a', 'a'.repeat(2_000_000)), 'undecided');
    assert.deepEqual(await checkPatterns([]), []);
  });
});
