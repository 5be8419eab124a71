/** The changes that wait for review, as views receive them. */
import assert from 'node:assert/strict';
import type { PendingChanges } from '../../../src/core/fileChanges/pendingChanges';
import type { EventInput } from '../../../src/core/model/event';
import { EMPTY_STATE, type SessionState } from '../../../src/core/model/state';
import { reduce } from '../../../src/core/reduce/reduce';
import { publishPending } from '../../../src/session/pendingPublisher';

describe('the changes that wait for review', () => {
  const one: PendingChanges = { files: [{ path: '/w/a', operation: 'modify', added: 1, removed: 0 }], added: 1, removed: 0 };

  function stage(first?: PendingChanges) {
    const events: EventInput[] = [];
    const store = {
      state: EMPTY_STATE as SessionState,
      append: (event: EventInput) => {
        events.push(event);
        store.state = reduce(store.state, { ...event, at: 1 } as never);
      },
    };
    const timers: (() => void)[] = [];
    let summary = first;
    let changed = (): void => undefined;
    const source = {
      summary: () => summary,
      onDidChange: (listener: () => void) => {
        changed = listener;
        return { dispose: () => (changed = () => undefined) };
      },
    };
    const after = (_ms: number, run: () => void) => {
      timers.push(run);
      return { dispose: () => void timers.splice(timers.indexOf(run), 1) };
    };
    const publisher = publishPending({ store } as never, source, { now: () => 0, after });
    const set = (next: PendingChanges | undefined): void => {
      summary = next;
      changed();
    };
    return { store, events, timers, publisher, set, elapse: () => timers.splice(0).forEach((run) => run()) };
  }

  it('are in the state from the start, and removed when none waits', () => {
    const { store, events, set, elapse } = stage(one);
    assert.deepEqual(store.state.pendingChanges, one);
    set(undefined);
    assert.deepEqual(store.state.pendingChanges, one);
    elapse();
    assert.equal('pendingChanges' in store.state, false);
    assert.equal(events.length, 2);
  });

  it('are published once for many changes, and not when the summary is the same', () => {
    const { events, timers, set, elapse } = stage();
    assert.equal(events.length, 0);
    set(one);
    set({ ...one, added: 2 });
    assert.equal(timers.length, 1);
    elapse();
    set({ ...one, added: 2 });
    elapse();
    assert.deepEqual(events, [{ type: 'pending_changes', changes: { ...one, added: 2 } }]);
  });

  it('are removed with the review, which a page may outlive', () => {
    const { store, publisher } = stage(one);
    publisher.dispose();
    assert.equal('pendingChanges' in store.state, false);
  });

  it('are not published after the end', () => {
    const { events, set, publisher, elapse } = stage();
    set(one);
    publisher.dispose();
    elapse();
    assert.deepEqual(events, []);
  });
});
