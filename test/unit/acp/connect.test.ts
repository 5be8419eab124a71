/** The protocol version of a connection: the one that the agent answers with, if this client supports it. */
import assert from 'node:assert/strict';
import { connect } from '../../../src/acp/connect';
import type { Dialect } from '../../../src/acp/dialect';
import type { Outcome } from '../../../src/acp/jsonrpc/rpc';
import type { ProtocolVersion } from '../../../src/acp/protocolVersion';
import { ndjson } from '../../../src/acp/transport/ndjson';
import { V1 } from '../../../src/acp/v1/v1';
import { CLIENT_INFO, FakeClock, FakeLog, FakeTransport, RecordingClient, updateOf } from './support';

/** A version whose `initialize` has other parameters, and which reports every notification as unknown. */
const V9: ProtocolVersion = {
  version: 9,
  initializeParams: (info) => ({ protocolVersion: 9, info }),
  interpreter: (client, options) => ({
    onRequest: (_method, _params, respond) => respond.result({ nine: true }),
    onNotification: (method) => client.onUnknown(`nine: ${method}`, undefined),
    dialect: (answer, connection) => ({
      ...V1.interpreter(client, options).dialect(answer, connection),
      protocolVersion: 9,
    }),
  }),
};

function open(...versions: [ProtocolVersion, ...ProtocolVersion[]]) {
  const transport = new FakeTransport(false);
  const client = new RecordingClient();
  const options = { clientInfo: CLIENT_INFO, clock: new FakeClock(), log: new FakeLog(), timeoutMs: 1000 };
  let outcome: Outcome<Dialect> | undefined;
  connect(ndjson(transport), versions, client, options, (result) => (outcome = result));
  return {
    transport,
    client,
    /** `initialize` is answered with this version. */
    answer: (protocolVersion?: unknown) => transport.feed({ jsonrpc: '2.0', id: 1, result: { protocolVersion } }),
    outcome: () => outcome,
    calls: () => client.calls.map(({ name, args }) => (name === 'onUnknown' ? (args as { method: string }).method : name)),
  };
}

const update = updateOf({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hi' } });

describe('the version of a connection', () => {
  it('is proposed in the `initialize` of the newest supported version', () => {
    const { params } = open(V9, V1).transport.last as { params: Record<string, unknown> };
    assert.deepEqual([params.protocolVersion, params.info, params.clientInfo], [9, CLIENT_INFO, CLIENT_INFO], 'with the fields of both');
    assert.equal((open(V1).transport.last.params as { protocolVersion: number }).protocolVersion, 1);
  });

  it('is the one that the agent answers, from the next message on', () => {
    const older = open(V9, V1);
    older.transport.feed(update);
    older.answer(1);
    older.transport.feed(
      [{ jsonrpc: '2.0', id: 2, result: { protocolVersion: 1 } }, update].map((each) => JSON.stringify(each) + '\n').join(''),
    );
    assert.deepEqual(older.calls(), ['nine: session/update', 'onUpdate']);
    const result = older.outcome();
    assert.equal(result?.ok && result.value.protocolVersion, 1);

    const newest = open(V9, V1);
    newest.answer(9);
    newest.transport.feed(update);
    newest.transport.feed({ jsonrpc: '2.0', id: 'a', method: 'anything' });
    assert.deepEqual(newest.calls(), ['nine: session/update']);
    assert.deepEqual(newest.transport.last.result, { nine: true });
  });

  it('is the proposed one when the agent names none, and may be a string', () => {
    for (const [named, version] of [
      [undefined, 9],
      [null, 9],
      ['1', 1],
    ] as const) {
      const { answer, outcome, transport } = open(V9, V1);
      answer(named);
      if (version === 1) {
        transport.feed({ jsonrpc: '2.0', id: 2, result: { protocolVersion: 1 } });
      }
      const result = outcome();
      assert.equal(result?.ok && result.value.protocolVersion, version);
    }
  });

  it('ends the connection when it is not supported', () => {
    for (const [named, actual] of [
      [2, 2],
      [0, 0],
      ['draft', 'draft'],
      [{}, '{}'],
      [true, 'true'],
      [[9], '[9]'],
    ] as const) {
      const { answer, outcome, transport } = open(V9, V1);
      answer(named);
      assert.deepEqual(outcome(), { ok: false, failure: { code: 'protocol.version', params: { expected: 9, actual } } });
      assert.ok(transport.disposed);
    }
  });
});
