/** Host and page notify through the same set of listeners. */
import assert from 'node:assert/strict';
import { Listeners } from '../../../../src/core/platform/listeners';

describe('a set of listeners', () => {
  it('calls each listener with the values until it is removed', () => {
    const listeners = new Listeners<[value: number]>();
    const calls: string[] = [];
    const unsubscribe = listeners.subscribe((value) => calls.push(`a${value}`));
    const { dispose } = listeners.add((value) => calls.push(`b${value}`));
    listeners.call(1);
    unsubscribe();
    listeners.call(2);
    dispose();
    listeners.call(3);
    assert.deepEqual(calls, ['a1', 'b1', 'b2']);
  });

  it('calls the same function once for each time that it was added', () => {
    const listeners = new Listeners();
    let calls = 0;
    const listener = (): void => void calls++;
    listeners.subscribe(listener)();
    const unsubscribe = listeners.subscribe(listener);
    listeners.subscribe(listener);
    listeners.call();
    unsubscribe();
    listeners.call();
    assert.equal(calls, 3);
  });

  it('applies a change during a call from the next call on', () => {
    const listeners = new Listeners();
    const calls: string[] = [];
    listeners.subscribe(() => {
      calls.push('a');
      unsubscribe();
      listeners.subscribe(() => calls.push('c'));
    });
    const unsubscribe = listeners.subscribe(() => calls.push('b'));
    listeners.call();
    assert.deepEqual(calls, ['a', 'b']);
    calls.length = 0;
    listeners.call();
    assert.deepEqual(calls, ['a', 'c']);
  });
});
