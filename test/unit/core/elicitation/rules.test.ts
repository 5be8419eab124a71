import assert from 'node:assert/strict';
import type { ElicitationValue } from '../../../../src/core/elicitation/answer';
import type { ElicitationField } from '../../../../src/core/elicitation/elicitation';
import { checkContent, problemOf } from '../../../../src/core/elicitation/rules';

type Given = Partial<ElicitationField> & Pick<ElicitationField, 'type'>;

const field = (given: Given): ElicitationField =>
  ({
    name: 'f',
    required: false,
    ...(given.type === 'choice' || given.type === 'choices' ? { choices: [] } : {}),
    ...given,
  }) as ElicitationField;
const choices = ['a', 'b', 'c'].map((value) => ({ value, title: value.toUpperCase() }));

/** The problem of each value: its code with the limit or format, '' when there is none. */
function verdicts(given: Given, ...values: (ElicitationValue | undefined)[]): string[] {
  return values.map((value) => {
    const problem = problemOf(field(given), value);
    assert.ok(!problem || problem.name === 'f');
    return problem ? [problem.code, problem.limit, problem.format].filter((part) => part !== undefined).join(' ') : '';
  });
}

describe('the rules of a form', () => {
  it('require required fields and ignore empty optional ones', () => {
    assert.deepEqual(verdicts({ type: 'string', required: true }, undefined, '', ' '), ['required', 'required', '']);
    assert.deepEqual(verdicts({ type: 'integer', required: true }, undefined, '', 0), ['required', 'required', '']);
    assert.deepEqual(verdicts({ type: 'boolean', required: true }, undefined, false), ['required', '']);
    assert.deepEqual(verdicts({ type: 'choice', required: true, choices: [{ value: '', title: 'None' }] }, undefined, ''), [
      'required',
      '',
    ]);
    assert.deepEqual(verdicts({ type: 'choices', required: true, choices }, undefined, []), ['required', 'required']);
    // An empty selection is a valid answer only if the agent allows it.
    assert.deepEqual(verdicts({ type: 'choices', required: true, choices, minItems: 0 }, undefined, []), ['required', '']);
    assert.deepEqual(verdicts({ type: 'string', minLength: 3, format: 'email' }, undefined, ''), ['', '']);
    assert.deepEqual(verdicts({ type: 'choices', choices, minItems: 2 }, undefined, []), ['', '']);
  });

  it('refuse a value of another type', () => {
    assert.deepEqual(verdicts({ type: 'string' }, 1, true, ['a']), ['type', 'type', 'type']);
    assert.deepEqual(verdicts({ type: 'number' }, '1', true, Infinity, NaN, 1.5), ['type', 'type', 'type', 'type', '']);
    assert.deepEqual(verdicts({ type: 'integer' }, 1.5, 1e21, 2 ** 53, -0, 2 ** 53 - 1), ['type', 'type', 'type', '', '']);
    assert.deepEqual(verdicts({ type: 'boolean' }, 'true', 0), ['type', 'type']);
    assert.deepEqual(verdicts({ type: 'choice', choices }, 1, true, ['a']), ['not_a_choice', 'not_a_choice', 'not_a_choice']);
    assert.deepEqual(verdicts({ type: 'choices', choices }, 'a', true), ['type', 'type']);
  });

  it('count code points', () => {
    assert.deepEqual(verdicts({ type: 'string', minLength: 2, maxLength: 3 }, 'a', '👍', '👍👍', '👍👍👍', 'abcd'), [
      'too_short 2',
      'too_short 2',
      '',
      '',
      'too_long 3',
    ]);
    assert.deepEqual(verdicts({ type: 'string', maxLength: 0 }, 'a', ''), ['too_long 0', '']);
  });

  it('keep numbers and choices within their limits', () => {
    assert.deepEqual(verdicts({ type: 'integer', minimum: 1024, maximum: 65535 }, 1023, 1024, 65535, 65536), [
      'too_small 1024',
      '',
      '',
      'too_large 65535',
    ]);
    assert.deepEqual(verdicts({ type: 'number', minimum: -0.5 }, -0.51, -0.5), ['too_small -0.5', '']);
    assert.deepEqual(verdicts({ type: 'choices', choices, minItems: 1, maxItems: 2 }, ['a'], ['a', 'b'], ['a', 'b', 'c'], ['d']), [
      '',
      '',
      'too_many 2',
      'not_a_choice',
    ]);
    assert.deepEqual(verdicts({ type: 'choices', choices, minItems: 2 }, ['a']), ['too_few 2']);
    assert.deepEqual(verdicts({ type: 'choice', choices }, 'b', 'B'), ['', 'not_a_choice']);
  });

  for (const [format, good, bad] of [
    [
      'email',
      ['ada@example.com', 'a.b+c@x', 'ä@bücher.example', "o'hara@mail.example.co.uk"],
      [
        'ada',
        '@example.com',
        'ada@',
        'a b@example.com',
        'a@b@c',
        '.a@example.com',
        'a..b@example.com',
        'a@-x.com',
        'a@x..com',
        `${'a'.repeat(400)}@x.com`,
      ],
    ],
    [
      'uri',
      [
        'https://example.com/a?b=c#d',
        'http://localhost:3000',
        'urn:isbn:0451450523',
        'mailto:ada@example.com',
        'https://de.example/Käse',
        'HTTPS://EXAMPLE.COM',
      ],
      [
        'example.com',
        'https://',
        'https:example.com',
        'https://exa mple.com',
        '//example.com',
        '/a/b',
        'https://example.com/%zz',
        'https://example.com/<a>',
        '1http://x',
      ],
    ],
    [
      'date',
      ['2026-02-28', '2024-02-29', '2000-02-29', '0001-12-31'],
      ['2026-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '2026-1-1', '31.01.2026', '2026-01-01T00:00:00Z'],
    ],
    [
      'date-time',
      ['2026-01-31T14:30:00Z', '2026-01-31t14:30:00.123z', '2026-01-31T23:59:60+05:30', '2026-01-31T00:00:00-00:00'],
      [
        '2026-01-31',
        '2026-01-31T14:30Z',
        '2026-01-31T14:30:00',
        '2026-01-31 14:30:00Z',
        '2026-02-30T14:30:00Z',
        '2026-01-31T24:00:00Z',
        '2026-01-31T14:60:00Z',
        '2026-01-31T14:30:00+24:00',
      ],
    ],
  ] as const) {
    it(`check the format ${format}`, () => {
      assert.deepEqual(
        good.filter((text) => verdicts({ type: 'string', format }, text)[0] !== ''),
        [],
      );
      assert.deepEqual(
        bad.filter((text) => verdicts({ type: 'string', format }, text)[0] !== `format ${format}`),
        [],
      );
    });
  }

  it('accept any text for an unknown format', () => {
    assert.deepEqual(verdicts({ type: 'string', format: 'ipv4' }, 'nonsense'), ['']);
  });

  it('accept only the form’s own fields and do not check patterns', () => {
    const fields = [
      field({ name: 'a', type: 'string', pattern: '^x' }),
      field({ name: 'b', type: 'boolean' }),
      field({ name: '__proto__', type: 'string' }),
      field({ name: 'toString', type: 'string', required: true }),
      field({ name: 'p', type: 'string', pattern: 'y', maxLength: 1 }),
    ];
    const given = JSON.parse('{"a":"y","b":false,"__proto__":"kept","other":1,"p":"yy"}') as Record<string, ElicitationValue>;
    const checked = checkContent(fields, given);
    assert.equal(JSON.stringify(checked.content), '{"a":"y","b":false,"__proto__":"kept"}');
    assert.deepEqual(checked.problems, [
      { name: 'toString', code: 'required' },
      { name: 'p', code: 'too_long', limit: 1 },
    ]);
    assert.deepEqual(checked.patterns, [{ name: 'a', pattern: '^x', value: 'y' }]);
  });

  it('accept an empty form', () => {
    assert.deepEqual(checkContent([], {}), { content: {}, problems: [], patterns: [] });
  });
});
