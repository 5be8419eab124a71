import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { message, stateOf } from '../../../support/events';

const told = (used: number, amount?: number, currency = 'USD'): EventInput => ({
  type: 'usage',
  usage: { used, size: 1000, ...(amount !== undefined && { cost: { amount, currency } }) },
});
const begin = (turnId: string): EventInput[] => [{ type: 'turn_started', turnId }, message('hi', turnId, 'user')];
const end = (turnId: string): EventInput => ({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
const uses = (...events: EventInput[]): unknown[] =>
  [...stateOf(events).entries].flatMap((entry) => (entry.kind === 'turn' && !('absent' in entry) ? [entry.use] : []));

describe('the usage of a turn', () => {
  it('is the context at its end, the cost that was added, and its tokens', () => {
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

  it('includes an update right after its end, but no later one', () => {
    assert.deepEqual(uses(...begin('a'), told(10, 0.1), end('a'), told(20, 0.5)), [
      { context: 20, cost: { amount: 0.5, currency: 'USD' } },
    ]);
    assert.deepEqual(uses(...begin('a'), end('a'), message('late', 'm'), told(20)), [undefined]);
  });

  it('omits the cost when the earlier one is unknown, in another currency, or was reset', () => {
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

describe('the cost of a session', () => {
  const READY: EventInput = { type: 'session_ready', sessionId: 'S' };
  const cost = (...events: EventInput[]) => stateOf([READY, ...events]).usage?.cost?.amount;

  it('goes on after a resume, although the agent counts from 0 again', () => {
    const resumed = [...begin('a'), told(10, 0.5), end('a'), READY];
    assert.equal(cost(...resumed), 0.5);
    assert.equal(cost(...resumed, told(5)), 0.5, 'a report without a cost');
    assert.equal(cost(...resumed, told(5, 0)), 0.5);
    assert.equal(cost(...resumed, ...begin('b'), told(20, 0.1), told(30, 0.2), end('b')), 0.7);
    assert.equal(cost(...resumed, told(20, 0.1), READY, READY, told(20, 0.05), told(20, 0.06)), 0.66, 'twice');
    assert.deepEqual(uses(READY, ...resumed, ...begin('b'), told(20, 0.1), told(30, 0.2), end('b')), [
      { context: 10, cost: { amount: 0.5, currency: 'USD' } },
      { context: 30, cost: { amount: 0.2, currency: 'USD' } },
    ]);
  });

  it('is the cost of the agent that continues its count', () => {
    assert.equal(cost(told(10, 0.5), READY, told(20, 0.5), told(20, 0.8)), 0.8);
  });

  it('never falls, and does not add a cost that the agent has corrected', () => {
    assert.equal(cost(told(10, 0.5), told(10, 0.4)), 0.5);
    assert.equal(cost(told(10, 0.5), READY, told(20, 0.6), told(20, 0.55)), 0.6);
  });

  it('is the last one in another currency', () => {
    assert.equal(cost(told(10, 5), READY, told(10, 2), told(20, 1, 'EUR')), 1);
  });
});
