import assert from 'node:assert/strict';
import type { UnstampedEvent } from '../../../../src/core/model/event';
import { message, stateOf } from '../../../support/events';

const told = (used: number, amount?: number, currency = 'USD'): UnstampedEvent => ({
  type: 'usage',
  usage: { used, size: 1000, ...(amount !== undefined && { cost: { amount, currency } }) },
});
const begin = (turnId: string): UnstampedEvent[] => [{ type: 'turn_started', turnId }, message('hi', turnId, 'user')];
const end = (turnId: string): UnstampedEvent => ({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
const uses = (...events: UnstampedEvent[]): unknown[] =>
  [...stateOf(events).entries].flatMap((entry) => (entry.kind === 'turn' && !('absent' in entry) ? [entry.use] : []));

describe('what a turn has used', () => {
  it('is the context it ended with, the cost that came to it, and its tokens', () => {
    assert.deepEqual(
      uses(
        ...begin('a'),
        told(10, 0.1),
        told(20, 0.3),
        { type: 'turn_usage', usage: { total: 7 } },
        end('a'),
        ...begin('b'),
        told(30, 0.4),
        end('b'),
        ...begin('c'),
        end('c'),
      ),
      [
        { context: 20, cost: { amount: 0.3, currency: 'USD' }, tokens: { total: 7 } },
        { context: 30, cost: { amount: 0.1, currency: 'USD' } },
        undefined,
      ],
    );
  });

  it('is also what is told right after its end, and no later', () => {
    assert.deepEqual(uses(...begin('a'), told(10, 0.1), end('a'), told(20, 0.5)), [
      { context: 20, cost: { amount: 0.5, currency: 'USD' } },
    ]);
    assert.deepEqual(uses(...begin('a'), end('a'), message('late', 'm'), told(20)), [undefined]);
  });

  it('is no cost where that of before is not known, or in another currency, or was set back', () => {
    const early = message('said before', 'old', 'user');
    assert.deepEqual(uses(early, ...begin('a'), told(10, 5), end('a'), ...begin('b'), told(20, 6), end('b')), [
      { context: 10 },
      { context: 20, cost: { amount: 1, currency: 'USD' } },
    ]);
    assert.deepEqual(
      uses(...begin('a'), told(1, 1), end('a'), ...begin('b'), told(2, 9, 'EUR'), end('b'), ...begin('c'), told(3, 2, 'EUR'), end('c')),
      [{ context: 1, cost: { amount: 1, currency: 'USD' } }, { context: 2 }, { context: 3 }],
    );
  });
});
