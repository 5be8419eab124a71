import assert from 'node:assert/strict';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import { START, ours, theirs, told, said, OPENED, PROMPT, replay, events, stateOf, markdown, only } from './logLines';

describe('a replayed log', () => {
  it('has the events that a live session would have had', () => {
    const happened = events([
      ...OPENED,
      PROMPT,
      theirs(said('Hel'), 5),
      theirs(said('lo'), 9),
      theirs({ id: 3, result: { stopReason: 'end_turn' } }, 12),
    ]);
    assert.deepEqual(
      happened.map(({ type, at }) => [type, at - START]),
      [
        ['session_opened', 0],
        ['agent_initialized', 0],
        ['session_ready', 0],
        ['turn_started', 0],
        ['message', 0],
        ['message_chunk', 5],
        ['message_chunk', 9],
        ['turn_ended', 12],
        ['disconnected', 12],
      ],
    );
    const state = stateOf(happened);
    assert.deepEqual([state.agentName, state.cwd, state.sessionId, state.failure], ['Agent A', '/w', 'S', { code: 'session.replayed' }]);
    assert.equal(toMarkdown(state), '## User\n\nDo it\n\n## Agent\n\nHello');
  });

  it('leaves out messages between the programs of a chain, which repeat those of the conversation', () => {
    const [first = {}, ...others] = OPENED;
    const between = [
      { t: 0, dir: 'a2c', hop: 'context', hopFrame: said('twice') },
      {
        t: 0,
        dir: 'c2a',
        hop: 'context',
        hopFrame: { jsonrpc: '2.0', id: 9, method: 'session/new', params: { cwd: '/x', mcpServers: [] } },
      },
      { t: 0, dir: 'a2c', hop: 'context', text: '{"jsonrpc":"2.0","me', length: 70_000 },
      { t: 0, dir: 'stderr', hop: 'context', text: 'ready' },
    ];
    assert.equal(markdown([first, ...between, ...others, theirs(said('once')), ...between]), '## Agent\n\nonce');
  });

  it('reads agent, folder and time from the header of an export', () => {
    const happened = events([
      { acpHostTrace: 1, agent: 'Named', cwd: '/from', startedAt: '2026-01-02T03:04:05.006Z' },
      theirs(said('x'), 4),
    ]);
    assert.equal(stateOf(happened).agentName, 'Named');
    assert.equal(stateOf(happened).cwd, '/from');
    assert.equal(only(happened, 'message_chunk')[0]?.at, Date.UTC(2026, 0, 2, 3, 4, 5, 6) + 4);
  });

  it('shows updates that came before the answer that named their session', () => {
    const [first, second, third, fourth] = OPENED as [object, object, object, object];
    const state = stateOf(events([first, second, third, theirs(said('early')), fourth]));
    assert.deepEqual([state.cwd, toMarkdown(state)], ['/w', '## Agent\n\nearly']);
    assert.equal(markdown([first, second, third, theirs(said('never named'))]), '## Agent\n\nnever named');
  });

  it('shows a permission with its answer, and a tool call that only the request described', () => {
    const ask = (id: number, toolCall: object): object =>
      theirs({
        id,
        method: 'session/request_permission',
        params: { sessionId: 'S', toolCall, options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] },
      });
    const text = markdown([
      ...OPENED,
      PROMPT,
      ask(0, { toolCallId: 't1', title: 'Write it', rawInput: {} }),
      ours({ id: 0, result: { outcome: { outcome: 'selected', optionId: 'y' } } }),
      ask(1, { toolCallId: 't1' }),
      ours({ id: 1, result: { outcome: { outcome: 'cancelled' } } }),
      ask(2, { toolCallId: 't1' }),
      theirs({ method: '$/cancel_request', params: { requestId: 2 } }),
      ours({ id: 2, error: { code: -32800, message: 'Request cancelled' } }),
      ask(3, { toolCallId: 't1' }),
    ]);
    const answers = ['Yes', 'cancelled', 'withdrawn', 'lost'].map((answer) => `; asked: ${answer}`).join('');
    assert.equal(text.split('\n\n')[2], `- Write it (unfinished${answers})`);
  });

  it('shows a permission whose refusal the agent recommends', () => {
    const [asked] = only(
      events([
        ...OPENED,
        PROMPT,
        theirs({
          id: 0,
          method: 'session/request_permission',
          params: {
            sessionId: 'S',
            toolCall: { toolCallId: 't' },
            options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
            _meta: { jetbrains: { air: { version: 1, permission: { defaultToNo: true } } } },
          },
        }),
      ]),
      'permission_requested',
    );
    assert.equal(asked?.defaultToNo, true);
  });

  it('shows forms and web pages with their outcome', () => {
    const elicit = (id: number, params: object): object =>
      theirs({ id, method: 'elicitation/create', params: { sessionId: 'S', message: `Q${id}`, ...params } });
    const form = { mode: 'form', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
    const happened = events([
      ...OPENED,
      elicit(1, form),
      ours({ id: 1, result: { action: 'accept', content: { name: '[redacted]', bad: { deep: 1 } } } }),
      elicit(2, form),
      ours({ id: 2, result: { action: 'decline' } }),
      elicit(3, { mode: 'url', url: 'https://a.test/', elicitationId: 'E' }),
      theirs({ method: 'elicitation/complete', params: { elicitationId: 'E' } }),
      elicit(4, { mode: 'unheard of' }),
      elicit(5, form),
      theirs({ method: '$/cancel_request', params: { requestId: 5 } }),
      ours({ id: 5, result: { action: 'cancel' } }),
    ]);
    const resolved = only(happened, 'elicitation_resolved').map(({ outcome, content }) => [outcome, content]);
    assert.deepEqual(resolved, [
      ['accepted', { name: '[redacted]' }],
      ['declined', undefined],
      ['accepted', undefined],
      ['withdrawn', undefined],
    ]);
    assert.equal(only(happened, 'elicitation_completed').length, 1);
    assert.deepEqual(
      only(happened, 'unknown').map(({ label }) => label),
      ['elicitation/create'],
    );
  });

  it('shows commands as far as they were queried, and writes that were refused', () => {
    const state = stateOf(
      events([
        ...OPENED,
        theirs({ id: 1, method: 'terminal/create', params: { sessionId: 'S', command: 'ls', args: ['-l', 'a b'] } }),
        ours({ id: 1, result: { terminalId: 'T' } }),
        theirs({ id: 2, method: 'terminal/output', params: { sessionId: 'S', terminalId: 'T' } }),
        ours({ id: 2, result: { output: 'total 0', truncated: false } }),
        theirs({ id: 3, method: 'terminal/wait_for_exit', params: { sessionId: 'S', terminalId: 'T' } }),
        ours({ id: 3, result: { exitCode: 2, signal: null } }),
        theirs({ id: 4, method: 'terminal/release', params: { sessionId: 'S', terminalId: 'T' } }),
        ours({ id: 4, result: {} }),
        theirs({ id: 5, method: 'fs/write_text_file', params: { sessionId: 'S', path: '/w/a', content: 'x' } }),
        ours({ id: 5, error: { code: -32603, message: 'Not written' } }),
        theirs(said('.')),
      ]),
    );
    assert.deepEqual(state.terminals['T'], {
      terminalId: 'T',
      ours: false,
      command: "ls -l 'a b'",
      cwd: '/w',
      output: 'total 0',
      dropped: 0,
      exitStatus: { exitCode: 2 },
      released: true,
    });
    const [notice] = [...state.entries];
    assert.ok(notice?.kind === 'notice' && 'title' in notice);
    assert.deepEqual([notice.title, notice.description, notice.failure], ['/w/a', 'Not written', undefined]);
  });

  it('shows errors of prompts, options and sign-ins, and takes a stopped turn’s error as its end', () => {
    const happened = events([
      ...OPENED,
      PROMPT,
      theirs({ id: 3, error: { code: -32603, message: 'overloaded' } }),
      PROMPT,
      ours({ method: 'session/cancel', params: { sessionId: 'S' } }),
      theirs({ id: 3, error: { code: -32603, message: 'aborted' } }),
      ours({ id: 4, method: 'session/set_mode', params: { sessionId: 'S', modeId: 'plan' } }),
      theirs({ id: 4, error: { code: -32602, message: 'no' } }),
    ]);
    assert.deepEqual(
      only(happened, 'turn_ended').map(({ stopReason, failure }) => [stopReason, failure?.detail]),
      [
        ['error', 'overloaded'],
        ['cancelled', undefined],
      ],
    );
    assert.deepEqual(
      only(happened, 'notice').map(({ failure }) => [failure?.code, failure?.params?.['choice'], failure?.params?.['reason']]),
      [['option.refused', 'plan', 'no']],
    );
    const refused = events([OPENED[0]!, OPENED[1]!, OPENED[2]!, theirs({ id: 2, error: { code: -32000, message: 'who are you' } })]);
    assert.deepEqual(
      only(refused, 'notice').map(({ title, failure }) => [title, failure?.code]),
      [['session/new', 'auth.required']],
    );
    assert.equal(
      replay([OPENED[0]!, OPENED[1]!, OPENED[2]!, theirs({ id: 2, error: { code: -32000, message: 'x' } }), ...OPENED.slice(2), PROMPT])
        .sessions.length,
      1,
      'the next try is the same session',
    );
  });

  it('sets options to the answered values', () => {
    const config = (currentValue: string): object => ({
      configOptions: [{ type: 'select', id: 'm', name: 'M', currentValue, options: [{ value: 'a', name: 'A' }] }],
    });
    const set = ours({ id: 5, method: 'session/set_config_option', params: { sessionId: 'S', configId: 'm', value: 'b' } });
    const opened = [...OPENED.slice(0, 3), theirs({ id: 2, result: { sessionId: 'S', ...config('a') } }), theirs(said('.'))];
    const value = (lines: readonly object[]): unknown =>
      stateOf(events(lines)).config.map((option) => option.type === 'select' && option.currentValue);
    assert.deepEqual(value(opened), ['a']);
    assert.deepEqual(value([...opened, set, theirs({ id: 5, result: {} })]), ['b']);
    assert.deepEqual(value([...opened, set, theirs({ id: 5, result: config('c') })]), ['c']);
  });

  it('shows a session that the agent replayed only once, and returns to the earlier state when the replay failed', () => {
    const load = ours({ id: 9, method: 'session/load', params: { sessionId: 'S', cwd: '/w2' } });
    const before = [...OPENED, PROMPT, theirs(said('old')), theirs({ id: 3, result: { stopReason: 'end_turn' } })];
    assert.equal(markdown([...before, load, theirs(said('told again')), theirs({ id: 9, result: null })]), '## Agent\n\ntold again');
    assert.equal(
      markdown([...before, load, theirs({ id: 9, error: { code: -32002, message: 'gone' } })]),
      '## User\n\nDo it\n\n## Agent\n\nold',
    );
    const resume = ours({ id: 9, method: 'session/resume', params: { sessionId: 'S', cwd: '/w' } });
    assert.match(markdown([...before, resume, theirs({ id: 9, result: {} }), theirs(said('more'))]), /old[^]*more/);
  });

  it('has several sessions, each with its own events, and leaves out those without a conversation', () => {
    const { sessions } = replay([
      ...OPENED,
      theirs(said('one')),
      theirs(said('two', 'T')),
      ours({ id: 8, method: 'session/new', params: { cwd: '/x' } }),
      theirs({ id: 8, result: { sessionId: 'U' } }),
    ]);
    assert.deepEqual(
      sessions.map(({ state, firstPrompt, length }) => [state.sessionId, firstPrompt, length]),
      [
        ['S', '', 1],
        ['T', '', 1],
      ],
    );
  });

  it('keeps unknown messages, as a live session does', () => {
    const happened = events([
      ...OPENED,
      theirs({ method: 'odd/news', params: { sessionId: 'S', x: 1 } }),
      theirs(told({ sessionUpdate: 'odd' })),
      theirs({ method: '$/ping', params: { sessionId: 'S' } }),
      theirs({ id: 7, method: 'odd/question', params: { sessionId: 'S' } }),
    ]);
    assert.deepEqual(
      only(happened, 'unknown').map(({ label }) => label),
      ['odd/news', 'odd'],
    );
  });

  it('starts a new message when an option is set, as a live session does', () => {
    const set = ours({ id: 5, method: 'session/set_mode', params: { sessionId: 'S', modeId: 'plan' } });
    const happened = events([...OPENED, theirs(said('one')), set, theirs(said('two')), theirs({ id: 5, result: {} })]);
    const [one, two] = only(happened, 'message_chunk');
    assert.notEqual(one?.messageId, two?.messageId);
  });

  it('shows the failure of an agent that could not be initialized', () => {
    const happened = events([OPENED[0]!, theirs({ id: 1, error: { code: -32603, message: 'no licence' } })]);
    assert.deepEqual(
      only(happened, 'notice').map(({ title, failure }) => [title, failure?.detail]),
      [['initialize', 'no licence']],
    );
  });

  it('shows a refused version only when the client did not propose an older one next', () => {
    const propose = (id: number, protocolVersion: number) => ours({ id, method: 'initialize', params: { protocolVersion } });
    const refuse = (id: number) => theirs({ id, error: { code: -32603, message: `refused ${id}` } });
    const agree = (id: number) => theirs({ id, result: { protocolVersion: 1 } });
    const opened = [
      ours({ id: 9, method: 'session/new', params: { cwd: '/w', mcpServers: [] } }),
      theirs({ id: 9, result: { sessionId: 'S' } }),
      theirs(said('x')),
    ];
    const refused = (...lines: Parameters<typeof events>[0]) => only(events(lines), 'notice').map(({ failure }) => failure?.detail);
    assert.deepEqual(refused(propose(1, 2), refuse(1), propose(2, 1), agree(2), ...opened), []);
    // Version 1 is proposed on the same connection, and then on another one.
    assert.deepEqual(refused(propose(1, 2), agree(1), propose(2, 1), refuse(2), propose(3, 1), agree(3), ...opened), []);
    assert.deepEqual(refused(propose(1, 2), refuse(1), propose(2, 1), refuse(2)), ['refused 2']);
    // The user has started the agent again.
    assert.deepEqual(refused(propose(1, 1), refuse(1), propose(2, 1), agree(2), ...opened), ['refused 1']);
  });

  it('describes an agent whose answer to `initialize` comes after other requests', () => {
    const [initialize, answer, ...rest] = OPENED;
    const sign = ours({ id: 9, method: 'authenticate', params: { methodId: 'm' } });
    const happened = events([initialize!, sign, answer!, ...rest, theirs(said('x'))]);
    assert.equal(only(happened, 'agent_initialized')[0]?.agent?.title, 'Agent A');
  });

  it('ends each of two turns that overlap', () => {
    const prompt = (id: number) =>
      ours({ id, method: 'session/prompt', params: { sessionId: 'S', prompt: [{ type: 'text', text: 'Do it' }] } });
    const answer = (id: number) => theirs({ id, result: { stopReason: `end of ${id}` } });
    const happened = events([...OPENED, prompt(3), prompt(4), answer(4), answer(3)]);
    const [three, four] = only(happened, 'turn_started').map(({ turnId }) => turnId);
    assert.deepEqual(
      only(happened, 'turn_ended').map(({ turnId, stopReason }) => [turnId, stopReason]),
      [
        [four, 'end of 4'],
        [three, 'end of 3'],
      ],
    );
  });

  it('distinguishes two requests whose ids differ beyond 2^53', () => {
    const ask = (id: string): string =>
      `{"dir":"a2c","msg":{"id":${id},"method":"session/request_permission","params":{"sessionId":"S","toolCall":{"toolCallId":"t","title":"T${id.at(-1)}"},"options":[{"optionId":"y","name":"Yes ${id.at(-1)}"}]}}}`;
    const text = markdown([
      ...OPENED,
      ask('9007199254740993'),
      ask('9007199254740992'),
      '{"dir":"c2a","msg":{"id":9007199254740993,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}}',
    ]);
    assert.match(text, /- T3 \(unfinished; asked: Yes 3; asked “T2”: lost\)/);
  });
});
