/** Two facts about a turn: the agent has taken its prompt, and the agent has ended it. A second protocol version reports them at different times. */
import assert from 'node:assert/strict';
import { connect } from '../../../src/acp/connect';
import { failureOfError, succeeded } from '../../../src/acp/jsonrpc/rpc';
import type { ProtocolVersion } from '../../../src/acp/protocolVersion';
import { ndjson } from '../../../src/acp/transport/ndjson';
import { V1 } from '../../../src/acp/v1/v1';
import { Sessions } from '../../../src/session/sessions';
import { CLIENT_INFO, FakeTransport, updateOf } from '../acp/support';
import { lines, setup, text } from './earlierScene';
import { fakeDependencies, launch, quiet } from './fakes';

/** A version whose answer to `session/prompt` means that the prompt was taken. The notification `session/idle` ends a turn. */
const LATER: ProtocolVersion = {
  version: 9,
  initializeParams: () => ({ protocolVersion: 9 }),
  interpreter: (client, options) => {
    const v1 = V1.interpreter(client, options);
    return {
      onRequest: v1.onRequest,
      onNotification: (method, params) => {
        if (method !== 'session/idle') {
          v1.onNotification(method, params);
          return;
        }
        const { sessionId, stopReason, error } = params as { sessionId: string; stopReason: string; error?: object };
        client.onTurnEnded(sessionId, { stopReason, events: [], ...(error && { failure: failureOfError('session/prompt', error) }) });
      },
      dialect: (answer, connection) => ({
        ...v1.dialect(answer, connection),
        protocolVersion: 9,
        prompt: (sessionId, prompt, settled) =>
          connection.request('session/prompt', { sessionId, prompt }, {}, (outcome) =>
            settled(outcome.ok ? succeeded(undefined) : outcome),
          ),
      }),
    };
  },
};

function opened() {
  const fakes = fakeDependencies();
  const transport = new FakeTransport(false);
  const session = new Sessions({
    ...fakes.deps,
    connect: () => (events) => {
      const options = { clientInfo: CLIENT_INFO, clock: fakes.clock, log: quiet, timeoutMs: 1000 };
      return connect(ndjson(transport), [LATER], events.client, { ...options, onEnd: events.onEnd }, (outcome) =>
        outcome.ok ? events.onReady(outcome.value) : events.onEnd(outcome.failure),
      );
    },
  }).create(launch(), setup);
  const authMethods = [{ id: 'login', name: 'Log in' }];
  /** Answers the newest request. */
  const reply = (body: object) => {
    const ids = transport.sent.flatMap((json) => (JSON.parse(json) as { id?: number }).id ?? []);
    transport.feed({ jsonrpc: '2.0', id: ids.at(-1), ...body });
  };
  reply({ result: { protocolVersion: 9, authMethods } });
  reply({ result: { sessionId: 's' } });
  const returned: string[] = [];
  session.onPromptReturned((words) => returned.push(words));
  return {
    ...fakes,
    session,
    transport,
    reply,
    /** The texts that returned to the composer. */
    returned,
    taken: () => reply({ result: {} }),
    refused: (code: number) => reply({ error: { code, message: 'refused' } }),
    says: (words: string) => transport.feed(updateOf({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } })),
    idle: (stopReason: string, error?: object) =>
      transport.feed({ jsonrpc: '2.0', method: 'session/idle', params: { sessionId: 's', stopReason, error } }),
    turnId: () => [...session.store.state.entries].flatMap((entry) => (entry.kind === 'turn' && 'turnId' in entry ? entry.turnId : []))[0]!,
    exit: () => transport.finish({ exitCode: 1 }),
    methods: () => transport.sent.map((json) => (JSON.parse(json) as { method: string }).method).slice(2),
  };
}

describe('a turn of a version that reports its end on its own', () => {
  it('goes on after its prompt was taken, and ends later', () => {
    const { session, clock, taken, says, idle, returned } = opened();
    session.prompt(text('question'));
    taken();
    clock.pass(3_600_000);
    says('answer');
    assert.notEqual(session.store.state.turn, undefined, 'the turn runs');
    idle('end_turn');
    assert.equal(session.store.state.turn, undefined);
    assert.deepEqual(lines(session), ['user: question', 'agent: answer', 'turn end_turn']);
    assert.deepEqual(returned, []);
  });

  it('holds queued messages until its end, not until its prompt was taken', () => {
    const { session, taken, idle, methods } = opened();
    session.submit(text('first'));
    session.submit(text('second'));
    taken();
    assert.deepEqual(methods(), ['session/prompt']);
    idle('end_turn');
    assert.deepEqual(methods(), ['session/prompt', 'session/prompt']);
  });

  it('may end before the answer that its prompt was taken', () => {
    const { session, taken, says, idle, returned } = opened();
    session.prompt(text('question'));
    says('answer');
    idle('end_turn');
    taken();
    assert.deepEqual(lines(session), ['user: question', 'agent: answer', 'turn end_turn']);
    assert.deepEqual(returned, []);
  });

  it('gives the text back when the prompt is refused before it was taken', () => {
    const stopped = opened();
    stopped.session.prompt(text('question'));
    stopped.session.cancel();
    stopped.refused(-32000);
    assert.deepEqual(stopped.returned, ['question'], 'to the composer');
    assert.equal(stopped.session.store.state.turn, undefined);

    const failing = opened();
    failing.session.prompt(text('question'));
    failing.refused(-32603);
    assert.deepEqual(lines(failing.session), ['user: question', 'turn error']);
    assert.equal(failing.session.retryPrompt(failing.turnId()), undefined);
    assert.deepEqual(failing.methods(), ['session/prompt', 'session/prompt'], 'by Retry in the conversation');
    assert.deepEqual(failing.returned, []);
  });

  it('keeps the text when the agent fails or exits after it was taken', () => {
    const failing = opened();
    failing.session.prompt(text('question'));
    failing.taken();
    failing.idle('error', { code: -32603, message: 'broken' });
    assert.deepEqual(lines(failing.session), ['user: question', 'turn error']);
    assert.deepEqual(failing.returned, []);

    const exiting = opened();
    exiting.session.prompt(text('question'));
    exiting.taken();
    exiting.exit();
    assert.deepEqual(exiting.returned, []);
    assert.equal(exiting.session.store.state.turn, undefined);

    const early = opened();
    early.session.prompt(text('question'));
    early.exit();
    assert.deepEqual(early.returned, ['question'], 'it was not taken');
  });

  it('gives the text back when the agent ends the turn with a refusal', () => {
    const { session, taken, idle, returned } = opened();
    session.prompt(text('question'));
    taken();
    idle('refusal');
    assert.deepEqual(returned, ['question']);
  });

  it('waits for a sign-in when the prompt needs one, and sends it again', () => {
    const { session, refused, taken, idle, methods, reply } = opened();
    session.prompt(text('question'));
    refused(-32000);
    assert.notEqual(session.store.state.turn, undefined, 'the turn waits');
    session.signIn('login');
    reply({ result: {} });
    taken();
    idle('end_turn');
    assert.deepEqual(methods(), ['session/prompt', 'authenticate', 'session/prompt']);
    assert.deepEqual(lines(session), ['user: question', 'turn end_turn']);
  });

  it('is cancelled by the report of its end', () => {
    const { session, taken, idle, methods } = opened();
    session.prompt(text('question'));
    taken();
    session.cancel();
    assert.deepEqual(methods(), ['session/prompt', 'session/cancel']);
    assert.notEqual(session.store.state.turn, undefined, 'the agent has not confirmed it');
    idle('cancelled');
    assert.deepEqual(lines(session), ['user: question', 'turn cancelled']);
  });

  it('changes nothing when it ends without a prompt of the client', () => {
    const { session, says, idle, returned } = opened();
    says('by the way');
    idle('end_turn');
    assert.deepEqual(lines(session), ['agent: by the way']);
    assert.deepEqual(returned, []);
  });
});
