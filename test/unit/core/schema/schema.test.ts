import assert from 'node:assert/strict';
import {
  array,
  boolean,
  type Infer,
  integer,
  fallback,
  literal,
  nullable,
  number,
  object,
  optional,
  record,
  refine,
  type Schema,
  string,
  union,
  unknown,
  variant,
} from '../../../../src/core/schema/schema';

/** Compiles only if both types are the same, including optional and read-only members. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(..._proof: Same<A, B> extends true ? [] : [never]): void => undefined;

const point = object({ x: number(), label: optional(string()), more: optional(nullable(string())), raw: unknown() });
const drawn = variant('type', { dot: object({ at: point }), line: object({ points: array(point, { min: 2, max: 3 }) }), none: object({}) });

const mixed = union(string(), boolean(), array(number()));

function sorted(schema: Schema<unknown>, values: { readonly good: readonly unknown[]; readonly bad: readonly unknown[] }): void {
  assert.deepEqual(
    [...values.good, ...values.bad].map((value) => schema.validate(value)),
    [...values.good.map(() => true), ...values.bad.map(() => false)],
  );
}

describe('a schema', () => {
  it('has the type that it checks', () => {
    interface Point {
      readonly x: number;
      readonly label?: string;
      readonly more?: string | null;
      readonly raw: unknown;
    }
    same<Infer<typeof point>, { readonly x: number; readonly raw: unknown; readonly label?: string; readonly more?: string | null }>();
    const asInterface: Point = { x: 1, raw: 2 } satisfies Infer<typeof point>;
    same<Extract<Infer<typeof drawn>, { type: 'none' }>, { readonly type: 'none' }>();
    same<Infer<typeof drawn>['type'], 'dot' | 'line' | 'none'>();
    same<Extract<Infer<typeof drawn>, { type: 'line' }>['points'], readonly Infer<typeof point>[]>();
    same<Infer<typeof mixed>, string | boolean | readonly number[]>();
    // @ts-expect-error x is a number
    const wrong: Infer<typeof point> = { x: 'one', raw: 2 };
    // @ts-expect-error nothing may be put there
    const written = (value: Infer<typeof point>): void => void (value.x = 2);
    assert.deepEqual([asInterface, typeof wrong, typeof written], [{ x: 1, raw: 2 }, 'object', 'function']);
  });

  it('distinguishes values by their type and bounds', () => {
    sorted(string({ min: 1, max: 3 }), { good: ['a', 'abc'], bad: ['', 'abcd', 1, null, undefined, ['a']] });
    sorted(number(), { good: [0, -1.5], bad: [NaN, Infinity, '1', null] });
    sorted(integer(), { good: [0, 7], bad: [-1, 0.5, 2 ** 53, '1'] });
    sorted(integer({ min: 1, max: 9 }), { good: [1, 9], bad: [0, 10] });
    sorted(literal('a', 'b'), { good: ['a', 'b'], bad: ['c', '', null, 'toString'] });
    sorted(mixed, { good: ['a', true, [], [1]], bad: [1, null, ['a'], {}] });
    sorted(nullable(boolean()), { good: [true, false, null], bad: [undefined, 0] });
    sorted(optional(boolean()), { good: [true, undefined], bad: [null, 'true'] });
    sorted(record(number(), { max: 2 }), { good: [{}, { a: 1, b: 2 }], bad: [{ a: '1' }, { a: 1, b: 2, c: 3 }, [1], null] });
    sorted(
      refine(array(number()), (list) => list.length % 2 === 0),
      { good: [[], [1, 2]], bad: [[1], ['1', '2'], {}] },
    );
  });

  it('checks every depth, and every item of a list', () => {
    const dot = { type: 'dot', at: { x: 1, raw: null } };
    sorted(drawn, {
      good: [dot, { ...dot, newer: 1 }, { type: 'none' }, { type: 'line', points: [dot.at, dot.at] }],
      bad: [
        { ...dot, at: { x: '1' } },
        { ...dot, at: { x: 1, label: null } },
        { type: 'line', points: [dot.at] },
        { type: 'line', points: [dot.at, 1] },
        { type: 'toString' },
        { type: 'constructor', at: dot.at },
        { at: dot.at },
        [],
        null,
      ],
    });
    const holes: unknown[] = [1];
    holes[2] = 3;
    assert.equal(array(number()).validate(holes), false);
  });

  it('copies the named members only', () => {
    const value: unknown = JSON.parse('{"type":"dot","more":1,"at":{"x":1,"label":"l","raw":{"deep":[1]},"__proto__":{"y":1},"z":2}}');
    assert.ok(drawn.validate(value));
    assert.equal(JSON.stringify(drawn.parse(value)), '{"type":"dot","at":{"x":1,"label":"l","raw":{"deep":[1]}}}');
    const named = record(string()).parse(JSON.parse('{"__proto__":"a","b":"c"}'));
    assert.deepEqual(Object.entries(named), [
      ['__proto__', 'a'],
      ['b', 'c'],
    ]);
    assert.equal(Object.getPrototypeOf(named), Object.prototype);
  });

  it('leaves out invalid optional members, and takes the first matching alternative', () => {
    const either = union(object({ text: string(), size: fallback(number()) }), object({ blob: string() }));
    assert.deepEqual(either.parse({ text: 't', blob: 'b', size: 'large' }), { text: 't' });
    assert.deepEqual(either.parse({ text: 1, blob: 'b' }), { blob: 'b' });
    assert.equal(either.validate({ text: 1 }), false);
  });
});
