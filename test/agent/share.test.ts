/** Clients of the official SDK at a shared session: replay, prompts, questions, rights. */
import assert from 'node:assert/strict';
import { entryIdOf, isAbsent, type MessageEntry } from '../../src/core/model/state';
import type { Sharing } from '../../src/share/sharing';
import { watchLeaks } from '../support/leaks';
import { SharedClient, until } from '../support/share/sharedClient';
import { ASK, ShareScene } from '../support/share/shareScene';
import { buildAgent } from '../support/scenario/agents';
import type { Stage } from '../support/scenario/stage';
import type { Step } from './scripted/steps';

describe('a shared session', function () {
  this.timeout(60_000);
  watchLeaks();
  let scene: ShareScene;
  let stage: Stage;
  let sharing: Sharing;

  before(buildAgent);
  beforeEach(async () => {
    scene = await ShareScene.open();
    ({ stage, sharing } = scene);
  });
  afterEach(() => scene.close());

  const attach: ShareScene['attach'] = (...args) => scene.attach(...args);
  const key = (): string => scene.key;
  const message = (id: string): MessageEntry => {
    const slot = stage.session.store.state.entries.get(id);
    assert.ok(slot?.kind === 'message' && !isAbsent(slot));
    return slot;
  };

  it('is listed and replayed with the text of the conversation', async () => {
    await stage.turn(
      { think: 'Hm. ' },
      { chunks: ['Hello, ', 'wörld 👋'] },
      {
        tool: {
          toolCallId: 't',
          title: 'Look',
          kind: 'read',
          status: 'completed',
          content: [{ type: 'content', content: { type: 'text', text: 'found' } }],
        },
      },
      { say: 'Done.' },
    );
    const client = new SharedClient();
    scene.clients.push(client);
    const { agentCapabilities } = await client.open(sharing.url!, sharing.issue('read'));
    assert.equal(agentCapabilities?.loadSession, true);
    const { sessions } = await client.list();
    assert.deepEqual(
      sessions.map(({ sessionId, cwd: folder }) => [sessionId, folder]),
      [[key(), scene.cwd]],
    );
    await client.load(key());
    const kinds = client.updates.map(({ sessionUpdate }) => sessionUpdate).filter((kind, index, all) => kind !== all[index - 1]);
    assert.deepEqual(kinds.slice(0, 5), [
      'user_message_chunk',
      'agent_thought_chunk',
      'agent_message_chunk',
      'tool_call',
      'agent_message_chunk',
    ]);
    const said = stage.session.store.state.entries
      .slice()
      .flatMap((entry) => (entry.kind === 'message' && !isAbsent(entry) && entry.role === 'agent' ? entry.content : []));
    assert.equal(client.text('agent_message_chunk'), said.map((block) => (block.type === 'text' ? block.text : '')).join(''));
    const call = client.updates.find((update) => update.sessionUpdate === 'tool_call');
    assert.deepEqual(call && [call.title, call.kind, call.status, call.content], [
      'Look',
      'read',
      'completed',
      [{ type: 'content', content: { type: 'text', text: 'found' } }],
    ]);
  });

  it('streams to each client what happens after the replay, once', async () => {
    const [one, two] = [await attach('read'), await attach('answer')];
    await stage.turn({ repeat: { times: 200, steps: [{ say: '${n} ' }] } });
    const expected = Array.from({ length: 200 }, (_, index) => `${index + 1} `).join('');
    for (const client of [one, two]) {
      await until('the text', () => client.text('agent_message_chunk').length >= expected.length);
      assert.equal(client.text('agent_message_chunk'), expected);
      assert.match(client.text('user_message_chunk'), /^@script/);
    }
  });

  it('takes a prompt of a client that may answer, and marks its sender', async () => {
    const [pixel, other] = [await attach('answer', { name: 'Pixel' }), await attach('read')];
    const stopReason = await pixel.prompt(key(), `@script ${JSON.stringify([{ say: 'Yes.' }])}`);
    assert.equal(stopReason, 'end_turn');
    await until('the answer', () => pixel.text('agent_message_chunk') === 'Yes.' && other.text('agent_message_chunk') === 'Yes.');
    assert.equal(pixel.text('user_message_chunk'), '', 'the sender has its own message');
    assert.match(other.text('user_message_chunk'), /^@script/);
    const [user] = stage.session.store.state.entries.slice().filter((entry) => entry.kind === 'message');
    assert.equal(message(user!.entryId).from, 'Pixel');
  });

  it('answers a prompt after the last text of the turn, also when a tool call stays open', async () => {
    const pixel = await attach('answer');
    for (const word of ['One.', 'Two.', 'Three.']) {
      const call: Step = { tool: { toolCallId: word, title: 'Look', kind: 'read', status: 'in_progress' } };
      await pixel.prompt(key(), `@script ${JSON.stringify([call, { say: word }])}`);
      assert.equal(pixel.text('agent_message_chunk').endsWith(word), true, pixel.text('agent_message_chunk'));
    }
  });

  it('queues a prompt behind the running turn, and removes it on cancel', async () => {
    const pixel = await attach('answer');
    stage.script({ waitCancel: true });
    const queued = pixel.prompt(key(), 'later');
    await until('the queue', () => stage.session.store.state.queue.length === 1);
    await pixel.agent.notify('session/cancel', { sessionId: key() });
    assert.equal(await queued, 'cancelled');
    assert.equal(stage.session.store.state.turn?.cancelling, false, 'the turn of the user goes on');
    await pixel.agent.notify('session/cancel', { sessionId: key() });
    await stage.turnEnd();
  });

  it('takes back a prompt whose request is cancelled, and none whose client has left', async () => {
    const [pixel, other] = [await attach('answer'), await attach('answer')];
    const { store } = stage.session;
    const send = (from: SharedClient, text: string, cancellationSignal?: AbortSignal): Promise<string> =>
      from.agent
        .request(
          'session/prompt',
          { sessionId: key(), prompt: [{ type: 'text', text }] },
          { ...(cancellationSignal && { cancellationSignal }) },
        )
        .then(
          ({ stopReason }) => stopReason,
          () => 'failed',
        );
    stage.script({ waitCancel: true });
    const [first, second] = [new AbortController(), new AbortController()];
    const queued = send(pixel, 'later', first.signal);
    await until('the queue', () => store.state.queue.length === 1);
    first.abort();
    assert.equal(await queued, 'cancelled');
    assert.deepEqual([store.state.queue.length, store.state.turn?.cancelling], [0, false], 'the turn of the user goes on');
    await pixel.agent.notify('session/cancel', { sessionId: key() });
    await stage.turnEnd();

    const running = send(pixel, `@script ${JSON.stringify([{ waitCancel: true }])}`, second.signal);
    await until('the turn', () => store.state.turn !== undefined);
    const left = send(other, 'stays');
    await until('the queue', () => store.state.queue.length === 1);
    other.close();
    await until('the end of the client', () => sharing.attached.length === 1);
    assert.deepEqual([store.state.queue.length, store.state.turn?.cancelling], [1, false]);
    second.abort();
    assert.equal(await running, 'cancelled');
    await until('the end of the turn', () => store.state.turn === undefined);
    assert.equal(store.state.queue.length, 1, 'the message of the client that has left');
    void left;
  });

  it('counts the first answer, and withdraws the question from the other client', async () => {
    let answer: ((optionId: string) => void) | undefined;
    const select = (optionId: string) => ({ outcome: { outcome: 'selected' as const, optionId } });
    const pixel = await attach('answer', { permission: () => new Promise((resolve) => (answer = (id) => resolve(select(id)))) });
    const laptop = await attach('answer', { name: 'Laptop' });
    stage.script(ASK);
    await until('the questions', () => pixel.questions.length === 1 && laptop.questions.length === 1);
    assert.equal(pixel.questions[0]!.toolCall.title, 'Run the tests');
    answer!('allow');
    await stage.turnEnd();
    await until('the withdrawal', () => laptop.withdrawn === 1);
    assert.equal(pixel.withdrawn, 0);
    const entry = stage.session.store.state.entries.slice().find((each) => each.kind === 'permission');
    assert.ok(entry?.kind === 'permission' && !isAbsent(entry));
    await until('the mark', () => {
      const marked = stage.session.store.state.entries.get(entry.entryId);
      return marked?.kind === 'permission' && !isAbsent(marked) && marked.from === 'Pixel';
    });
    assert.equal(entry.outcome?.optionId, 'allow');
    await until('the text', () => laptop.text('agent_message_chunk').includes('selected allow'));
  });

  it('withdraws the question everywhere when the window answers', async () => {
    const [pixel, laptop] = [await attach('answer'), await attach('answer')];
    stage.script(ASK);
    await until('the questions', () => pixel.questions.length === 1 && laptop.questions.length === 1);
    const [permissionId] = stage.session.store.state.pendingPermissions;
    assert.ok(stage.session.answerPermission(permissionId!, 'deny'));
    await until('the withdrawals', () => pixel.withdrawn === 1 && laptop.withdrawn === 1);
    await stage.turnEnd();
    const entry = stage.session.store.state.entries.get(entryIdOf.permission(permissionId!));
    assert.ok(entry?.kind === 'permission' && !isAbsent(entry));
    assert.equal(entry.from, undefined);
  });

  it('asks a client that attaches while a question waits', async () => {
    stage.script(ASK);
    await until('the question', () => stage.session.store.state.pendingPermissions.length === 1);
    const pixel = await attach('answer', { permission: async () => ({ outcome: { outcome: 'selected', optionId: 'allow' } }) });
    await stage.turnEnd();
    assert.equal(pixel.questions.length, 1);
  });

  it('leaves a question to the others when a client dismisses it or invents an option', async () => {
    await attach('answer', { permission: async () => ({ outcome: { outcome: 'cancelled' } }) });
    await attach('answer', { permission: async () => ({ outcome: { outcome: 'selected', optionId: 'invented' } }) });
    stage.script(ASK);
    await until('the question', () => stage.session.store.state.pendingPermissions.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const [permissionId] = stage.session.store.state.pendingPermissions;
    assert.ok(stage.session.answerPermission(permissionId!, 'allow'));
    await stage.turnEnd();
  });

  it('answers a form with checked values, and asks again after wrong ones', async () => {
    const contents = [{ age: 'old' }, { age: 7 }];
    let asked = 0;
    const pixel = await attach('answer', {
      capabilities: { elicitation: { form: {} } },
      elicitation: async () => ({ action: 'accept', content: contents[asked++] as never }),
    });
    const requestedSchema = { type: 'object', properties: { age: { type: 'integer', title: 'Age' } }, required: ['age'] };
    stage.script({ elicit: { mode: 'form', message: 'How old?', requestedSchema } });
    await stage.turnEnd();
    assert.equal(asked, 2);
    await until('the answer', () => /"age":\s*7/.test(pixel.text('agent_message_chunk')));
  });

  it('lets a reader do nothing but read', async () => {
    const reader = await attach('read');
    stage.script(ASK);
    await until('the question', () => stage.session.store.state.pendingPermissions.length === 1);
    await assert.rejects(reader.prompt(key(), 'no'), /read-only/);
    await assert.rejects(
      reader.agent.request('session/set_config_option', { sessionId: key(), configId: 'mode', value: 'x' }),
      /read-only/,
    );
    await reader.agent.notify('session/cancel', { sessionId: key() });
    await reader.list();
    assert.equal(reader.questions.length, 0);
    const { state } = stage.session.store;
    assert.deepEqual([state.queue.length, state.turn?.cancelling, state.pendingPermissions.length], [0, false, 1]);
    stage.session.answerPermission(state.pendingPermissions[0]!, 'allow');
    await stage.turnEnd();
  });

  it('continues without a replay after session/resume', async () => {
    await stage.turn({ say: 'Before.' });
    const client = new SharedClient();
    scene.clients.push(client);
    await client.open(sharing.url!, sharing.issue('read'));
    await client.agent.request('session/resume', { sessionId: key(), cwd: '/', mcpServers: [] });
    await stage.turn({ say: 'After.' });
    await until('the text', () => client.text('agent_message_chunk') !== '');
    assert.equal(client.text('agent_message_chunk'), 'After.');
  });

  it('refuses new sessions and sessions that are not shared', async () => {
    const client = await attach('answer');
    await assert.rejects(client.agent.request('session/new', { cwd: scene.cwd, mcpServers: [] }), /Only shared sessions/);
    await assert.rejects(client.load('another'), /not found/i);
  });

  it('removes known secrets from what it sends', async () => {
    scene.secrets.push('plum "tree"');
    const client = await attach('read');
    await stage.turn({ say: 'The key is plum "tree".' });
    await until('the text', () => client.text('agent_message_chunk') !== '');
    assert.equal(client.text('agent_message_chunk'), 'The key is ••••.');
  });

  it('lists its clients, disconnects one, and ends with the session', async () => {
    const [pixel, laptop] = [await attach('answer', { name: 'Pixel\n<b>' }), await attach('read', { name: 'Laptop' })];
    assert.deepEqual(
      sharing.attached.map(({ name, address, right, sessions }) => [name, address, right, sessions]),
      [
        ['Pixel <b>', '127.0.0.1', 'answer', [key()]],
        ['Laptop', '127.0.0.1', 'read', [key()]],
      ],
    );
    sharing.disconnect(sharing.attached[0]!.clientId);
    await until('the end of the connection', () => pixel.closed);
    assert.deepEqual(
      sharing.attached.map(({ name }) => name),
      ['Laptop'],
    );
    await stage.session.end();
    await until('the end of the sharing', () => laptop.closed);
    assert.equal(sharing.url, undefined);
  });
});
