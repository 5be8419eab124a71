/** The focus that a click on a row moves into a chat, before an input box opens. */
import assert from 'node:assert/strict';
import { Listeners } from '../../../../src/util/listeners';
import { FocusArrival } from '../../../../src/workbench/sessionsView/focusArrival';
import type { Focus } from '../../../../src/workbench/shared/userActivity';
import { FakeClock } from '../../session/permission/fakes';

describe('the focus after a click on a row', () => {
  let clock: FakeClock;
  let focus: Focus;
  let changes: Listeners<[]>;
  let arrival: FocusArrival;
  let isSettled: boolean;

  beforeEach(() => {
    clock = new FakeClock();
    focus = undefined;
    changes = new Listeners();
    const activity = {
      get focus() {
        return focus;
      },
      onDidChange: (listener: () => void) => changes.add(listener),
    };
    arrival = new FocusArrival(clock, activity);
    isSettled = false;
  });

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const wait = async (key = 'a'): Promise<void> => {
    void arrival.settled(key).then(() => (isSettled = true));
    await turn();
  };

  const moves = async (to: Focus, ms = 0): Promise<void> => {
    focus = to;
    changes.call();
    clock.pass(ms);
    await turn();
  };

  it('is awaited before a session that was just clicked is renamed', async () => {
    arrival.clicked('a', Promise.resolve());
    await wait();
    await moves({ sessionKey: 'b' }, 300);
    assert.equal(isSettled, false);
    await moves({ sessionKey: 'a' }, 300);
    assert.equal(isSettled, true);
    assert.equal(clock.pending, 0);
  });

  it('is awaited again where the chat had it before the click, and reports late that it has lost it', async () => {
    focus = { sessionKey: 'a' };
    arrival.clicked('a', Promise.resolve());
    await wait();
    await moves(undefined, 300);
    assert.equal(isSettled, false);
    await moves({ sessionKey: 'a' }, 300);
    assert.equal(isSettled, true);
  });

  it('is not awaited when another session was clicked, or after a while', async () => {
    arrival.clicked('b', Promise.resolve());
    await wait();
    assert.equal(isSettled, true);
    arrival.clicked('a', Promise.resolve());
    clock.pass(60_000);
    isSettled = false;
    await wait();
    assert.equal(isSettled, true);
  });

  it('does not hold the command back when it does not come', async () => {
    arrival.clicked('a', Promise.reject(new Error('deleted')));
    await wait();
    clock.pass(60_000);
    await turn();
    assert.equal(isSettled, true);
  });
});
