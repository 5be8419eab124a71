import assert from 'node:assert/strict';
import { methodRows } from '../../../../src/application/signIn/signInRows';
import { english } from '../english';

describe('sign-in methods as rows', () => {
  it('describe what will happen, without hidden characters', () => {
    const rows = methodRows(
      [
        { methodId: 'a', name: 'Browser', type: 'agent', description: 'Opens\na page $(alert)' },
        { methodId: 'b', name: ' ', type: 'terminal', args: ['login'] },
        { methodId: 'c', name: 'Old', type: 'terminal', command: '/opt/x', args: ['log in', '\u202eevil'] },
        {
          methodId: 'd',
          name: 'Key',
          type: 'env_var',
          vars: [
            { name: 'A_KEY', secret: true, optional: false },
            { name: 'B', label: 'Place', secret: false, optional: true },
          ],
        },
        { methodId: 'e', name: 'New', type: 'carrier-pigeon' },
      ],
      english,
    );
    assert.deepEqual(
      rows.map(({ label, description, detail }) => [label, description, detail]),
      [
        ['Browser', '', 'Opens⏎a page $\u2060(alert)'],
        ['b', 'opens a terminal', undefined],
        ['Old', "runs /opt/x 'log in' ‹U+202E›evil in a terminal", undefined],
        ['Key', 'asks for A_KEY, Place', undefined],
        ['New', '', undefined],
      ],
    );
    assert.equal(rows[4]!.method.methodId, 'e');
  });

  it('are limited in number', () => {
    const methods = Array.from({ length: 1000 }, (_, index) => ({ methodId: `${index}`, name: 'x'.repeat(10_000), type: 'agent' }));
    const rows = methodRows(methods, english);
    assert.equal(rows.length, 50);
    assert.ok(rows.every(({ label }) => label.length < 200));
  });
});
