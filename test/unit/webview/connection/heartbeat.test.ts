import assert from 'node:assert/strict';
import type { FromView, ToView } from '../../../../src/core/protocol/view';
import type { PageHost } from '../../../../webview/base/host';
import { ANSWER_MS, BEAT_MS, Heartbeat, SHOWN_ANSWER_MS, SHOWN_MS, withHeartbeat } from '../../../../webview/connection/heartbeat';
import { FakeClock } from '../../session/permission/fakes';

function scene() {
  const clock = new FakeClock();
  const posted: FromView[] = [];
  let deliver!: (message: ToView) => void;
  const received: string[] = [];
  const host: PageHost = {
    post: (message) => posted.push(message),
    onMessage: (listener) => (deliver = listener),
    load: () => 'kept',
    save: (state) => void received.push(`saved ${String(state)}`),
  };
  const heartbeat = new Heartbeat({
    ping: (pingId) => host.post({ type: 'ping', pingId }),
    after: (ms, callback) => {
      const timer = clock.after(ms, callback);
      return () => timer.dispose();
    },
  });
  const page = withHeartbeat(host, heartbeat);
  page.onMessage((message) => received.push(message.type));
  const told: boolean[] = [];
  heartbeat.subscribe(() => told.push(heartbeat.isLost));
  const pings = (): number[] => posted.flatMap((message) => (message.type === 'ping' ? message.pingId : []));
  const pong = (): void => deliver({ type: 'pong', pingId: pings().at(-1)! });
  heartbeat.resume();
  return { clock, posted, page, heartbeat, told, pings, pong, received, hear: () => deliver({ type: 'editor' }) };
}

describe('the heartbeat of the extension host', () => {
  it('is requested only after a period of silence, and any message counts as one', () => {
    const { clock, pings, pong, hear, heartbeat, told, received } = scene();
    for (let round = 0; round < 5; round++) {
      hear();
      clock.pass(BEAT_MS);
    }
    assert.deepEqual(pings(), []);
    clock.pass(BEAT_MS);
    assert.equal(pings().length, 1);
    pong();
    clock.pass(ANSWER_MS);
    assert.equal(heartbeat.isLost, false);
    clock.pass(BEAT_MS);
    assert.equal(pings().length, 2);
    hear();
    clock.pass(ANSWER_MS);
    assert.deepEqual(told, []);
    // The answer itself is not passed on.
    assert.deepEqual(new Set(received), new Set(['editor']));
  });

  it('is reported once when it stops, and once when it returns', () => {
    const { clock, pings, hear, told } = scene();
    hear();
    clock.pass(SHOWN_MS);
    clock.pass(BEAT_MS);
    clock.pass(ANSWER_MS - 1);
    assert.deepEqual(told, []);
    clock.pass(1);
    assert.deepEqual(told, [true]);
    for (let round = 0; round < 3; round++) {
      clock.pass(BEAT_MS);
      clock.pass(ANSWER_MS);
    }
    assert.deepEqual([told, pings().length], [[true], 4], 'it is asked on');
    hear();
    assert.deepEqual(told, [true, false]);
  });

  it('is requested soon by a page that is shown or focused and gets no message', () => {
    const { clock, pings, hear, heartbeat, told } = scene();
    clock.pass(SHOWN_MS);
    assert.equal(pings().length, 1);
    heartbeat.resume();
    clock.pass(SHOWN_ANSWER_MS);
    assert.deepEqual(told, [true], 'a second focus delays nothing');
    heartbeat.pause();
    heartbeat.resume();
    clock.pass(SHOWN_MS);
    hear();
    assert.deepEqual([told, pings().length], [[true, false], 2]);
  });

  it('is requested with each action that the host has not confirmed yet, and a second action delays nothing', () => {
    const { clock, pings, pong, heartbeat, told } = scene();
    heartbeat.check(2000);
    pong();
    heartbeat.check(2000);
    assert.equal(pings().length, 2);
    clock.pass(1500);
    heartbeat.check(2000);
    clock.pass(500);
    assert.deepEqual([told, pings().length], [[true], 2]);
  });

  it('is requested with an answer or a stop, but not with what the page does by itself', () => {
    const { clock, page, pings, told } = scene();
    page.post({ type: 'typing' });
    page.post({ type: 'cancel_queued_edit', id: 'q' } as unknown as FromView);
    assert.equal(pings().length, 0);
    page.post({ type: 'answer_permission', permissionId: 'p', optionId: 'o' });
    page.post({ type: 'cancel' });
    assert.equal(pings().length, 1);
    clock.pass(SHOWN_ANSWER_MS);
    assert.deepEqual(told, [true]);
  });

  it('does no work while the page is hidden', () => {
    const { clock, pings, heartbeat, told } = scene();
    heartbeat.pause();
    clock.pass(10 * BEAT_MS);
    assert.deepEqual([pings(), told], [[], []]);
    heartbeat.resume();
    clock.pass(BEAT_MS);
    clock.pass(ANSWER_MS);
    assert.deepEqual(told, [true]);
  });

  it('is requested with every sent message, and returns unreceived messages once', () => {
    const { clock, page, pings, pong, heartbeat, told, posted } = scene();
    const first = { type: 'prompt', content: [{ type: 'text', text: 'first' }] } as const;
    const second = { type: 'resend', entryId: 'e', content: [{ type: 'text', text: 'second' }] } as const;
    page.post(first);
    assert.deepEqual(
      posted.map(({ type }) => type),
      ['prompt', 'ping'],
    );
    pong();
    page.post(second);
    assert.equal(pings().length, 2);
    clock.pass(ANSWER_MS);
    assert.deepEqual(told, [true]);
    assert.deepEqual(heartbeat.takeUnacknowledged(), [second]);
    assert.deepEqual(heartbeat.takeUnacknowledged(), []);
  });

  it('counts a message as received only when an answer follows it', () => {
    const { page, heartbeat, pings, received } = scene();
    const prompt = { type: 'prompt', content: [{ type: 'text', text: 'x' }] } as const;
    page.post(prompt);
    page.post(prompt);
    heartbeat.received({ type: 'pong', pingId: pings()[0]! });
    assert.deepEqual(heartbeat.takeUnacknowledged(), [prompt]);
    page.save('s');
    assert.deepEqual([page.load(), received.at(-1)], ['kept', 'saved s']);
  });
});
