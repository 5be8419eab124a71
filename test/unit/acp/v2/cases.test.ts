/** The messages of version 2 that an agent may send, and their effect on a session. */
import assert from 'node:assert/strict';
import { needsYou } from '../../../../src/core/model/select';
import { subagentsIn } from '../../../../src/core/subagents/subagentTree';
import { settle } from '../support';
import { INFO, INITIALIZED, Scene, text } from './scene';

const block = (words: string) => ({ type: 'text', text: words });
const userMessage = (messageId: string, words: string) => ({ sessionUpdate: 'user_message', messageId, content: [block(words)] });
const userChunk = (messageId: string, words: string) => ({ sessionUpdate: 'user_message_chunk', messageId, content: block(words) });
const tool = (toolCallId: string, fields: object = {}) => ({ sessionUpdate: 'tool_call_update', toolCallId, ...fields });
const terminal = (terminalId: string, fields: object) => ({ sessionUpdate: 'terminal_update', terminalId, ...fields });
const bytes = (terminalId: string, data: string) => ({ sessionUpdate: 'terminal_output_chunk', terminalId, data });
const plan = (fields: object) => ({ sessionUpdate: 'plan_update', plan: { planId: 'p', ...fields } });
const OPTIONS = [{ optionId: 'o', name: 'Y', kind: 'allow_once' }];

/** A session in which the user has sent a message. */
function asked(): Scene {
  const scene = Scene.ready();
  assert.equal(scene.session.prompt(text('question')), undefined);
  return scene;
}

/** A session in the middle of a turn. */
function running(): Scene {
  const scene = asked();
  scene.reply({ messageId: 'u1' });
  scene.become('running');
  return scene;
}

type Case = readonly [title: string, run: () => void | Promise<void>];

const CASES: readonly Case[] = [
  [
    '1 proposes the fields of both versions, and has the baseline methods alone',
    () => {
      const scene = new Scene();
      const { params } = scene.sentBy('initialize')[0]!;
      assert.deepEqual(Object.keys(params!).sort(), ['capabilities', 'clientCapabilities', 'clientInfo', 'info', 'protocolVersion']);
      assert.equal(params!.protocolVersion, 2);
      scene.reply(INITIALIZED);
      scene.reply({ sessionId: 's' });
      const { protocolVersion, capabilities, promptCapabilities } = scene.state;
      assert.equal(protocolVersion, 2);
      const { load, resume, list, close, delete: deletes, logout, reportsTurns } = capabilities;
      assert.deepEqual([load, resume, list, close, deletes, logout, reportsTurns], [true, true, true, true, false, false, true]);
      assert.equal(promptCapabilities.image, false);
      assert.deepEqual(scene.sentBy('session/new')[0]!.params, { cwd: '/w', mcpServers: [] });
    },
  ],
  [
    '2 initializes again, in the shape of version 1, when the agent answers 1',
    () => {
      const scene = new Scene();
      scene.reply({ protocolVersion: 1, agentCapabilities: {} });
      const [, second] = scene.sentBy('initialize');
      assert.deepEqual(Object.keys(second!.params!).sort(), ['clientCapabilities', 'clientInfo', 'protocolVersion']);
      assert.equal(second!.params!.protocolVersion, 1);
      scene.reply({ protocolVersion: 1, agentCapabilities: {} });
      assert.equal(scene.transports.length, 1);
      scene.reply({ sessionId: 's' });
      assert.equal(scene.state.protocolVersion, 1);
    },
  ],
  [
    '3 tries version 1 on the same connection after invalid params, and then in another process',
    () => {
      const scene = new Scene();
      scene.fail(-32602);
      assert.equal(scene.sentBy('initialize')[1]!.params!.protocolVersion, 1);
      scene.fail(-32602);
      assert.equal(scene.transports.length, 2);
      assert.equal(scene.transports[0]!.disposed, true);
      assert.equal(scene.sentBy('initialize')[2]!.params!.protocolVersion, 1);
      scene.reply({ protocolVersion: 1, agentCapabilities: {} });
      scene.reply({ sessionId: 's' });
      assert.deepEqual([scene.state.status, scene.state.protocolVersion], ['ready', 1]);

      const closing = new Scene();
      closing.fail(-32602);
      closing.transport.finish({ exitCode: 1 });
      assert.equal(closing.transports.length, 2);
      closing.reply({ protocolVersion: 1 });
      closing.reply({ sessionId: 's' });
      assert.equal(closing.state.status, 'ready');
    },
  ],
  [
    '4 uses a common version of the list, or fails with the list',
    () => {
      const scene = new Scene();
      scene.fail(-32022, { requested: 2, supported: [1] });
      assert.equal(scene.sentBy('initialize')[1]!.params!.protocolVersion, 1);
      scene.reply({ protocolVersion: 1 });
      scene.reply({ sessionId: 's' });
      assert.equal(scene.state.status, 'ready');

      const other = new Scene();
      other.fail(-32022, { requested: 2, supported: [3] });
      assert.deepEqual([other.state.failure?.code, other.state.failure?.params?.['actual']], ['protocol.version', '3']);
    },
  ],
  [
    '5 says that an agent has no sessions, and does not request one',
    () => {
      const scene = new Scene();
      scene.reply({ protocolVersion: 2, info: INFO, capabilities: {} });
      assert.equal(scene.state.failure?.code, 'session.not_offered');
      assert.deepEqual(scene.sentBy('session/new'), []);
    },
  ],
  [
    '6 runs a method of type terminal in a terminal, and hides one of an unknown type',
    () => {
      const authMethods = [
        { type: 'terminal', methodId: 't', name: 'T', args: ['login'], env: [{ name: 'A', value: '1' }] },
        { type: '_x', methodId: 'x', name: 'X' },
      ];
      const scene = Scene.ready({ ...INITIALIZED, authMethods });
      assert.deepEqual(scene.state.authMethods, [{ type: 'terminal', methodId: 't', name: 'T', args: ['login'], env: { A: '1' } }]);
      assert.equal(scene.state.capabilities.logout, true);
      scene.session.signIn('t');
      assert.deepEqual(scene.sentBy('auth/login'), []);
    },
  ],
  [
    '7 does not sign in at an agent without methods',
    () => {
      const scene = new Scene();
      scene.reply(INITIALIZED);
      scene.fail(-32000);
      assert.deepEqual([scene.state.status, scene.state.failure?.code], ['failed', 'auth.required']);
      assert.deepEqual(scene.sentBy('auth/login'), []);
    },
  ],
  [
    '8 refuses requests with the id null, and batches',
    () => {
      const scene = Scene.ready();
      const before = scene.sent.length;
      scene.transport.feed({
        jsonrpc: '2.0',
        id: null,
        method: 'session/request_permission',
        params: { sessionId: 's', title: 'x', options: OPTIONS },
      });
      scene.transport.feed('[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}]\n');
      const answers = scene.sent.slice(before);
      assert.deepEqual(
        answers.map(({ id, error }) => [id, error?.code]),
        [
          [null, -32600],
          [null, -32600],
        ],
      );
      assert.deepEqual(scene.state.pendingPermissions, []);
    },
  ],
  [
    '9 reads the options and commands of the setup',
    () => {
      const configOptions = [
        {
          configId: 'm',
          name: 'M',
          type: 'select',
          currentValue: 'a',
          options: [{ groupId: 'g', name: 'G', options: [{ value: 'a', name: 'A' }] }],
        },
      ];
      const availableCommands = [{ type: 'command', name: 'c', description: 'd', input: { type: 'text', hint: 'h' } }];
      const { config, commands } = Scene.ready(INITIALIZED, { configOptions, availableCommands }).state;
      assert.deepEqual(config, [
        {
          type: 'select',
          configId: 'm',
          name: 'M',
          currentValue: 'a',
          groups: [{ group: 'g', name: 'G', choices: [{ value: 'a', name: 'A' }] }],
        },
      ]);
      assert.deepEqual(
        commands,
        [{ name: 'c', description: 'd', inputHint: 'h', input: {} }].map(({ input: _, ...each }) => each),
      );
    },
  ],
  [
    '10 keeps a state that precedes the answer to the setup',
    () => {
      const scene = new Scene();
      scene.reply(INITIALIZED);
      scene.become('running');
      assert.equal(scene.state.turn, undefined);
      scene.reply({ sessionId: 's' });
      assert.notEqual(scene.state.turn, undefined);
    },
  ],
  [
    '11 shows one message and one turn: the message, the answer, then the state',
    () => {
      const scene = asked();
      scene.update(userMessage('u1', 'question'));
      scene.reply({ messageId: 'u1' });
      assert.notEqual(scene.state.turn, undefined);
      scene.become('running');
      scene.become('idle', { stopReason: 'end_turn' });
      assert.deepEqual(scene.lines, ['user: question', 'turn end_turn']);
    },
  ],
  [
    '12 shows one message and one turn: the state, the message in chunks, then the answer',
    () => {
      const scene = asked();
      scene.become('running');
      scene.update(userChunk('u1', 'ques'));
      scene.update(userChunk('u1', 'tion'));
      scene.reply({ messageId: 'u1' });
      scene.says('answer');
      scene.become('idle', { stopReason: 'end_turn' });
      assert.deepEqual(scene.lines, ['user: question', 'agent: answer', 'turn end_turn']);
    },
  ],
  [
    '13 accepts an answer without an id',
    () => {
      const scene = asked();
      scene.reply({});
      scene.update(userMessage('u9', 'question'));
      assert.deepEqual(scene.lines, ['user: question']);
    },
  ],
  [
    '14 goes on after the message was inserted',
    () => {
      const scene = asked();
      scene.reply({ messageId: 'u1' });
      scene.fakes.clock.pass(3_600_000);
      assert.notEqual(scene.state.turn, undefined);
      scene.session.cancel();
      assert.deepEqual(scene.sentBy('session/cancel')[0]!.params, { sessionId: 's' });
    },
  ],
  [
    '15 gives the text back when the agent refuses a prompt',
    () => {
      const scene = asked();
      scene.fail(-32603);
      assert.equal(scene.state.turn, undefined);
      assert.deepEqual(scene.lines, ['user: question', 'turn error'], 'with Retry in the conversation');
    },
  ],
  [
    '16 ends no turn of the agent by the refusal of a message',
    () => {
      const scene = Scene.ready();
      scene.become('running');
      scene.says('working');
      assert.equal(scene.session.prompt(text('second'))?.code, 'turn.busy', 'the client queues messages meanwhile');
      scene.become('idle', { stopReason: 'end_turn' });
      assert.deepEqual(scene.lines, ['agent: working', 'turn end_turn']);
    },
  ],
  [
    '17 shows a turn that the agent begins',
    () => {
      const scene = running();
      scene.says('first');
      scene.become('idle', { stopReason: 'end_turn' });
      scene.become('running');
      scene.says('on my own', 'm2');
      assert.notEqual(scene.state.turn, undefined);
      scene.become('idle', { stopReason: 'end_turn' });
      assert.deepEqual(scene.lines, ['user: question', 'agent: first', 'turn end_turn', 'agent: on my own', 'turn end_turn']);
    },
  ],
  [
    '18 is one turn while the agent waits for an answer',
    async () => {
      const scene = running();
      scene.become('requires_action');
      assert.equal(scene.state.turn?.activity, 'requires_action');
      const id = scene.request('session/request_permission', { sessionId: 's', title: 'Write?', options: OPTIONS });
      assert.ok(needsYou(scene.state));
      scene.fakes.answer(0, 'o');
      await settle();
      assert.deepEqual(scene.answerTo(id)?.result, { outcome: { outcome: 'selected', optionId: 'o' } });
      scene.become('running');
      assert.equal(scene.state.turn?.activity, undefined);
      scene.become('idle', { stopReason: 'end_turn' });
      assert.deepEqual(
        scene.lines.filter((line) => line.startsWith('turn')),
        ['turn end_turn'],
      );
    },
  ],
  [
    '19 counts the usage of a turn once',
    () => {
      const scene = running();
      const idle = { stopReason: 'end_turn', usage: { totalTokens: 5, inputTokens: 3, outputTokens: 2 } };
      const counted: unknown[] = [];
      scene.session.store.onEvents((_, events) =>
        counted.push(...events.filter(({ type }) => type === 'turn_usage' || type === 'turn_ended')),
      );
      scene.become('idle', idle);
      scene.become('idle', idle);
      assert.equal(counted.length, 2);
      assert.deepEqual(scene.state.turnUsage, { total: 5, input: 3, output: 2 });
    },
  ],
  [
    '20 fails a turn that needs a sign-in',
    () => {
      const scene = running();
      scene.become('idle', { stopReason: 'error', error: { code: -32000, message: 'sign in' } });
      const end = [...scene.state.entries].at(-1)!;
      assert.equal(end.kind === 'turn' && 'failure' in end && end.failure?.code, 'auth.required');
    },
  ],
  [
    '21 goes on in a state that is not known',
    () => {
      const scene = running();
      scene.become('_paused');
      assert.equal(scene.state.turn?.activity, '_paused');
      scene.become('unknown');
      assert.equal(scene.state.turn?.activity, 'unknown');
      scene.become('idle', { stopReason: 'end_turn' });
      assert.equal(scene.state.turn, undefined);
    },
  ],
  [
    '22 takes the final status of a call after Stop, and the end of the turn as its confirmation',
    () => {
      const scene = running();
      scene.update(tool('t', { title: 'T', status: 'in_progress' }));
      scene.session.cancel();
      assert.equal(scene.call('t')?.status, 'cancelled');
      scene.update(tool('t', { status: 'completed' }));
      scene.become('idle', { stopReason: 'cancelled' });
      assert.equal(scene.call('t')?.status, 'completed');
      assert.equal(scene.lines.at(-1), 'turn cancelled');
    },
  ],
  [
    '23 leaves work in the background running on Stop',
    async () => {
      const scene = running();
      scene.update(terminal('b', { command: 'watch', capabilities: { cancel: {} } }));
      scene.update(tool('t', { title: 'T', status: 'in_progress' }));
      const both = [
        { type: 'terminal', terminalId: 'b' },
        { type: 'tool_call', toolCallId: 't' },
      ];
      scene.become('running', { background: [...both, { type: '_x' }] });
      scene.session.cancel();
      assert.deepEqual([scene.call('t')?.status, scene.state.terminals['b']?.exitStatus], ['in_progress', undefined]);
      scene.become('idle', { stopReason: 'cancelled', background: both });
      assert.equal(scene.call('t')?.status, 'background');
      assert.deepEqual(scene.state.background, both);
      scene.session.stopTerminal('b');
      // The code of Stop is loaded now.
      while (scene.sentBy('terminal/cancel').length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      assert.deepEqual(scene.sentBy('terminal/cancel')[0]!.params, { sessionId: 's', terminalId: 'b' });
      scene.reply({});
      scene.update(terminal('b', { exitStatus: { signal: 'SIGTERM' }, capabilities: null }));
      scene.become('idle', { background: [] });
      await settle();
      assert.deepEqual([scene.state.terminals['b']?.canCancel, scene.state.background], [undefined, []]);
    },
  ],
  [
    '24 closes a question that the agent withdraws, and ignores a later click',
    async () => {
      const scene = running();
      const id = scene.request('session/request_permission', { sessionId: 's', title: 'Write?', options: OPTIONS });
      scene.transport.feed({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: id } });
      await settle();
      assert.deepEqual(scene.answerTo(id)?.result, { outcome: { outcome: 'cancelled' } });
      const count = scene.sent.length;
      scene.fakes.answer(0, 'o');
      await settle();
      assert.equal(scene.sent.length, count);
      assert.deepEqual(scene.state.pendingPermissions, []);
    },
  ],
  [
    '25 applies the tool call of a question before it asks',
    () => {
      const scene = running();
      const content = [{ type: 'diff', changes: [{ operation: 'add', path: '/w/a' }] }];
      const subject = { type: 'tool_call', toolCall: { toolCallId: 't', title: 'W', content } };
      scene.request('session/request_permission', { sessionId: 's', title: 'Write?', subject, options: OPTIONS });
      assert.deepEqual(scene.lines.slice(1), ['tool W pending', 'permission Write? waits']);
      assert.deepEqual(scene.call('t')?.content, content);
    },
  ],
  [
    '26 shows a command with its folder, and asks about unknown subjects without any',
    async () => {
      const scene = running();
      const ask = (subject: object, options: object[] = OPTIONS) =>
        scene.request('session/request_permission', { sessionId: 's', title: 'Run?', subject, options });
      ask({ type: 'command', command: 'ls', cwd: '/w' });
      ask({ type: '_x' }, [{ optionId: 'm', name: 'Maybe', kind: '_maybe' }]);
      await settle();
      const [command, other] = [...scene.state.entries].flatMap((entry) =>
        entry.kind === 'permission' && 'subject' in entry ? [entry] : [],
      );
      assert.deepEqual(command?.subject, { command: 'ls', cwd: '/w' });
      assert.deepEqual([other?.subject, other?.options], [{}, [{ optionId: 'm', name: 'Maybe', kind: '_maybe' }]]);
      assert.deepEqual(scene.fakes.roomLog, [], 'nothing is run');
    },
  ],
  [
    '27 replaces, appends, keeps and clears the content of a message',
    () => {
      const scene = running();
      const contents: string[] = [];
      const note = () => contents.push(scene.lines.find((line) => line.startsWith('agent: '))!.slice(7));
      const set = (more: object) => scene.update({ sessionUpdate: 'agent_message', messageId: 'm', ...more });
      for (const step of [
        () => set({ content: [block('A')] }),
        () => scene.says('B', 'm'),
        () => set({}),
        () => set({ content: [block('C')] }),
        () => scene.says('D', 'm'),
        () => set({ content: null }),
      ]) {
        step();
        note();
      }
      assert.deepEqual(contents, ['A', 'AB', 'AB', 'C', 'CD', '']);
    },
  ],
  [
    '28 keeps a thought and a message with one id apart',
    () => {
      const scene = running();
      scene.update({ sessionUpdate: 'agent_thought_chunk', messageId: 'm', content: block('hm') });
      scene.says('so', 'm');
      assert.deepEqual(scene.lines.slice(1), ['thought: hm', 'agent: so']);
    },
  ],
  [
    '29 creates a call by its id, and resets fields by null',
    () => {
      const scene = running();
      const seen: unknown[] = [];
      for (const fields of [{}, { status: 'paused' }, { status: null }, { kind: 'edit', title: 'x' }, { kind: null, title: null }]) {
        scene.update(tool('t', fields));
        seen.push([scene.call('t')?.status, scene.call('t')?.toolKind, scene.call('t')?.title]);
      }
      assert.deepEqual(seen, [
        ['pending', 'other', undefined],
        ['paused', 'other', undefined],
        ['pending', 'other', undefined],
        ['pending', 'edit', 'x'],
        ['pending', 'other', undefined],
      ]);
      assert.deepEqual(scene.state.openToolCalls, ['t']);
    },
  ],
  [
    '30 keeps each `_meta` of a call, also null, in the journal',
    () => {
      const scene = running();
      const metas: unknown[] = [];
      scene.session.store.onEvents((_, events) => metas.push(...events.map(({ meta }) => meta)));
      for (const meta of [{ a: 1, b: 2 }, { a: null, c: 3 }, null]) {
        scene.update(tool('t', { _meta: meta }));
      }
      assert.deepEqual(metas, [{ a: 1, b: 2 }, { a: null, c: 3 }, null]);
    },
  ],
  [
    '31 appends and replaces the content of a call',
    () => {
      const scene = running();
      const item = (words: string) => ({ type: 'content', content: block(words) });
      const add = (words: string) => scene.update({ sessionUpdate: 'tool_call_content_chunk', toolCallId: 't', content: item(words) });
      add('X');
      assert.deepEqual(scene.call('t')?.content, [item('X')]);
      scene.update(tool('t', { content: [item('Y')] }));
      add('Z');
      assert.deepEqual(scene.call('t')?.content, [item('Y'), item('Z')]);
    },
  ],
  [
    '32 decodes the bytes of a terminal over all chunks',
    () => {
      const scene = running();
      scene.update(bytes('b', '4oI='));
      scene.update(bytes('b', 'rAo='));
      assert.equal(scene.state.terminals['b']?.output, '€\n');
      scene.update(terminal('b', { output: { data: 'aGk=' } }));
      assert.equal(scene.state.terminals['b']?.output, 'hi');
      scene.update(terminal('b', { output: null, command: 'x' }));
      scene.update(terminal('b', { command: null }));
      assert.deepEqual([scene.state.terminals['b']?.output, scene.state.terminals['b']?.command], ['', undefined]);
    },
  ],
  [
    '33 shows a terminal that is known later, and its end without a code',
    () => {
      const scene = running();
      scene.update(tool('t', { content: [{ type: 'terminal', terminalId: 'q' }] }));
      scene.update(terminal('q', { command: 'x', exitStatus: {} }));
      assert.deepEqual([scene.state.terminals['q']?.command, scene.state.terminals['q']?.exitStatus], ['x', {}]);
    },
  ],
  [
    '34 shows a move without lines, and operations that are not known',
    () => {
      const scene = running();
      const changes = [{ operation: 'move', oldPath: '/w/a', path: '/w/b' }];
      const patch = 'diff --git /w/a /w/b\nsimilarity index 100%\nrename from /w/a\nrename to /w/b\n';
      scene.update(
        tool('t', {
          content: [
            { type: 'diff', changes, patch: { format: 'git_patch', text: patch } },
            { type: 'diff', changes: [{ operation: '_x', path: '/w/c' }] },
          ],
        }),
      );
      assert.deepEqual(scene.call('t')?.content, [
        { type: 'diff', changes: [{ operation: 'move', oldPath: '/w/a', path: '/w/b', sameText: true }] },
        { type: 'diff', changes: [{ operation: '_x', path: '/w/c' }] },
      ]);
    },
  ],
  [
    '35 reads a patch with quoted paths and without a newline at the end',
    () => {
      const scene = running();
      const patch = 'diff --git "/w/\\303\\244 b.txt" "/w/\\303\\244 b.txt"\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n';
      const content = [
        { type: 'diff', changes: [{ operation: 'modify', path: '/w/ä b.txt' }], patch: { format: 'git_patch', text: patch } },
      ];
      scene.update(tool('t', { content }));
      const change = { operation: 'modify', path: '/w/ä b.txt', oldText: 'a', newText: 'b\n', line: 1 };
      assert.deepEqual(scene.call('t')?.content, [{ type: 'diff', changes: [change] }]);
    },
  ],
  [
    '36 replaces a plan whatever its type, and removes it',
    () => {
      const scene = running();
      scene.update(plan({ type: 'markdown', content: '# A' }));
      assert.deepEqual(scene.state.plans['p'], { type: 'markdown', content: '# A' });
      scene.update(plan({ type: 'items', entries: [] }));
      assert.deepEqual(scene.state.plans['p'], { type: 'items', entries: [] });
      scene.update(plan({ type: '_t' }));
      assert.equal(scene.state.plans['p']?.type, 'unknown');
      scene.update({ sessionUpdate: 'plan_removed', planId: 'p' });
      assert.deepEqual(scene.state.plans, {});
    },
  ],
  [
    '37 shows the history, and then a turn that runs',
    () => {
      const scene = new Scene('s');
      scene.reply(INITIALIZED);
      assert.deepEqual(scene.sentBy('session/resume')[0]!.params, {
        sessionId: 's',
        cwd: '/w',
        mcpServers: [],
        replayFrom: { type: 'start' },
      });
      scene.update({ sessionUpdate: 'user_message', messageId: 'u1', content: [] });
      scene.update(userChunk('u1', 'question'));
      scene.update({ sessionUpdate: 'agent_message', messageId: 'm', content: [block('answer')] });
      scene.update({ sessionUpdate: 'replay_complete' });
      scene.become('running');
      scene.reply({});
      assert.deepEqual(scene.lines, ['user: question', 'agent: answer']);
      assert.notEqual(scene.state.turn, undefined);
    },
  ],
  [
    '38 takes a successful answer without a marker for a whole history, and marks one that broke off',
    () => {
      const load = (): Scene => {
        const scene = new Scene('s');
        scene.reply(INITIALIZED);
        scene.update(userMessage('u1', 'question'));
        return scene;
      };
      const whole = load();
      whole.become('idle');
      whole.reply({});
      assert.deepEqual([whole.lines, whole.state.status], [['user: question'], 'ready']);

      const cut = load();
      cut.fail(-32603);
      cut.fail(-32603); // The session without its history.
      assert.deepEqual([cut.lines, cut.state.status], [['user: question', 'notice session.replay_cut'], 'failed']);

      const marked = load();
      marked.update({ sessionUpdate: 'replay_complete' });
      marked.fail(-32603);
      marked.fail(-32603);
      assert.deepEqual([marked.lines, marked.state.status], [['user: question'], 'failed']);
    },
  ],
  [
    '39 shows a subagent, asks in its name, and offers no prompt to it',
    async () => {
      const scene = running();
      const child = (more: object) => scene.update({ sessionUpdate: 'subagent_update', sessionId: 'c', ...more });
      child({ title: 'T', capabilities: { cancel: {} }, state: { state: 'running' } });
      scene.update({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: block('hello') }, 'c');
      const subject = { type: 'tool_call', toolCall: { toolCallId: 't', title: 'W' } };
      scene.request('session/request_permission', { sessionId: 'c', title: 'Write?', subject, options: OPTIONS });
      await settle();
      const [subagent] = subagentsIn(scene.state);
      assert.deepEqual([subagent?.title, subagent?.canCancel, subagent?.conversation.entries.length], ['T', true, 2]);
      const question = [...scene.state.entries].find(({ kind }) => kind === 'permission');
      assert.ok(question && 'askedBy' in question);
      assert.deepEqual([question.askedBy, question.subagentId], ['T', 'c']);
      scene.become('idle', { stopReason: 'end_turn' }, 'c');
      assert.deepEqual(subagentsIn(scene.state)[0]?.work, { state: 'idle', stopReason: 'end_turn' });
      assert.notEqual(scene.state.turn, undefined, 'the parent works on');
      child({ capabilities: null });
      assert.equal(subagentsIn(scene.state)[0]?.canCancel, undefined);
    },
  ],
  [
    '40 refuses files and terminals, keeps unknown updates, and buffers those of unknown sessions',
    () => {
      const scene = running();
      const id = scene.request('fs/read_text_file', { sessionId: 's', path: '/w/a' });
      assert.equal(scene.answerTo(id)?.error?.code, -32601);
      scene.update({ sessionUpdate: '_vendor', x: 1 });
      const unknown = [...scene.state.entries].find(({ kind }) => kind === 'unknown');
      assert.deepEqual(unknown && 'raw' in unknown && unknown.raw, { sessionUpdate: '_vendor', x: 1 });
      scene.update({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: block('early') }, 'zz');
      scene.update({ sessionUpdate: 'subagent_update', sessionId: 'zz', title: 'Late' });
      assert.equal(subagentsIn(scene.state)[0]?.conversation.entries.length, 1);
    },
  ],
];

describe('a session of version 2', () => {
  for (const [title, run] of CASES) {
    it(title, run);
  }
});
