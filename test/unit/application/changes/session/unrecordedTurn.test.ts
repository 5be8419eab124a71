/** Turns whose changes a restore cannot know. */
import assert from 'node:assert/strict';
import { hasUnrecordedTurn } from '../../../../../src/application/changes/session/unrecordedTurn';
import type { EventInput } from '../../../../../src/core/model/event';
import { message, stateOf } from '../../../../support/events';

describe('a turn without a record', () => {
  const turn = (turnId: string, code?: 'session.interrupted' | 'agent.exited'): EventInput[] => [
    { type: 'turn_started', turnId },
    message('Go on', turnId, 'user'),
    { type: 'turn_ended', turnId, stopReason: code ? 'error' : 'end_turn', ...(code && { failure: { code } }) },
  ];
  const has = (from: string, recorded: readonly string[], ...events: readonly EventInput[][]): boolean =>
    hasUnrecordedTurn(stateOf(events.flat()), from, new Set(recorded));

  it('ended with its window, at the message or after it', () => {
    const turns = [turn('one'), turn('two', 'session.interrupted'), turn('three')];
    assert.deepEqual(
      ['one', 'two', 'three', 'none'].map((from) => has(from, [], ...turns)),
      [true, true, false, false],
    );
  });

  it('excludes recorded turns, and those that ended in another way', () => {
    assert.equal(has('one', ['one'], turn('one', 'session.interrupted')), false);
    assert.equal(has('one', [], turn('one', 'agent.exited'), turn('two')), false);
  });
});
