/**
 * Agents that act in an unusual order, answer unusually, or exit unusually. The events of each scenario are in test/golden/scenarios/odd/.
 */
import assert from 'node:assert/strict';
import { bareAgent } from '../../support/scenario/agents';
import type { Stage } from '../../support/scenario/stage';
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const TEXT = (said: string): object => ({ type: 'text', text: said });
const update = (sessionId: string, fields: object): object => ({ method: 'session/update', params: { sessionId, update: fields } });
const says = (said: string, sessionId = 'session-1'): object =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: TEXT(said) });
const answers = (result: unknown): object => ({ id: '$id', result });
const raw = (message: object): Step => ({ raw: { jsonrpc: '2.0', ...message } });

/** Sends this many prompts, each after the answer to the one before. */
async function prompts(stage: Stage, times: number): Promise<void> {
  await stage.ready();
  for (let time = 1; time <= times; time++) {
    stage.prompt(`prompt ${time}`);
    await stage.turnEnd();
  }
}

scenarios('odd', (scenario) => {
  scenario('stop-reasons', {}, async (stage) => {
    for (const stopReason of [
      'end_turn',
      'max_tokens',
      'max_turn_requests',
      'refusal',
      'cancelled',
      'tired',
      '_vendor/paused',
      '',
    ] as const) {
      await stage.turn(
        { say: `before ${stopReason}` },
        { tool: { toolCallId: stopReason, title: stopReason } },
        { stopReason: stopReason as 'end_turn' },
      );
    }
  });

  const oddAnswers = [
    { stopReason: null },
    { stopReason: 7 },
    {},
    null,
    'done',
    5,
    [],
    { stopReason: 'end_turn', usage: { inputTokens: 5 }, _meta: { cost: 1 } },
  ];

  scenario(
    'prompt-answers',
    { launch: bareAgent({ 'session/prompt': oddAnswers.map((result) => [says('said '), answers(result)]) }) },
    async (stage) => {
      await prompts(stage, oddAnswers.length);
    },
  );

  scenario('prompt-answered-twice', {}, async (stage) => {
    await stage.turn(
      { say: 'one' },
      raw({ id: 3, result: { stopReason: 'max_tokens' } }),
      { say: 'after the first answer' },
      { afterResponse: [{ info: { title: 'answered' } }] },
    );
    await stage.seen('session_info');
    await stage.turn({ say: 'two' });
  });

  scenario('prompt-fails-and-goes-on', {}, async (stage) => {
    await stage.turn(
      { tool: { toolCallId: 't', title: 'T', status: 'in_progress' } },
      {
        afterResponse: [
          { say: 'still here' },
          { toolUpdate: { toolCallId: 't', status: 'completed' } },
          { permission: { toolCall: { toolCallId: 't' } } },
          { info: { title: 'done' } },
        ],
      },
      { error: { code: -32603, message: '{"error":{"code":429}}', data: [1] } },
    );
    await stage.seen('session_info');
    await stage.turn({ say: 'next' });
  });

  const initialize = { protocolVersion: 1, agentCapabilities: {} };

  scenario(
    'initialize-answered-twice',
    {
      launch: bareAgent({
        initialize: [answers(initialize), answers({ protocolVersion: 9 }), { id: '$id', error: { code: -32603, message: 'no' } }],
      }),
    },
    async (stage) => {
      await prompts(stage, 1);
    },
  );

  for (const [name, answer] of [
    ['initialize-answered-with-null', null],
    ['initialize-answered-with-text', 'hello'],
    ['initialize-of-another-version', { protocolVersion: { major: 2 } }],
  ] as const) {
    scenario(name, { launch: bareAgent({ initialize: [answers(answer)] }) }, (stage) => stage.seen('session_failed'));
  }

  scenario('initialize-with-no-version', { launch: bareAgent({ initialize: [answers({})] }) }, (stage) => prompts(stage, 1));

  for (const [name, lines] of [
    ['session-without-an-id', [answers({ modes: null })]],
    ['session-with-a-number-for-an-id', [answers({ sessionId: 7 })]],
    ['session-refused', [{ id: '$id', error: { code: -32602, message: 'cwd must be a git repository', data: { cwd: '$cwd' } } }]],
    ['agent-exits-when-asked-for-a-session', [{ exit: 7 }]],
  ] as const) {
    scenario(name, { launch: bareAgent({ 'session/new': lines }) }, (stage) => stage.seen('session_failed'));
  }

  const setup = {
    sessionId: 'session-1',
    modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] },
    configOptions: [
      {
        type: 'select',
        id: 'model',
        name: 'Model',
        currentValue: 'small',
        options: [
          { value: 'small', name: 'Small' },
          { value: 'large', name: 'Large' },
        ],
      },
      { type: 'boolean', id: 'fast', name: 'Fast', currentValue: false },
    ],
    models: { currentModelId: 'small' },
    _meta: { s: 1 },
  };
  const setAnswers = [
    answers({}),
    answers(null),
    answers({ configOptions: [] }),
    { id: '$id', error: { code: -32602, message: 'no such model' } },
    answers('done'),
  ];

  scenario(
    'config-answers',
    { launch: bareAgent({ 'session/new': [answers(setup)], 'session/set_config_option': setAnswers.map((answer) => [answer]) }) },
    async (stage) => {
      await stage.ready();
      const settled = (): number => stage.frames.filter(({ kind, text }) => kind === 'a2c' && !text.includes('"method"')).length;
      for (const [configId, value] of [
        ['model', 'large'],
        ['fast', true],
        ['model', 'small'],
        ['model', 'huge'],
        ['fast', false],
      ] as const) {
        const before = settled();
        stage.setConfig(configId, value);
        while (settled() === before) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    },
  );

  scenario(
    'asked-before-there-is-a-session',
    {
      setup: {
        beforeNew: [
          { read: '${cwd}/a.txt' },
          { permission: { toolCall: { toolCallId: 't' } } },
          { terminal: { command: 'true' } },
          { info: { title: 'Early' } },
        ],
      },
    },
    async (stage) => {
      await stage.file('a.txt', 'a');
      await stage.turn({ say: 'late' });
    },
  );

  scenario(
    'goes-on-after-the-end',
    {
      launch: bareAgent({
        'session/close': [
          says('after close'),
          { id: 'late', method: 'fs/read_text_file', params: { sessionId: 'session-1', path: '$cwd/a.txt' } },
          says(', and after'),
          {
            id: 'later',
            method: 'session/request_permission',
            params: { sessionId: 'session-1', toolCall: {}, options: [{ optionId: 'a', name: 'A', kind: 'allow_once' }] },
          },
          { awaits: 'later' },
          { awaits: 'late' },
          answers({}),
        ],
      }),
    },
    async (stage) => {
      await prompts(stage, 1);
    },
  );

  scenario('two-sessions', {}, async (stage) => {
    await stage.ready();
    const other = await stage.another();
    stage.script(
      { say: 'first ' },
      raw(says('from the first turn, for the second session', 'session-2')),
      { tool: { toolCallId: 'same', title: 'Of the first' } },
      { terminal: { command: 'printf', args: ['first'], keep: true } },
      { say: 'on' },
    );
    await stage.turnEnd();
    const steps: Step[] = [
      { tool: { toolCallId: 'same', title: 'Of the second', status: 'completed' } },
      ...['output', 'kill', 'release'].map(
        (method): Step => ({ request: { method: `terminal/${method}`, params: { sessionId: 'session-2', terminalId: 'terminal-1' } } }),
      ),
      { permission: { toolCall: { toolCallId: 'same' } } },
      { config: [{ type: 'boolean', id: 'b', name: 'B', currentValue: true }] },
    ];
    assert.equal(other.prompt([{ type: 'text', text: `@script ${JSON.stringify(steps)}` }]), undefined);
    await stage.when('the other turn', () => other.store.state.turn === undefined);
  });

  scenario('two-turns-at-once', {}, async (stage) => {
    await stage.ready();
    const other = await stage.another();
    const talk: Step[] = [{ repeat: { times: 5, steps: [{ say: '${n} ' }, { pause: 10 }] } }, { waitCancel: true }];
    stage.script(...talk);
    other.prompt([{ type: 'text', text: `@script ${JSON.stringify(talk)}` }]);
    await stage.when('both to have spoken', () =>
      [stage.session, other].every(({ store }) => JSON.stringify([...store.state.entries]).includes('5 ')),
    );
    stage.cancel();
    await stage.turnEnd();
    assert.ok(other.store.state.turn && !other.store.state.turn.cancelling);
    other.cancel();
    await stage.when('the other to stop', () => other.store.state.turn === undefined);
  });

  scenario(
    'one-id-for-two-sessions',
    { launch: bareAgent({ 'session/prompt': [says('hello'), answers({ stopReason: 'end_turn' })] }) },
    async (stage) => {
      await stage.ready();
      await stage.another();
      stage.prompt('who is there?');
      await stage.turnEnd();
    },
  );

  scenario('half-a-line-and-gone', {}, async (stage) => {
    await stage.turn(
      { say: 'whole' },
      { noise: '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"session-1","upd' },
      { exit: 1 },
    );
  });

  scenario('last-line-without-an-end', {}, async (stage) => {
    await stage.turn({ noise: JSON.stringify({ jsonrpc: '2.0', ...says('whole, but for its end') }) }, { exit: 0 });
  });

  scenario('exits-as-if-all-were-well', { answer: () => undefined }, async (stage) => {
    await stage.turn(
      { tool: { toolCallId: 't', title: 'T' } },
      { together: [{ permission: { toolCall: { toolCallId: 't' } } }, { repeat: { times: 1, steps: [{ pause: 100 }, { exit: 0 }] } }] },
    );
  });

  scenario('child-keeps-stdout-open', {}, async (stage) => {
    await stage.turn({ say: 'leaving a child' }, { child: 60_000 }, { exit: 0 });
  });

  scenario('does-not-read-for-a-while', {}, async (stage) => {
    await stage.turn({ afterResponse: [{ block: 1500 }] });
    const before = performance.now();
    stage.prompt(`@script [{"say":"read it all"}] ${'x'.repeat(5 * 2 ** 20)}`);
    assert.ok(performance.now() - before < 1000, 'a prompt that is not read must not hold up the window');
    await stage.turnEnd();
  });

  scenario('five-hundred-questions-at-once', {}, async (stage) => {
    await stage.file('a.txt', 'a\n');
    await stage.turn({ together: Array.from({ length: 500 }, (): Step => ({ read: '${cwd}/a.txt' })) });
  });

  scenario('messages-of-nobody', {}, async (stage) => {
    await stage.turn(
      raw({ method: '_vendor/for-the-session', params: { sessionId: 'session-1', n: 1 } }),
      raw({ method: 'without/underscore', params: { sessionId: 'session-1' } }),
      raw({ method: '_vendor/for-nobody', params: { n: 2 } }),
      raw({ method: '_vendor/for-another', params: { sessionId: 'other' } }),
      raw({ method: '_vendor/without-params' }),
      raw({ method: 'session/update', params: { sessionId: 8, update: { sessionUpdate: 'agent_message_chunk', content: TEXT('lost') } } }),
      raw({ method: '$/progress', params: { sessionId: 'session-1' } }),
      { request: { method: 'session/prompt', params: { sessionId: 'session-1', prompt: [] } } },
      { request: { method: '_vendor/ask', params: { sessionId: 'session-1' } } },
      { request: { method: '$/ask', params: {} } },
      { say: 'and on' },
    );
  });

  scenario('session-nobody-asked-for', {}, async (stage) => {
    await stage.turn(
      { repeat: { times: 4100, steps: [raw(says('${n}', 'stranger'))] } },
      { repeat: { times: 101, steps: [raw(says('once', 'stranger ${n}'))] } },
      { say: 'and on' },
    );
  });
});
