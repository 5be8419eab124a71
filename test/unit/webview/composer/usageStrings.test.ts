import assert from 'node:assert/strict';
import { fullness, level, price } from '../../../../webview/composer/usageStrings';

describe('the text for the usage', () => {
  it('shows how full the window is, also when it is more than full, or its size is unknown', () => {
    assert.deepEqual(
      [
        [0, 100],
        [50, 100],
        [300, 200],
        [-5, 10],
        [5, 0],
        [5, -1],
      ].map(([used, size]) => fullness({ used: used!, size: size! })),
      [0, 50, 150, 0, undefined, undefined],
    );
    assert.deepEqual([undefined, 0, 74, 75, 90, 95, 96, 150].map(level), [
      '',
      '',
      '',
      'usage-much',
      'usage-high',
      'usage-high',
      'usage-full',
      'usage-full',
    ]);
  });

  for (const [amount, currency, expected] of [
    [0, 'USD', '$0.00'],
    [0.42, 'USD', '$0.42'],
    [0.4234, 'USD', '$0.423'],
    [0.00001, 'USD', '$0.00001'],
    [0.0123, 'EUR', '€0.012'],
    [12.3456, 'EUR', '€12.35'],
    [1234.5, 'JPY', '¥1,235'],
    [-0.5, 'USD', '-$0.50'],
    [12, 'credits', '12 credits'],
    [0.25, 'x'.repeat(50), `0.25 ${'x'.repeat(19)}…`],
  ] as const) {
    it(`${amount} ${currency.slice(0, 8)} is ${expected.slice(0, 14)}`, () => assert.equal(price({ amount, currency }), expected));
  }
});
