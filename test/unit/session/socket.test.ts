/** A whole session over a transport of messages. It needs no process, bytes or lines. */
import { jsonLines } from '../../../src/acp/trace/exportLines';
import { agent, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import assert from 'node:assert/strict';
import { connect } from '../../../src/acp/connect';
import { Trace } from '../../../src/acp/trace/trace';
import { V1 } from '../../../src/acp/v1/v1';
import type { Session } from '../../../src/session/session';
import { Sessions } from '../../../src/session/sessions';
import { systemClock } from '../../../src/util/clock';
import { type MemorySocket, memorySocket } from '../../support/memorySocket';
import { fakeDependencies, launch, quiet } from './fakes';

const URL = 'wss://agent.example/acp';

/** Reads a file, asks for permission, and reports the result. */
const app = agent({ name: 'socket' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentInfo: { name: 'socket', version: '1' } }))
  .onRequest(methods.agent.session.new, ({ params }) => ({ sessionId: `in ${params.cwd}` }))
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId }, client }) => {
    const toolCall = { toolCallId: 'read', title: 'Read /w/a', kind: 'read' as const };
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' as const }];
    const answer = await client.request(methods.client.session.requestPermission, { sessionId, toolCall, options });
    const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path: '/w/a' });
    const text = `${JSON.stringify(answer)}\n${content}`;
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    });
    return { stopReason: 'end_turn' as const };
  });

function open(): { session: Session; socket: MemorySocket; trace: Trace; answer: (index: number, optionId: string) => void } {
  const { deps, answer } = fakeDependencies();
  const socket = memorySocket(URL);
  const trace = new Trace(systemClock);
  app.connect(socket.stream);
  const session = new Sessions({
    ...deps,
    clock: systemClock,
    connect: () => (events) => {
      const { transport } = socket;
      events.onProgress(transport.describe().address ?? '');
      const options = { clientInfo: { name: 'test', version: '0' }, clock: systemClock, log: quiet, trace, timeoutMs: 10_000 };
      return connect(transport, [V1], events.client, { ...options, onEnd: events.onEnd }, (outcome) =>
        outcome.ok ? events.onReady(outcome.value) : events.onEnd(outcome.failure),
      );
    },
  }).create(launch(), { cwd: '/w', additionalDirectories: [], mcpServers: [] });
  return { session, socket, trace, answer };
}

async function until(session: Session, condition: () => boolean): Promise<void> {
  if (!condition()) {
    await new Promise<void>((resolve) => {
      const listening = session.store.onEvents(() => {
        if (condition()) {
          listening.dispose();
          resolve();
        }
      });
    });
  }
}

const texts = ({ store }: Session): string[] =>
  [...store.state.entries].flatMap((entry) =>
    'content' in entry && entry.kind === 'message'
      ? entry.content.map((block) => `${entry.role}: ${block.type === 'text' ? block.text : block.type}`)
      : [],
  );

describe('a session over a socket', () => {
  it('starts, asks, reads, answers and ends', async () => {
    const { session, socket, trace, answer } = open();
    assert.equal(session.store.state.start?.command, URL);
    await until(session, () => session.store.state.status === 'ready');
    assert.equal(session.store.state.sessionId, 'in /w');
    session.prompt([{ type: 'text', text: 'Go' }]);
    await until(session, () => session.store.state.pendingPermissions.length > 0);
    answer(0, 'yes');
    await until(session, () => session.store.state.turn === undefined);
    assert.deepEqual(texts(session), ['user: Go', 'agent: {"outcome":{"outcome":"selected","optionId":"yes"}}\ntext of /w/a']);
    socket.drop();
    await until(session, () => session.store.state.status === 'disconnected');
    assert.deepEqual(session.store.state.failure, { code: 'connection.closed' });
    assert.deepEqual(
      [...trace.entries()].filter(({ kind }) => kind !== 'a2c' && kind !== 'c2a'),
      [],
      'frames alone',
    );
    assert.equal(socket.transport.write('{}'), false);
    for (const line of jsonLines(trace)) {
      assert.ok(!line.includes('\n') && (JSON.parse(line) as { msg?: object }).msg, 'a log has a frame in a line');
    }
  });

  it('answers malformed messages with the required error, and continues', async () => {
    const { session, socket, trace } = open();
    await until(session, () => session.store.state.status === 'ready');
    socket.say('{"jsonrpc": "2.0", "method": ');
    socket.say(
      JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'in /w', update: { sessionUpdate: 'x' } } }),
    );
    await until(session, () => session.store.state.entries.length > 0);
    assert.equal(session.store.state.entries.at(0)?.kind, 'unknown');
    assert.deepEqual(
      [...trace.entries()].filter(({ text }) => text.includes('-32700')).map(({ kind }) => kind),
      ['c2a'],
    );
  });
});
