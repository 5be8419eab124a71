import assert from 'node:assert/strict';
import type { PlanBody } from '../../../../src/core/model/content';
import type { UnstampedEvent } from '../../../../src/core/model/event';
import type { SessionState, TurnEntry } from '../../../../src/core/model/state';
import { chunk, stateOf } from '../../../support/events';

const items = (...statuses: string[]): PlanBody => ({
  type: 'items',
  entries: statuses.map((status, index) => ({ content: `Step ${index}`, priority: 'medium', status })),
});
const told = (plan: PlanBody, planId = 'plan'): UnstampedEvent => ({ type: 'plan_update', planId, plan });
const start = (turnId: string): UnstampedEvent => ({ type: 'turn_started', turnId });
const end = (turnId: string): UnstampedEvent => ({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
const plansOf = (state: SessionState, turnId: string) => (state.entries.get(`turn:${turnId}`) as TurnEntry).plans;

describe('plans and turns', () => {
  const done = items('completed', 'completed');
  const half = items('completed', 'pending');

  it('a plan is the session’s while its turn runs, and the turn’s own once that has ended, finished or not', () => {
    for (const plan of [done, half]) {
      const running = stateOf([start('1'), told(plan)]);
      assert.deepEqual(running.plans, { plan });
      const state = stateOf([start('1'), told(plan), end('1'), start('2'), chunk('Other things')]);
      assert.deepEqual(state.plans, {});
      assert.deepEqual(plansOf(state, '1'), { plan });
    }
  });

  it('a turn that tells no plan has none, and one that goes on with it has its own', () => {
    const state = stateOf([start('1'), told(half), end('1'), start('2'), end('2'), start('3'), told(done), end('3')]);
    assert.deepEqual([plansOf(state, '1'), plansOf(state, '2'), plansOf(state, '3')], [{ plan: half }, undefined, { plan: done }]);
  });

  it('what comes after the end is still of the turn that has ended', () => {
    const state = stateOf([start('1'), told(half), end('1'), told(done), chunk('And so on')]);
    assert.deepEqual(state.plans, {});
    assert.deepEqual(plansOf(state, '1'), { plan: done });
  });

  it('a plan from before the first turn goes with that turn, and is not above it', () => {
    const loaded = stateOf([told(done)]);
    assert.deepEqual(loaded.plans, { plan: done });
    const running = stateOf([start('1')], loaded);
    assert.deepEqual(running.plans, {});
    assert.deepEqual(plansOf(stateOf([told(half, 'new'), end('1')], running), '1'), { plan: done, new: half });
  });

  it('a plan that was taken back, or has nothing in it, is in no turn', () => {
    const removed = stateOf([start('1'), told(done), { type: 'plan_removed', planId: 'plan' }, end('1')]);
    assert.equal(plansOf(removed, '1'), undefined);
    assert.equal(plansOf(stateOf([start('1'), told(items()), end('1')]), '1'), undefined);
  });

  it('the turn that the connection’s end breaks off keeps its plan', () => {
    const state = stateOf([start('1'), told(half), { type: 'disconnected', failure: { code: 'agent.exited' } }]);
    assert.deepEqual([state.plans, plansOf(state, '1')], [{}, { plan: half }]);
  });
});
