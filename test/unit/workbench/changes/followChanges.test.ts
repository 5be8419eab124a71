import assert from 'node:assert/strict';
import type { Session } from '../../../../src/session/session';
import { SessionStore } from '../../../../src/session/state/store';
import { followChanges } from '../../../../src/workbench/changes/followChanges';
import { FakeClock } from '../../session/permission/fakes';

describe('the follower of a session’s changes', () => {
  function stage(adoptedTurn?: Session['adoptedTurn']) {
    const clock = new FakeClock();
    const store = new SessionStore(clock);
    const done: string[] = [];
    const followed = { onEvents: () => done.push('hears'), flush: () => Promise.resolve(), dispose: () => undefined };
    const changes = { follow: () => Promise.resolve(followed) } as never;
    const prepare = () => (done.push('prepared'), Promise.reject(new Error('not to be had')));
    const load = () => (done.push('loaded'), Promise.resolve({ changes }));
    const following = followChanges({ store, adoptedTurn } as unknown as Session, load, prepare, clock);
    return { clock, store, done, following };
  }
  const turns = () => new Promise((resolve) => setImmediate(resolve));

  it('is loaded once the agent is ready, and follows from the first turn', async () => {
    const { clock, store, done } = stage();
    store.append({ type: 'session_ready', sessionId: 's' });
    assert.deepEqual(done, [], 'what the page shows comes first');
    clock.pass(1000);
    await turns();
    assert.deepEqual(done, ['prepared']);
    store.append({ type: 'turn_started', turnId: 't' });
    await turns();
    assert.deepEqual(done, ['prepared', 'loaded', 'hears']);
  });

  it('hears all events of a turn that an earlier window has begun', async () => {
    const { store, done } = stage({ turnId: 't', startedAt: 1, cancelling: false });
    store.append({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    await turns();
    assert.deepEqual(done, ['loaded', 'hears']);
  });

  it('is not loaded for a session that was disposed or has started by then', async () => {
    const gone = stage();
    gone.store.append({ type: 'session_ready', sessionId: 's' });
    gone.following.dispose();
    gone.clock.pass(1000);
    const begun = stage();
    begun.store.append({ type: 'turn_started', turnId: 't' }, { type: 'session_ready', sessionId: 's' });
    begun.clock.pass(1000);
    await turns();
    assert.deepEqual([gone.done, begun.done], [[], ['loaded', 'hears']]);
  });
});
