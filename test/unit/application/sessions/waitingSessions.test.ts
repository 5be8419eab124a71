import assert from 'node:assert/strict';
import { readBackWaiting } from '../../../../src/application/sessions/waitingSessions';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { storeWaiting, WAITING, waitingKeys } from '../../../../src/session/continuation';
import type { SessionStore } from '../../../../src/session/state/store';

class Memory {
  readonly values = new Map<string, unknown>();
  get = (key: string): unknown => this.values.get(key);
  update = (key: string, value: readonly string[]): void => void this.values.set(key, value);
}

describe('sessions that wait for a reset', () => {
  it('are stored once each, until they no longer wait', () => {
    const memory = new Memory();
    storeWaiting(memory, 'a', true);
    storeWaiting(memory, 'b', true);
    storeWaiting(memory, 'a', true);
    assert.deepEqual(waitingKeys(memory), ['b', 'a']);
    storeWaiting(memory, 'b', false);
    assert.deepEqual(waitingKeys(memory), ['a']);
    memory.values.set(WAITING, 'nonsense');
    assert.deepEqual(waitingKeys(memory), []);
  });

  it('are restored in a new window, and forgotten when they are gone or continue elsewhere', async () => {
    const memory = new Memory();
    const restored: string[] = [];
    ['waiting', 'gone', 'elsewhere'].forEach((key) => storeWaiting(memory, key, true));
    await readBackWaiting(memory, async (key) => {
      restored.push(key);
      const state = key === 'waiting' ? { ...EMPTY_STATE, continuation: { at: 1 } } : EMPTY_STATE;
      return key === 'gone' ? undefined : { store: { state } as unknown as SessionStore };
    });
    assert.deepEqual([restored, waitingKeys(memory)], [['waiting', 'gone', 'elsewhere'], ['waiting']]);
  });
});
