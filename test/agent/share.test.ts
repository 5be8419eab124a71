/** Clients of the official SDK at a shared session: replay, prompts, questions, rights. */
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sharedSessionOf } from '../../src/application/share/sharedSessionOf';
import { refusalOf, requestsOf, shownOutcome } from '../../src/core/approval/requests';
import { entryIdOf, isAbsent, type MessageEntry } from '../../src/core/model/state';
import { isTemporary } from '../../src/core/reconnect/reconnect';
import { Traces } from '../../src/acp/trace/traces';
import { setupIn } from '../../src/core/model/sessionSetup';
import { Sessions } from '../../src/session/sessions';
import { connector } from '../../src/workbench/agents/connector';
import { Sharing } from '../../src/share/sharing';
import { systemClock } from '../../src/util/clock';
import { startActions } from '../../webview/failures/failureActions';
import { watchLeaks } from '../support/leaks';
import { SharedClient, type SharedClientOptions, until } from '../support/share/sharedClient';
import { buildAgent } from '../support/scenario/agents';
import { Stage } from '../support/scenario/stage';
import { englishVerbatim } from '../unit/application/english';
import { lines } from '../unit/session/earlierScene';
import { fakeDependencies, quiet } from '../unit/session/fakes';
import type { Step } from './scripted/steps';

const ASK: Step = {
  permission: {
    toolCall: { toolCallId: 'call', title: 'Run the tests', kind: 'execute' },
    options: [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
    ],
  },
};

describe('a shared session', function () {
  this.timeout(60_000);
  watchLeaks();
  let cwd: string;
  let stage: Stage;
  let sharing: Sharing;
  const clients: SharedClient[] = [];
  const windows: Sessions[] = [];
  const secrets: string[] = [];

  before(buildAgent);
  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(path.join(tmpdir(), 'share-')));
    stage = new Stage(cwd, { answer: () => undefined, setup: {} });
    await stage.ready();
    const redact = (text: string): string => secrets.reduce((rest, secret) => rest.replaceAll(secret, '••••'), text);
    sharing = new Sharing({ clock: systemClock, log: quiet, version: '0', redact, secretStart: () => 0, changed: () => undefined });
    sharing.add(sharedSessionOf(stage.session, englishVerbatim));
    await sharing.start({ host: '127.0.0.1' });
  });
  afterEach(async () => {
    clients.splice(0).forEach((each) => each.close());
    windows.splice(0).forEach((each) => each.dispose());
    await sharing.stop();
    await stage.close();
    await rm(cwd, { recursive: true, force: true });
    secrets.length = 0;
  });

  async function attach(right: 'read' | 'answer', options: SharedClientOptions = {}): Promise<SharedClient> {
    const client = new SharedClient(options);
    clients.push(client);
    await client.open(sharing.url!, sharing.issue(right));
    await client.load(stage.session.key);
    return client;
  }

  /** Opens the shared session in another window, through an agent at its address. */
  function openWindow(right: 'read' | 'answer', reference: { readonly sessionId: string } | null = { sessionId: key() }) {
    const { deps } = fakeDependencies();
    const headers = { Authorization: `Bearer ${sharing.issue(right)}` };
    const none = { agentId: 'D', agentName: 'D', command: 'none', args: ['none'], env: {} };
    const connect = connector({
      clock: systemClock,
      log: quiet,
      environment: process.env,
      launchFolders: (_, at) => ({ cwd: at }),
      demo: none,
      version: '0',
      traces: new Traces(systemClock),
    });
    const sessions = new Sessions({ ...deps, clock: systemClock, connect });
    const launch = { agentId: 'Shared', agentName: 'Shared', kind: 'websocket', url: sharing.url!, headers } as const;
    const other = sessions.create(launch, setupIn({ cwd, additionalDirectories: [] }), reference ?? undefined);
    windows.push(sessions);
    return { other, sessions };
  }

  const key = (): string => stage.session.key;
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
    clients.push(client);
    const { agentCapabilities } = await client.open(sharing.url!, sharing.issue('read'));
    assert.equal(agentCapabilities?.loadSession, true);
    const { sessions } = await client.list();
    assert.deepEqual(
      sessions.map(({ sessionId, cwd: folder }) => [sessionId, folder]),
      [[key(), cwd]],
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
    clients.push(client);
    await client.open(sharing.url!, sharing.issue('read'));
    await client.agent.request('session/resume', { sessionId: key(), cwd: '/', mcpServers: [] });
    await stage.turn({ say: 'After.' });
    await until('the text', () => client.text('agent_message_chunk') !== '');
    assert.equal(client.text('agent_message_chunk'), 'After.');
  });

  it('is opened by another window through an agent at its address', async () => {
    await stage.turn({ say: 'From the first window.' });
    const { other } = openWindow('answer');
    const { store } = other;
    await until('the session', () => store.state.status === 'ready');
    const texts = (): string => JSON.stringify(store.state.entries.slice());
    assert.match(texts(), /From the first window\./);
    assert.equal(other.submit([{ type: 'text', text: `@script ${JSON.stringify([ASK, { say: 'To both.' }])}` }]), undefined);
    await until('the question', () => store.state.pendingPermissions.length === 1);
    assert.ok(other.answerPermission(store.state.pendingPermissions[0]!, 'allow'));
    await until('the end of the turn', () => store.state.turn === undefined && texts().includes('To both.'));
    const name = `ACP Host (${path.basename(cwd)})`;
    assert.deepEqual(
      stage.session.store.state.entries.slice().flatMap((entry) => ('from' in entry ? [entry.kind, entry.from] : [])),
      ['message', name, 'permission', name],
    );
  });

  it('shows another window that a question was answered elsewhere, and by whom', async () => {
    const { other } = openWindow('answer');
    await until('the session', () => other.store.state.status === 'ready');
    const pixel = await attach('answer', { name: 'Pixel', permission: (_, signal) => asked(signal) });
    let answer: (() => void) | undefined;
    const asked = (signal: AbortSignal) =>
      new Promise<never>((resolve, reject) => {
        answer = () => resolve({ outcome: { outcome: 'selected', optionId: 'allow' } } as never);
        signal.addEventListener('abort', () => reject(new Error('withdrawn')));
      });
    const ends = (): string[] =>
      other.store.state.entries
        .slice()
        .flatMap((entry) => (entry.kind === 'permission' && !isAbsent(entry) ? [`${entry.outcome?.type} ${entry.from}`] : []));
    const waits = (): boolean => other.store.state.pendingPermissions.length === 1;

    stage.script(ASK);
    await until('the question', () => waits() && pixel.questions.length === 1);
    stage.session.answerPermission(stage.session.store.state.pendingPermissions[0]!, 'allow');
    await stage.turnEnd();
    await until('the end', () => ends().length === 1 && !waits());

    stage.script(ASK);
    await until('the second question', () => waits() && pixel.questions.length === 2);
    answer!();
    await stage.turnEnd();
    await until('the second end', () => ends().length === 2 && !waits());

    stage.script(ASK);
    await until('the third question', waits);
    stage.session.cancel();
    await stage.turnEnd();
    await until('the third end', () => ends().length === 3 && !waits());
    assert.deepEqual(ends(), [`withdrawn ACP Host (${path.basename(cwd)})`, 'withdrawn Pixel', 'withdrawn undefined']);
    const call = other.store.state.entries.get(entryIdOf.toolCall('call'));
    assert.ok(call?.kind === 'tool_call' && !isAbsent(call));
    const requests = requestsOf(call, other.store.state.entries);
    assert.deepEqual(
      requests.map((request, index) => [shownOutcome(request), refusalOf({ status: 'pending' }, requests.slice(0, index + 1))]),
      [
        ['elsewhere', undefined],
        ['elsewhere', undefined],
        ['withdrawn', 'cancelled'],
      ],
    );
  });

  it('shows another window the turns that it did not start, with their ends', async () => {
    const { other } = openWindow('answer');
    const { store } = other;
    await until('the session', () => store.state.status === 'ready');
    await stage.turn({ say: 'A short answer.' });
    await until('the end of the short turn', () => lines(other).some((line) => line.startsWith('turn')));
    assert.deepEqual(lines(other).slice(1), ['agent: A short answer.', 'turn end_turn']);
    stage.script({ say: 'Much to do.' }, { waitCancel: true });
    await until('the turn', () => store.state.turn !== undefined && lines(other).includes('agent: Much to do.'));
    assert.equal(other.store.state.work, undefined);
    other.cancel();
    await stage.turnEnd();
    await until('its end', () => store.state.turn === undefined && lines(other).at(-1) === 'turn cancelled');
    assert.equal(other.submit([{ type: 'text', text: `@script ${JSON.stringify([{ say: 'Mine.' }])}` }]), undefined);
    await until('the own turn', () => store.state.turn === undefined && lines(other).includes('agent: Mine.'));
    assert.deepEqual(lines(other).slice(-2), ['agent: Mine.', 'turn end_turn']);

    stage.script({ say: 'Again. ' }, { waitCancel: true });
    await until('the turn', () => stage.session.store.state.turn !== undefined);
    const late = openWindow('read').other;
    await until('the turn in a window that is opened meanwhile', () => late.store.state.turn !== undefined);
    stage.session.cancel();
    await stage.turnEnd();
    await until('its end there', () => late.store.state.turn === undefined);
  });

  it('has the turns of the meantime when another window opens it again', async () => {
    await stage.turn({ say: 'First answer.' });
    const { other } = openWindow('answer');
    await until('the session', () => other.store.state.status === 'ready');
    assert.equal(other.submit([{ type: 'text', text: `@script ${JSON.stringify([{ say: 'Second answer.' }])}` }]), undefined);
    await until('the turn', () => lines(other).some((line) => line.startsWith('turn')));
    await other.end();
    await until('the end', () => other.store.state.status === 'ended');
    await stage.turn({ say: 'Third answer.' });
    other.resume();
    await until('the session again', () => other.store.state.status === 'ready');
    assert.deepEqual(
      lines(other).filter((line) => line.startsWith('agent')),
      ['agent: First answer.', 'agent: Second answer.', 'agent: Third answer.'],
    );
    assert.equal(lines(other).filter((line) => line.startsWith('user')).length, 3);
    assert.deepEqual(
      lines(other).filter((line) => line.startsWith('notice')),
      [],
    );
  });

  it('lets a window with read-only access know', async () => {
    await stage.turn({ say: 'To read.' });
    const { other } = openWindow('read');
    await until('the session', () => other.store.state.status === 'ready');
    assert.equal(other.store.state.capabilities.readOnly, true);
    assert.deepEqual(other.submit([{ type: 'text', text: 'no' }]), { code: 'session.read_only' });
    const { other: writer } = openWindow('answer');
    await until('the other session', () => writer.store.state.status === 'ready');
    assert.equal(writer.store.state.capabilities.readOnly, undefined);
  });

  it('points a window that wants a new session to those that are shared', async () => {
    const { other } = openWindow('answer', null);
    await until('the failure', () => other.store.state.status === 'failed');
    assert.deepEqual(other.store.state.failure, { code: 'session.only_shared' });
    assert.deepEqual(startActions(other.store.state), ['browse_agent_history', 'show_log']);
  });

  it('leaves a window that was disconnected alone until its user reconnects', async () => {
    const { other } = openWindow('answer');
    await until('the session', () => other.store.state.status === 'ready');
    sharing.disconnect(sharing.attached[0]!.clientId);
    await until('the end of the connection', () => other.store.state.status === 'disconnected');
    const { failure, reconnect } = other.store.state;
    assert.deepEqual([failure?.code, isTemporary(failure), reconnect], ['remote.disconnected', false, undefined]);
    assert.equal(sharing.attached.length, 0);
    assert.equal(other.act('reconnect'), true);
    await until('the session again', () => other.store.state.status === 'ready');
    assert.equal(sharing.attached.length, 1);
  });

  it('refuses new sessions and sessions that are not shared', async () => {
    const client = await attach('answer');
    await assert.rejects(client.agent.request('session/new', { cwd, mcpServers: [] }), /Only shared sessions/);
    await assert.rejects(client.load('another'), /not found/i);
  });

  it('removes known secrets from what it sends', async () => {
    secrets.push('plum "tree"');
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
