/** Every case of test/agent/raw/cases.ts against the dialect over a transport in memory, and what remains after such messages. */
import assert from 'node:assert/strict';
import { CASES } from '../../../agent/raw/cases';
import { answerOf, piecesOf } from '../../../agent/raw/rawCase';
import { connected, settle, updateOf } from '../support';

const PLACE = { session: 's', cwd: '/w' };

function stage() {
  const connection = connected();
  connection.client.file = (path) => (path === '/w/calc.js' ? Promise.resolve('text\n') : Promise.reject(new Error(path)));
  // One session is open, and its turn is running.
  Object.assign(connection.client, {
    resolveSession: (named: string) => ({ sessionId: PLACE.session, ...(named !== '' && named !== PLACE.session && { child: named }) }),
  });
  const { transport } = connection;
  const answers = (): (string | undefined)[] => transport.sent.map(answerOf);
  return { ...connection, answers };
}

describe('raw cases', () => {
  it('have unique names', () => {
    assert.equal(new Set(CASES.map(({ name }) => name)).size, CASES.length);
  });

  for (const each of CASES) {
    const { name, answers } = each;
    it(name, async () => {
      const { transport, answers: got, client, dialect } = stage();
      // A result must fit the schema of its method, so the transport needs to know which ids are reads.
      for (const answer of answers) {
        transport.expect(answer.slice(0, answer.lastIndexOf(' ')), 'fs/read_text_file');
      }
      let turn: unknown;
      dialect.prompt('s', [{ type: 'text', text: 'go' }], (outcome) => (turn = outcome));
      piecesOf(each, PLACE).forEach((piece) => transport.feed(piece));
      await settle();
      assert.deepEqual(
        got()
          .filter((answer) => answer !== undefined)
          .sort(),
        [...answers].sort(),
      );
      assert.ok(!client.calls.some(({ name: call }) => call === 'writeTextFile'), 'nothing is written');
      assert.doesNotThrow(() => JSON.stringify(client.calls), 'journal and view can take what came');
      // After any message, the connection lives and other sessions and requests are unchanged.
      assert.equal(turn, undefined, 'the turn goes on');
      transport.feed(updateOf({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'after' } }));
      transport.feed({ jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn' } });
      assert.deepEqual(client.events.at(-1)?.type, 'message_chunk');
      assert.deepEqual(turn, { ok: true, value: undefined });
      assert.deepEqual(client.ends, [{ stopReason: 'end_turn', events: [] }]);
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
    });
  }
});
