/** Messages of version 2 with wrong, missing, unknown and huge values: each costs itself at most, and none of its values is lost. */
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { isSessionEvent, type SessionEvent } from '../../../../src/core/model/event';
import { Scene, text } from './scene';

type Fields = Readonly<Record<string, unknown>>;

const block = { type: 'text', text: 'words' };
const diff = {
  type: 'diff',
  changes: [{ operation: 'move', path: '/w/b', oldPath: '/w/a', fileType: 'text', mimeType: 'text/plain' }],
  patch: { format: 'other', text: 'patch' },
};
const data = Buffer.from('out').toString('base64');

/** An update of each kind, with all its fields. */
const UPDATES: readonly Fields[] = [
  { sessionUpdate: 'agent_message', messageId: 'm', content: [block] },
  { sessionUpdate: 'agent_message_chunk', messageId: 'm', content: block },
  { sessionUpdate: 'agent_thought_chunk', messageId: 'm', content: { type: 'image', data, mimeType: 'image/png', uri: 'file:///a' } },
  { sessionUpdate: 'user_message', messageId: 'another', content: [block] },
  {
    ...{ sessionUpdate: 'tool_call_update', toolCallId: 't', name: 'n', title: 'T', kind: 'edit', status: 'in_progress', content: [diff] },
    ...{ locations: [{ path: '/w/a', line: 2 }], rawInput: { q: 1 }, rawOutput: 'r', capabilities: { cancel: {} } },
  },
  { sessionUpdate: 'tool_call_content_chunk', toolCallId: 't', content: { type: 'content', content: block } },
  {
    ...{
      sessionUpdate: 'terminal_update',
      terminalId: 'b',
      command: 'ls',
      cwd: '/w',
      output: { data },
      exitStatus: { exitCode: 1, signal: 'x' },
    },
    ...{ size: { cols: 80, rows: 24 }, capabilities: { cancel: {} } },
  },
  { sessionUpdate: 'terminal_output_chunk', terminalId: 'b', data },
  { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [{ content: 'c', priority: 'high', status: 'pending' }] } },
  { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# A', path: '/w/p.md' } },
  { sessionUpdate: 'plan_removed', planId: 'p' },
  {
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ type: 'command', name: 'c', description: 'd', input: { type: 'text', hint: 'h' } }],
  },
  {
    sessionUpdate: 'config_option_update',
    configOptions: [
      {
        ...{ configId: 'm', name: 'M', type: 'select', category: 'model', currentValue: 'a' },
        options: [{ groupId: 'g', name: 'G', options: [{ value: 'a', name: 'A', description: 'D' }] }],
      },
      { configId: 'f', name: 'F', type: 'boolean', currentValue: true },
    ],
  },
  { sessionUpdate: 'session_info_update', title: 'T', updatedAt: '2026-11-26T00:00:00Z' },
  { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 1, currency: 'USD' } },
  { sessionUpdate: 'notice', severity: 'info', title: 'N', description: 'D' },
  { sessionUpdate: 'compaction_update', compactionId: 'k', status: 'completed', summary: [block], error: 'e' },
  { sessionUpdate: 'compaction_summary_chunk', compactionId: 'k', content: block },
  { sessionUpdate: 'session_message', messageId: 'm', senderSessionId: 's', recipientSessionId: 'c', content: [block] },
  { sessionUpdate: 'subagent_update', sessionId: 'c', title: 'C', cwd: '/w', capabilities: { cancel: {} }, additionalDirectories: ['/v'] },
  { sessionUpdate: 'state_update', state: 'running', background: [{ type: 'terminal', terminalId: 'b' }] },
  { sessionUpdate: 'state_update', state: '_dreaming', background: [{ type: '_x', title: 'X' }] },
  {
    sessionUpdate: 'state_update',
    state: 'idle',
    stopReason: 'error',
    error: { code: -32603, message: 'gone' },
    usage: { totalTokens: 5 },
  },
  { sessionUpdate: 'replay_complete' },
  { sessionUpdate: 'prompt_suggestions_update', suggestions: [{ text: 'a' }] },
];

const MARK = 'MARK-7f3a';

/** Returns copies of the value in which one field, at any depth, is a marker, or in which one object has a field more. */
function marked(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const items = value as readonly unknown[];
    return [...items.flatMap((item, index) => marked(item).map((each) => items.with(index, each))), [...items, { unknown: MARK }]];
  }
  if (typeof value !== 'object' || value === null) {
    return [{ unknown: MARK }];
  }
  const fields = value as Fields;
  return [
    ...Object.keys(fields)
      .filter((name) => name !== 'sessionUpdate')
      .flatMap((name) => marked(fields[name]).map((each) => ({ ...fields, [name]: each }))),
    ...Object.keys(fields)
      .filter((name) => name !== 'sessionUpdate')
      .map((name) => ({ ...fields, [name]: [MARK] })),
    { ...fields, unknown: MARK },
    { ...fields, _meta: { unknown: MARK } },
  ];
}

/** A session in the middle of a turn, and the events that it appends from now on. */
function running(): { readonly scene: Scene; readonly events: SessionEvent[] } {
  const scene = Scene.ready();
  scene.session.prompt(text('question'));
  scene.reply({ messageId: 'u' });
  scene.become('running');
  const events: SessionEvent[] = [];
  scene.session.store.onEvents((_, added) => events.push(...added));
  return { scene, events };
}

/** Asserts that the journal can store each event. */
function assertStorable(events: readonly SessionEvent[]): void {
  for (const event of events) {
    const json = JSON.stringify(event);
    assert.ok(isSessionEvent(event) && isSessionEvent(JSON.parse(json)), json);
  }
}

/** Ends the running turn, if there is one, and takes another one from its beginning to its end. */
function assertAlive(scene: Scene): void {
  // The first one may be the end of work whose prompt was refused.
  scene.become('idle', { stopReason: 'end_turn' });
  scene.become('idle', { stopReason: 'end_turn' });
  assert.equal(scene.state.turn, undefined);
  assert.equal(scene.session.prompt(text('next')), undefined);
  scene.reply({ messageId: 'next' }, 'session/prompt');
  scene.become('running');
  scene.says('still here', 'last');
  scene.become('idle', { stopReason: 'end_turn' });
  assert.deepEqual([scene.state.status, scene.state.turn, scene.lines.at(-1)], ['ready', undefined, 'turn end_turn']);
}

describe('an update of version 2', () => {
  for (const update of UPDATES) {
    it(`loses none of its values: ${JSON.stringify(update).slice(17, 60)}`, () => {
      for (const each of marked(update) as Fields[]) {
        const { scene, events } = running();
        scene.update(each);
        scene.update(each);
        assert.match(JSON.stringify(events), new RegExp(MARK), JSON.stringify(each));
        assertStorable(events);
        assertAlive(scene);
      }
    });
  }

  it('loses no field of its notification', () => {
    for (const update of UPDATES) {
      for (const params of [{ _meta: { a: MARK } }, { x: MARK }]) {
        const { scene, events } = running();
        scene.transport.feed({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update, ...params } });
        assert.match(JSON.stringify(events), new RegExp(MARK), JSON.stringify([update, params]));
      }
    }
  });

  it('loses none of its values when a question has it', () => {
    const options = [{ optionId: 'o', name: 'Y', kind: 'allow_once' }];
    const { sessionUpdate: _, ...toolCall } = UPDATES.find(({ sessionUpdate }) => sessionUpdate === 'tool_call_update')!;
    for (const question of [
      { title: 'Write?', description: 'D', subject: { type: 'tool_call', toolCall }, options },
      { title: 'Run?', subject: { type: 'command', command: 'ls', cwd: '/w', toolCallId: 't', terminalId: 'b' }, options },
      { title: 'What?', subject: { type: '_x', y: 1 }, options },
    ]) {
      for (const each of marked(question) as Fields[]) {
        const { scene, events } = running();
        scene.request('session/request_permission', { sessionId: 's', ...each });
        assert.match(JSON.stringify(events), new RegExp(MARK), JSON.stringify(each));
        assertStorable(events);
      }
    }
  });

  it('costs itself alone, whatever its values are', () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        null,
        0,
        -1,
        '',
        ' ',
        [],
        {},
        '__proto__',
        'constructor',
        's',
        'c',
        't',
        '\u202e\u0000\ud800',
        'idle',
        'cancelled',
      ),
    );
    const update = fc
      .record({ base: fc.constantFrom(...UPDATES), names: fc.array(fc.nat(9), { maxLength: 3 }), value: odd, extra: fc.boolean() })
      .map(({ base, names, value, extra }) => {
        const fields: Record<string, unknown> = { ...base, ...(extra && { odd: value, _meta: value }) };
        const keys = Object.keys(base).slice(1);
        names.forEach((index) => keys.length > 0 && (fields[keys[index % keys.length]!] = value));
        return fields;
      });
    const sessionId = fc.constantFrom('s', 's', 's', 'c', 'unknown');
    fc.assert(
      fc.property(fc.array(fc.tuple(sessionId, update), { maxLength: 20 }), (updates) => {
        const { scene, events } = running();
        updates.forEach(([id, each]) => scene.update(each, id));
        assertStorable(events);
        assertAlive(scene);
      }),
      { numRuns: 200 },
    );
  });

  it('may have numbers that no number can hold', () => {
    const { scene, events } = running();
    const send = (update: string): void =>
      scene.transport.feed(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":${update}}}\n`);
    send('{"sessionUpdate":"terminal_update","terminalId":"b","exitStatus":{"exitCode":1e999},"size":{"cols":1e999,"rows":1}}');
    send('{"sessionUpdate":"tool_call_update","toolCallId":"t","locations":[{"path":"/w/a","line":1e999}]}');
    send('{"sessionUpdate":"agent_message_chunk","messageId":"m","content":{"type":"resource_link","uri":"a","name":"a","size":1e999}}');
    send('{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":1e999,"currency":"USD"}}');
    assertStorable(events);
    assert.deepEqual([scene.state.terminals['b']?.exitStatus !== undefined, scene.call('t')?.locations.length], [true, 1]);
  });

  it('with 100,000 options that cannot be read takes no time to speak of', () => {
    const { scene } = running();
    const begun = performance.now();
    const configOptions = Array.from({ length: 100_000 }, (_, index) => ({ configId: `c${index}`, name: 'C', type: '_dial', x: index }));
    scene.update({ sessionUpdate: 'config_option_update', configOptions });
    const last = scene.state.config.at(-1);
    assert.deepEqual(last?.type === 'unknown' && last.raw, configOptions.at(-1));
    assert.ok(performance.now() - begun < 5000);
  });

  it('with a wrong output of a terminal leaves a cut character as it is', () => {
    const { scene } = running();
    const chunk = (bytes: string) => scene.update({ sessionUpdate: 'terminal_output_chunk', terminalId: 'b', data: bytes });
    chunk('4oI=');
    for (const output of [{ data: '!' }, { data: 5 }, 'x', []]) {
      scene.update({ sessionUpdate: 'terminal_update', terminalId: 'b', output });
    }
    chunk('not base64!');
    chunk('rAo=');
    assert.equal(scene.state.terminals['b']?.output, '€\n');
  });
});

describe('a turn of version 2', () => {
  it('leaves no message unanswered when the agent has begun it', () => {
    const { scene } = running();
    scene.become('idle', { stopReason: 'end_turn' });
    const ends = () =>
      [...scene.state.entries].flatMap((entry) => (entry.kind === 'turn' && 'stopReason' in entry ? [entry.unanswered] : []));
    assert.deepEqual(ends(), [true]);
    scene.become('running');
    scene.become('idle', { stopReason: 'end_turn' });
    assert.deepEqual(ends(), [true, undefined]);
  });

  it('ends once, whatever the order of Stop and the states', () => {
    const steps = fc.constantFrom('stop', 'running', 'requires_action', 'idle', 'cancelled', '_odd', 'answer', 'refuse', 'prompt');
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 15 }), (order) => {
        const scene = Scene.ready();
        const open = (): number => scene.sentBy('session/prompt').length;
        let answered = 0;
        for (const step of order) {
          if (step === 'stop') {
            scene.session.cancel();
          } else if (step === 'prompt') {
            scene.session.prompt(text('question'));
          } else if (step === 'answer' || step === 'refuse') {
            if (answered < open()) {
              answered = open();
              if (step === 'answer') {
                scene.reply({ messageId: `u${answered}` }, 'session/prompt');
              } else {
                scene.fail(-32603, undefined, 'session/prompt');
              }
            }
          } else if (step === 'cancelled') {
            scene.become('idle', { stopReason: 'cancelled' });
          } else {
            scene.become(step);
          }
        }
        if (answered < open()) {
          scene.reply({ messageId: 'end' }, 'session/prompt');
        }
        assertAlive(scene);
        const turns = [...scene.state.entries].filter(({ kind }) => kind === 'turn').map(({ entryId }) => entryId);
        assert.equal(new Set(turns).size, turns.length);
      }),
      { numRuns: 300 },
    );
  });
});
