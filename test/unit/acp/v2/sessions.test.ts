/** Sessions that share a process or are requested again: none takes the messages, the states or the ids of another one. */
import assert from 'node:assert/strict';
import { connect } from '../../../../src/acp/connect';
import type { Dialect } from '../../../../src/acp/dialect';
import { ndjson } from '../../../../src/acp/transport/ndjson';
import { V2 } from '../../../../src/acp/v2/v2';
import { possibleContinuation } from '../../../../src/core/queue/limits';
import { failedTurn } from '../../../../src/core/queue/retry';
import { subagentsIn } from '../../../../src/core/subagents/subagentTree';
import { resetTimeIn } from '../../../../src/text/messages/resetTime';
import { CLIENT_INFO, FakeClock, FakeTransport, RecordingClient, settle } from '../support';
import { INITIALIZED, INFO, Scene, text } from './scene';

const WITH_FOLDERS = { protocolVersion: 2, info: INFO, capabilities: { session: { additionalDirectories: {}, delete: {} } } };
const STOPPABLE = { status: 'in_progress', capabilities: { cancel: {} } };

/** Sends a prompt whose turn begins and ends. */
function turn(scene: Scene): void {
  assert.equal(scene.session.prompt(text('next')), undefined);
  scene.reply({ messageId: 'u9' }, 'session/prompt');
  scene.become('running');
  assert.notEqual(scene.state.turn, undefined);
  scene.become('idle', { stopReason: 'end_turn' });
  assert.equal(scene.state.turn, undefined);
}

/** Waits for a request whose code is loaded late. */
async function requested(scene: Scene, method: string): Promise<object | undefined> {
  while (scene.sentBy(method).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return scene.sentBy(method).at(-1)?.params;
}

/** The methods of an agent of version 2, without a session around them. */
function wire() {
  const transport = new FakeTransport(false);
  const client = new RecordingClient();
  let dialect: Dialect | undefined;
  connect(ndjson(transport), [V2], client, { clientInfo: CLIENT_INFO, clock: new FakeClock(), timeoutMs: 1000 }, (outcome) => {
    dialect = outcome.ok ? outcome.value : undefined;
  });
  const answer = (result: object): void => transport.feed({ jsonrpc: '2.0', id: transport.last.id, result });
  answer(WITH_FOLDERS);
  const update = (params: object): void => transport.feed({ jsonrpc: '2.0', method: 'session/update', params });
  return { transport, client, dialect: dialect!, answer, update };
}

describe('sessions of version 2', () => {
  it('continue after the agent has refused other folders', () => {
    const scene = Scene.ready(WITH_FOLDERS);
    assert.equal(scene.session.changeFolders(['/v']), undefined);
    scene.become('running');
    scene.fail(-32603, undefined, 'session/resume');
    assert.notEqual(scene.state.turn, undefined, 'a state before the answer counts');
    scene.become('idle', { stopReason: 'end_turn' });
    turn(scene);
  });

  it('continue after the agent has accepted other folders', () => {
    const scene = Scene.ready(WITH_FOLDERS);
    scene.session.changeFolders(['/v']);
    scene.reply({}, 'session/resume');
    turn(scene);
  });

  it('are not closed by the late answer to their end when they are open again', async () => {
    const scene = Scene.ready();
    scene.another('other');
    const ended = scene.session.end();
    const [close] = scene.sentBy('session/close');
    scene.fakes.clock.pass(2000);
    await ended;
    await settle();
    scene.session.resume();
    await settle();
    scene.reply({}, 'session/resume');
    scene.transport.feed({ jsonrpc: '2.0', id: close!.id, result: {} });
    assert.equal(scene.state.status, 'ready');
    turn(scene);
  });

  it('know when the limit resets at which the agent has ended a turn', () => {
    const message = "Internal error: You've hit your 5-hour limit · resets 1:23am (UTC)";
    const scene = Scene.ready();
    assert.equal(scene.session.prompt(text('next')), undefined);
    scene.reply({ messageId: 'u9' }, 'session/prompt');
    scene.become('running');
    scene.become('idle', { stopReason: 'error', error: { code: -32603, message, data: { errorKind: 'rate_limit' } } });
    const turn = failedTurn(scene.state)!;
    assert.equal(turn.failure?.params?.['cause'], 'usage_limit');
    assert.equal(possibleContinuation(scene.state)?.at, resetTimeIn(message, scene.fakes.clock.now()));
  });

  it('begin no further turn after the user has ended them', async () => {
    const scene = Scene.ready();
    scene.session.prompt(text('question'));
    scene.reply({ messageId: 'u1' });
    scene.become('running');
    const ended = scene.session.end();
    scene.become('idle', { stopReason: 'cancelled' });
    scene.become('running');
    scene.says('one more thing');
    assert.deepEqual([scene.state.status, scene.state.turn], ['ended', undefined]);
    scene.reply({}, 'session/close');
    await ended;
    assert.deepEqual([scene.state.status, scene.state.turn], ['ended', undefined]);
  });

  it('continue when the agent does not delete them', () => {
    const { client, dialect, transport, answer, update } = wire();
    dialect.newSession({ cwd: '/w', additionalDirectories: [], mcpServers: [] }, () => undefined);
    answer({ sessionId: 's' });
    dialect.deleteSession!('s', () => undefined);
    transport.feed({ jsonrpc: '2.0', id: transport.last.id, error: { code: -32603, message: 'no' } });
    update({ sessionId: 's', update: { sessionUpdate: 'state_update', state: 'running' } });
    assert.deepEqual(
      client.calls.filter(({ name }) => name === 'onTurnStarted').map(({ sessionId }) => sessionId),
      ['s'],
    );
  });

  it('stop their own call where another one has the same id', async () => {
    const scene = Scene.ready();
    scene.another('other');
    for (const sessionId of ['s', 'other']) {
      scene.update({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...STOPPABLE }, sessionId);
      scene.update({ sessionUpdate: 'terminal_update', terminalId: 'b', capabilities: { cancel: {} } }, sessionId);
    }
    scene.session.stopToolCall('t');
    assert.deepEqual(await requested(scene, 'tool_call/cancel'), { sessionId: 's', toolCallId: 't' });
    scene.session.stopTerminal('b');
    assert.deepEqual(await requested(scene, 'terminal/cancel'), { sessionId: 's', terminalId: 'b' });
  });

  it('stop the call of a subagent that a question has announced', async () => {
    const scene = Scene.ready();
    scene.become('running');
    scene.update({ sessionUpdate: 'subagent_update', sessionId: 'c', title: 'C' });
    scene.request('session/request_permission', {
      sessionId: 'c',
      title: 'Run?',
      subject: { type: 'tool_call', toolCall: { toolCallId: 't', ...STOPPABLE } },
      options: [{ optionId: 'o', name: 'Y', kind: 'allow_once' }],
    });
    scene.session.stopToolCall('c/t');
    assert.deepEqual(await requested(scene, 'tool_call/cancel'), { sessionId: 'c', toolCallId: 't' });
  });

  it('keep a state that precedes the answer, also before a state that cannot be read', () => {
    const scene = new Scene();
    scene.reply(INITIALIZED);
    scene.become('running', { _meta: { a: 1 } });
    scene.update({ sessionUpdate: 'state_update', state: 7 });
    scene.reply({ sessionId: 's' });
    assert.notEqual(scene.state.turn, undefined);
    assert.deepEqual(
      [...scene.state.entries].map(({ kind }) => kind),
      ['unknown'],
    );
  });

  it('are not forgotten while they are opened, however many ids the agent invents', () => {
    const scene = new Scene('s');
    scene.reply(INITIALIZED);
    scene.become('running');
    for (let index = 0; index < 1100; index++) {
      scene.become('running', {}, `invented ${index}`);
    }
    scene.reply({});
    assert.notEqual(scene.state.turn, undefined);
  });

  it('have the state that a subagent has reported before its announcement', () => {
    const scene = Scene.ready();
    scene.become('idle', { stopReason: 'end_turn' }, 'c');
    scene.become('running', { background: [], x: 1 }, 'c');
    scene.update({ sessionUpdate: 'subagent_update', sessionId: 'c', title: 'C' });
    assert.deepEqual(subagentsIn(scene.state)[0]?.work, { state: 'running' });
  });
});
