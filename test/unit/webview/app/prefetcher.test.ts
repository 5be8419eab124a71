import assert from 'node:assert/strict';
import type { SessionEvent } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { bodiesOf, toSnapshot } from '../../../../src/core/protocol/snapshot';
import { EMPTY_STATE, isAbsent } from '../../../../src/core/model/state';
import { Prefetcher } from '../../../../webview/app/prefetcher';
import { Mirror } from '../../../../webview/state/mirror';

/** A page whose host answers at once, and whose idle moments are triggered by the test. */
function setUp(count: number, length = 10) {
  const asked: (readonly string[])[] = [];
  const idle: (() => void)[] = [];
  const events = Array.from(
    { length: count },
    (_, index): SessionEvent => ({
      type: 'message_chunk',
      at: 1,
      role: 'agent',
      messageId: `${index}`,
      content: { type: 'text', text: 'x'.repeat(length) },
    }),
  );
  const state = events.reduce(reduce, EMPTY_STATE);
  const mirror = new Mirror({
    post: (message) => message.type === 'bodies' && asked.push(message.entryIds),
    schedule: (callback) => callback(),
    afterPaint: (callback) => callback(),
    now: () => 1,
  });
  const ahead = new Prefetcher(mirror, (callback) => idle.push(callback));
  const snapshot = () => mirror.receive({ type: 'snapshot', seq: count, snapshot: toSnapshot(state, { tail: 4 }) });
  const answer = (entryIds: readonly string[]) => mirror.receive({ type: 'bodies', seq: count, bodies: bodiesOf(state, entryIds) });
  /** Runs idle moments and answers until nothing more happens. */
  const settle = async () => {
    for (let callbacks = idle.splice(0); callbacks.length > 0; callbacks = idle.splice(0)) {
      callbacks.forEach((callback) => callback());
      const before = asked.length;
      await Promise.resolve();
      asked.slice(before).forEach(answer);
    }
  };
  const absent = () => mirror.state.entries.slice().filter(isAbsent).length;
  return { mirror, ahead, asked, idle, snapshot, answer, settle, absent };
}

describe('bodies that are loaded ahead of the scroll position', () => {
  it('arrive from the newest to the oldest, one portion at a time, at idle moments only', async () => {
    const { snapshot, idle, asked, settle, absent } = setUp(50);
    snapshot();
    assert.equal(asked.length, 0);
    assert.equal(idle.length, 1);
    await settle();
    assert.equal(absent(), 0);
    assert.deepEqual(
      asked.map((ids) => ids.length),
      [16, 16, 14],
    );
    assert.equal(asked[0]![0], 'agent:45');
    assert.equal(asked.at(-1)!.at(-1), 'agent:0');
  });

  it('wait for the last portion before the next request', async () => {
    const { snapshot, idle, asked, mirror } = setUp(50);
    snapshot();
    idle.splice(0).forEach((callback) => callback());
    await Promise.resolve();
    mirror.receive({ type: 'page', folderName: 'w', multiRoot: false });
    assert.equal(asked.length, 1);
    assert.equal(idle.length, 0);
  });

  it('stop at a limit', async () => {
    const { snapshot, settle, absent } = setUp(400, 20_000);
    snapshot();
    await settle();
    assert.ok(absent() > 250 && absent() < 350, `${absent()} are absent`);
  });

  it('start again after another snapshot', async () => {
    const { snapshot, settle, absent } = setUp(30);
    snapshot();
    await settle();
    snapshot();
    assert.equal(absent(), 26);
    await settle();
    assert.equal(absent(), 0);
  });
});
