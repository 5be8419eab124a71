import assert from 'node:assert/strict';
import { withLateHistory } from '../../../../../src/acp/transport/remote/lateHistory';
import type { MessageReader, MessageTransport, TransportEnd } from '../../../../../src/core/model/transport';
import { FakeClock } from '../../../session/permission/fakes';

const QWEN = { agentCapabilities: { _meta: { qwen: { connectionId: 'c' } } } };
const COMPLETE = { method: '_qwen/notify', params: { kind: 'replay_complete', data: { replayedCount: 0 } } };
const says = (text: string) => ({ method: 'session/update', params: { sessionId: 's', update: { content: { text } } } });

function scene(initialized: object) {
  const clock = new FakeClock();
  let inner!: MessageReader & { end(end: TransportEnd): void };
  const written: { readonly id: unknown; readonly method: string; readonly params: unknown }[] = [];
  const raw: MessageTransport = {
    read: (reader) => void (inner = reader),
    write: (json) => written.push(JSON.parse(json) as (typeof written)[number]) > 0,
    close: () => undefined,
    describe: () => ({}),
  };
  const transport = withLateHistory(raw, clock);
  /** The arrived messages in a word each. */
  const seen: string[] = [];
  transport.read({
    message: (text) => {
      const { id, method, params } = JSON.parse(text) as {
        id?: number;
        method?: string;
        params?: { update?: { content: { text: string } } };
      };
      seen.push(id === undefined ? (params?.update?.content.text ?? method!) : `answer ${id}`);
    },
    skipped: () => undefined,
    closing: () => undefined,
    end: () => seen.push('end'),
  });
  const arrive = (message: object): void => inner.message(JSON.stringify({ jsonrpc: '2.0', ...message }), false);
  const send = (id: number, method: string): void =>
    void transport.write(JSON.stringify({ jsonrpc: '2.0', id, method, params: { sessionId: `s${id}` } }));
  send(1, 'initialize');
  arrive({ method: 'early' });
  arrive({ id: 1, result: initialized });
  seen.length = 0;
  return { clock, seen, written, arrive, send, end: () => inner.end({}) };
}

describe('a history that follows the answer to session/load', () => {
  it('is read before the answer', () => {
    const { seen, written, arrive, send } = scene(QWEN);
    send(2, 'session/load');
    arrive({ id: 2, result: {} });
    // The server sends the history with the next request for the session.
    const { id, method, params } = written.at(-1)!;
    assert.deepEqual([method, params], ['_qwen/session/heartbeat', { sessionId: 's2' }]);
    arrive(says('one'));
    arrive({ id, result: {} });
    arrive(says('two'));
    arrive(COMPLETE);
    arrive(says('live'));
    assert.deepEqual(seen, ['one', 'two', '_qwen/notify', 'answer 2', 'live']);
  });

  it('is awaited while it comes, ten seconds at most, and one second when there is none', () => {
    const { clock, seen, arrive, send } = scene(QWEN);
    send(2, 'session/load');
    arrive({ id: 2, result: {} });
    clock.pass(999);
    assert.deepEqual(seen, []);
    clock.pass(1);
    assert.deepEqual(seen, ['answer 2']);
    send(3, 'session/load');
    arrive({ id: 3, result: {} });
    for (let second = 0; second < 20; second++) {
      clock.pass(600);
      arrive(says(`${second}`));
    }
    // After 9.6 seconds 16 messages have arrived, and 'answer 2' is before them.
    assert.equal(
      seen.findIndex((each) => each === 'answer 3'),
      17,
    );
  });

  it('belongs to the oldest of several answers', () => {
    const { seen, arrive, send } = scene(QWEN);
    send(2, 'session/load');
    send(3, 'session/load');
    arrive({ id: 2, result: {} });
    arrive({ id: 3, result: {} });
    arrive(COMPLETE);
    arrive(says('of the second'));
    arrive(COMPLETE);
    assert.deepEqual(seen, ['_qwen/notify', 'answer 2', 'of the second', '_qwen/notify', 'answer 3']);
  });

  it('does not delay errors, other answers, or the end', () => {
    const { clock, seen, written, arrive, send, end } = scene(QWEN);
    send(2, 'session/load');
    send(3, 'session/list');
    send(4, 'session/load');
    arrive({ id: 2, error: { code: -32002, message: 'No such session' } });
    arrive({ id: 3, result: {} });
    assert.equal(written.length, 4);
    arrive({ id: 4, result: {} });
    end();
    clock.pass(20_000);
    assert.deepEqual(seen, ['answer 2', 'answer 3', 'answer 4', 'end']);
  });

  it('is expected of no other agent', () => {
    for (const initialized of [{}, { agentCapabilities: { _meta: { qwen: {} } } }, { agentInfo: { name: 'qwen' } }]) {
      const { seen, written, arrive, send } = scene(initialized);
      send(2, 'session/load');
      arrive({ id: 2, result: {} });
      assert.deepEqual([seen, written.length], [['answer 2'], 2]);
    }
  });
});
