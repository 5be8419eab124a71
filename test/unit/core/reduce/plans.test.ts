import assert from 'node:assert/strict';
import type { PlanBody } from '../../../../src/core/model/content';
import type { EventInput } from '../../../../src/core/model/event';
import type { SessionState, TurnEntry } from '../../../../src/core/model/state';
import { chunk, stateOf } from '../../../support/events';

const items = (...statuses: string[]): PlanBody => ({
  type: 'items',
  entries: statuses.map((status, index) => ({ content: `Step ${index}`, priority: 'medium', status })),
});
const told = (plan: PlanBody, planId = 'plan'): EventInput => ({ type: 'plan_update', planId, plan });
const start = (turnId: string): EventInput => ({ type: 'turn_started', turnId });
const end = (turnId: string): EventInput => ({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
const plansOf = (state: SessionState, turnId: string) => (state.entries.get(`turn:${turnId}`) as TurnEntry).plans;

describe('plans', () => {
  const done = items('completed', 'completed');
  const half = items('completed', 'pending');

  it('belong to the session while its turn runs, and to the turn once that has ended, finished or not', () => {
    for (const plan of [done, half]) {
      const running = stateOf([start('1'), told(plan)]);
      assert.deepEqual(running.plans, { plan });
      const state = stateOf([start('1'), told(plan), end('1'), start('2'), chunk('Other things')]);
      assert.deepEqual(state.plans, {});
      assert.deepEqual(plansOf(state, '1'), { plan });
    }
  });

  it('are missing in a turn without plan updates, and belong to each turn that updates them', () => {
    const state = stateOf([start('1'), told(half), end('1'), start('2'), end('2'), start('3'), told(done), end('3')]);
    assert.deepEqual([plansOf(state, '1'), plansOf(state, '2'), plansOf(state, '3')], [{ plan: half }, undefined, { plan: done }]);
  });

  it('belong to the ended turn when they arrive after its end', () => {
    const state = stateOf([start('1'), told(half), end('1'), told(done), chunk('And so on')]);
    assert.deepEqual(state.plans, {});
    assert.deepEqual(plansOf(state, '1'), { plan: done });
  });

  it('move from before the first turn into that turn', () => {
    const loaded = stateOf([told(done)]);
    assert.deepEqual(loaded.plans, { plan: done });
    const running = stateOf([start('1')], loaded);
    assert.deepEqual(running.plans, {});
    assert.deepEqual(plansOf(stateOf([told(half, 'new'), end('1')], running), '1'), { plan: done, new: half });
  });

  it('are in no turn when they were removed, or are empty', () => {
    const removed = stateOf([start('1'), told(done), { type: 'plan_removed', planId: 'plan' }, end('1')]);
    assert.equal(plansOf(removed, '1'), undefined);
    assert.equal(plansOf(stateOf([start('1'), told(items()), end('1')]), '1'), undefined);
  });

  it('have any id: that of a journal of version 1, and those that an agent has chosen', () => {
    const stored = stateOf([start('1'), told(half, 'plan'), end('1'), start('2'), told(half, 'a'), told(done, 'b'), told(done, 'a')]);
    assert.deepEqual(plansOf(stored, '1'), { plan: half });
    assert.deepEqual(stored.plans, { a: done, b: done });
    assert.deepEqual(stateOf([{ type: 'plan_removed', planId: 'a' }], stored).plans, { b: done });
  });

  it('stay with the turn that the end of the connection interrupts', () => {
    const state = stateOf([start('1'), told(half), { type: 'disconnected', failure: { code: 'agent.exited' } }]);
    assert.deepEqual([state.plans, plansOf(state, '1')], [{}, { plan: half }]);
  });
});
