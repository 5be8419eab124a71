import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionHappening } from '../../../../src/core/model/event';
import { V1Updates } from '../../../../src/acp/v1/updates';

/** Decodes updates of one session, one after the other. */
function decodeAll(updates: readonly object[], isOurs?: (terminalId: string) => boolean): SessionHappening[] {
  const decoder = new V1Updates(isOurs);
  return updates.flatMap((update) => decoder.decode('s', { sessionId: 's', update }));
}

const decode = (update: object): SessionHappening[] => decodeAll([update]);
const chunk = (text: string, more: object = {}, kind = 'agent_message_chunk'): object => ({
  sessionUpdate: kind,
  content: { type: 'text', text },
  ...more,
});

describe('v1 updates: messages', () => {
  const idsOf = (updates: readonly object[]): (string | undefined)[] =>
    decodeAll(updates).flatMap((happening) => (happening.type === 'message_chunk' ? [`${happening.role} ${happening.messageId}`] : []));

  it('take the ids the agent gives', () => {
    assert.deepEqual(idsOf([chunk('a', { messageId: 'm1' }), chunk('b', { messageId: 'm1' }), chunk('c', { messageId: 'm2' })]), [
      'agent m1',
      'agent m1',
      'agent m2',
    ]);
  });

  it('get ids of ours where it gives none: a change of role or a new tool call divides', () => {
    const tool = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'T' };
    const running = { sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'in_progress' };
    assert.deepEqual(
      idsOf([
        chunk('a', {}, 'user_message_chunk'),
        chunk('b', { messageId: null }, 'agent_thought_chunk'),
        chunk('c', {}, 'agent_thought_chunk'),
        chunk('d'),
        tool,
        chunk('e'),
        running,
        chunk('f'),
        { sessionUpdate: 'tool_call_update', toolCallId: 'unseen', status: 'completed' },
        chunk('g'),
      ]),
      ['user ~1', 'thought ~2', 'thought ~2', 'agent ~3', 'agent ~4', 'agent ~4', 'agent ~5'],
    );
  });

  it('without an id do not join one with an id', () => {
    assert.deepEqual(idsOf([chunk('warning'), chunk('a', { messageId: 'm' }), chunk('b'), chunk('c')]), [
      'agent ~1',
      'agent m',
      'agent ~2',
      'agent ~2',
    ]);
  });

  it('begin anew with a prompt', () => {
    const decoder = new V1Updates();
    const first = decoder.decode('s', { sessionId: 's', update: chunk('a') });
    decoder.breakMessage('s');
    const second = decoder.decode('s', { sessionId: 's', update: chunk('b') });
    assert.notDeepEqual(first, second);
  });

  it('of two sessions do not mix', () => {
    const decoder = new V1Updates();
    const ids = ['s', 't', 's', 't'].map((sessionId) => {
      const [happening] = decoder.decode(sessionId, { sessionId, update: chunk('x') });
      return happening?.type === 'message_chunk' && happening.messageId;
    });
    assert.deepEqual(ids, ['~1', '~2', '~1', '~2']);
  });

  it('keep _meta, unknown fields and a wrong-typed id', () => {
    assert.deepEqual(decode(chunk('a', { messageId: 7, _meta: { m: 1 }, speed: 'fast' })), [
      {
        type: 'message_chunk',
        role: 'agent',
        messageId: '~1',
        content: { type: 'text', text: 'a' },
        meta: { m: 1 },
        extra: { messageId: 7, speed: 'fast' },
      },
    ]);
  });

  it('may hold content we do not know, several blocks, or bare text', () => {
    const raw = { type: 'hologram', data: 1 };
    assert.deepEqual(decode({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: raw })[0], {
      type: 'message_chunk',
      role: 'agent',
      messageId: 'm',
      content: { type: 'unknown', raw },
    });
    const both = decode({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: [{ type: 'text', text: 'a' }, 'b'] });
    assert.deepEqual(
      both.map((happening) => happening.type === 'message_chunk' && happening.content),
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    );
  });
});

describe('v1 updates: tool calls', () => {
  it('are patches: null and omitted keep', () => {
    const update = {
      sessionUpdate: 'tool_call_update',
      toolCallId: 't',
      title: null,
      name: 'bash',
      kind: null,
      status: 'completed',
      content: null,
      locations: null,
      rawInput: null,
      rawOutput: '',
    };
    assert.deepEqual(decode(update), [
      { type: 'tool_call_update', toolCallId: 't', patch: { name: 'bash', status: 'completed', rawOutput: '' } },
    ]);
  });

  it('lose only the field that is wrong, and lose it into extra', () => {
    const locations = [{ path: '/a', line: 1 }, { path: '/b', line: null }, { line: 3 }];
    const update = {
      sessionUpdate: 'tool_call',
      toolCallId: 't',
      title: 5,
      kind: 'levitate',
      status: {},
      content: 7,
      locations,
      mood: 'good',
      _meta: { m: 1 },
    };
    assert.deepEqual(decode(update), [
      {
        type: 'tool_call_update',
        toolCallId: 't',
        patch: { kind: 'levitate', locations: [{ path: '/a', line: 1 }, { path: '/b' }] },
        meta: { m: 1 },
        extra: { title: 5, status: {}, content: 7, locations, mood: 'good' },
      },
    ]);
  });

  it('without an id are unknown, whole', () => {
    const update = { sessionUpdate: 'tool_call', title: 'T' };
    assert.deepEqual(decode(update), [{ type: 'unknown', unknownId: '~1', label: 'tool_call', raw: update }]);
  });

  it('hold diffs: one change each, added only when there was nothing', () => {
    const diff = (more: object): unknown => {
      const [happening] = decode({
        sessionUpdate: 'tool_call',
        toolCallId: 't',
        content: [{ type: 'diff', path: '/a', newText: 'n', ...more }],
      });
      return happening?.type === 'tool_call_update' && happening.patch.content?.[0];
    };
    assert.deepEqual(diff({ oldText: 'o' }), { type: 'diff', changes: [{ operation: 'modify', path: '/a', oldText: 'o', newText: 'n' }] });
    assert.deepEqual(diff({ oldText: '' }), { type: 'diff', changes: [{ operation: 'modify', path: '/a', oldText: '', newText: 'n' }] });
    assert.deepEqual(diff({ oldText: null }), { type: 'diff', changes: [{ operation: 'add', path: '/a', oldText: null, newText: 'n' }] });
    assert.deepEqual(diff({}), { type: 'diff', changes: [{ operation: 'add', path: '/a', newText: 'n' }] });
    assert.deepEqual(diff({ deleted: true, newText: '', oldText: 'o' }), {
      type: 'diff',
      changes: [{ operation: 'delete', path: '/a', oldText: 'o', newText: '' }],
    });
    assert.deepEqual(diff({ oldText: 'o', _meta: { kind: 'x' } }), {
      type: 'diff',
      changes: [{ operation: 'modify', path: '/a', oldText: 'o', newText: 'n' }],
      _meta: { kind: 'x' },
    });
    const broken = { type: 'diff', path: 3, newText: 'n' };
    assert.deepEqual(diff({ path: 3 }), { type: 'unknown', raw: broken });
  });
});

describe("v1 updates: terminals of the agent's own", () => {
  const info = {
    sessionUpdate: 'tool_call',
    toolCallId: 't',
    title: 'ls',
    kind: 'execute',
    _meta: { terminal_info: { terminal_id: 'x', cwd: '/p' } },
  };
  const output = (key: string, data: string, more: object = {}): object => ({
    sessionUpdate: 'tool_call_update',
    toolCallId: 't',
    _meta: { [key]: { terminal_id: 'x', data }, ...more },
  });

  it('are announced, grow and end', () => {
    const exit = { terminal_exit: { terminal_id: 'x', exit_code: 1, signal: null } };
    assert.deepEqual(decodeAll([info, output('terminal_output', 'a\n'), output('terminal_output_delta', 'b\n', exit)]), [
      { type: 'tool_call_update', toolCallId: 't', patch: { title: 'ls', kind: 'execute' } },
      { type: 'terminal_update', terminalId: 'x', command: 'ls', cwd: '/p' },
      { type: 'terminal_output', terminalId: 'x', text: 'a\n' },
      { type: 'terminal_output', terminalId: 'x', text: 'b\n' },
      { type: 'terminal_update', terminalId: 'x', exitStatus: { exitCode: 1 } },
    ]);
  });

  it('leave the rest of _meta, and the tool call when it is new', () => {
    assert.deepEqual(decode(output('terminal_output', 'a', { other: 1 })), [
      { type: 'tool_call_update', toolCallId: 't', patch: {}, meta: { other: 1 } },
      { type: 'terminal_output', terminalId: 'x', text: 'a' },
    ]);
    assert.equal(decode(output('terminal_output', 'a')).length, 2);
  });

  it('cannot be ours, and broken ones stay in meta', () => {
    const meta = { terminal_output: { terminal_id: 'x', data: 'spoof' } };
    const update = { sessionUpdate: 'tool_call_update', toolCallId: 't', _meta: meta };
    assert.deepEqual(
      decodeAll([update], () => true),
      [{ type: 'tool_call_update', toolCallId: 't', patch: {}, meta }],
    );
    const broken = { terminal_output: { terminal_id: 'x', data: 7 }, terminal_exit: 'soon' };
    assert.deepEqual(decode({ ...update, _meta: broken }), [{ type: 'tool_call_update', toolCallId: 't', patch: {}, meta: broken }]);
  });
});

describe('v1 updates: the rest', () => {
  it('plan', () => {
    const entries = [{ content: 'a', priority: 'high', status: 'pending' }, { content: 'b', priority: null, status: 3 }, 'c'];
    assert.deepEqual(decode({ sessionUpdate: 'plan', entries }), [
      {
        type: 'plan_update',
        planId: 'plan',
        plan: { type: 'items', entries: [entries[0], { content: 'b', priority: 'medium', status: 'pending', malformed: { status: 3 } }] },
        extra: { malformed: ['c'] },
      },
    ]);
  });

  it('plans with names', () => {
    assert.deepEqual(
      decodeAll([
        { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# x', _meta: { m: 1 } } },
        { sessionUpdate: 'plan_update', plan: { type: 'dance', id: 'q' } },
        { sessionUpdate: 'plan_removed', planId: 'p' },
      ]),
      [
        { type: 'plan_update', planId: 'p', plan: { type: 'markdown', content: '# x', _meta: { m: 1 } } },
        { type: 'plan_update', planId: 'q', plan: { type: 'unknown', raw: { type: 'dance', id: 'q' } } },
        { type: 'plan_removed', planId: 'p' },
      ],
    );
  });

  it('commands', () => {
    const availableCommands = [
      { name: 'web', description: 'Search', input: { hint: 'query', type: 'text' } },
      { name: 'plan', description: null, input: null },
      { name: 'odd', description: 'o', input: {}, _meta: { m: 1 } },
      { name: 'wrong', description: ['w'], input: 'text' },
      { description: 'nameless' },
    ];
    assert.deepEqual(decode({ sessionUpdate: 'available_commands_update', availableCommands }), [
      {
        type: 'available_commands',
        commands: [
          { name: 'web', description: 'Search', inputHint: 'query', input: { type: 'text' } },
          { name: 'plan', description: '' },
          { name: 'odd', description: 'o', inputHint: '', _meta: { m: 1 } },
          { name: 'wrong', description: '', input: 'text', malformed: { description: ['w'] } },
        ],
        extra: { malformed: [{ description: 'nameless' }] },
      },
    ]);
  });

  it('config options: flat, grouped, boolean, unknown', () => {
    const configOptions = [
      { id: 'm', name: 'M', category: 'model', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A', description: null }] },
      {
        id: 'g',
        name: 'G',
        type: 'select',
        currentValue: 'b',
        options: [{ group: 'x', name: 'X', options: [{ value: 'b', name: 'B' }] }, { value: 'c' }],
      },
      { id: 'b', name: 'B', type: 'boolean', currentValue: false, _meta: { m: 1 } },
      { id: 's', name: 'S', type: 'slider', currentValue: 3 },
      { id: 'w', name: 'W', type: 'boolean', currentValue: 'yes' },
      { name: 'nameless' },
    ];
    const [happening] = decode({ sessionUpdate: 'config_option_update', configOptions });
    assert.deepEqual(happening, {
      type: 'config_options',
      options: [
        {
          type: 'select',
          configId: 'm',
          name: 'M',
          category: 'model',
          currentValue: 'a',
          groups: [{ choices: [{ value: 'a', name: 'A' }] }],
        },
        {
          type: 'select',
          configId: 'g',
          name: 'G',
          currentValue: 'b',
          groups: [{ name: 'X', choices: [{ value: 'b', name: 'B' }], group: 'x' }, { choices: [{ value: 'c', name: 'c' }] }],
        },
        { type: 'boolean', configId: 'b', name: 'B', currentValue: false, _meta: { m: 1 } },
        { type: 'unknown', configId: 's', name: 'S', raw: configOptions[3] },
        { type: 'unknown', configId: 'w', name: 'W', raw: configOptions[4] },
      ],
      extra: { malformed: [{ name: 'nameless' }] },
    });
  });

  it("mode: both spellings, under the option that modes are, or the agent's own", () => {
    const option = { id: 'session_mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'a', options: [] };
    const happenings = decodeAll([
      { sessionUpdate: 'current_mode_update', currentModeId: 'a' },
      { sessionUpdate: 'current_mode_update', modeId: 'b' },
      { sessionUpdate: 'config_option_update', configOptions: [option] },
      { sessionUpdate: 'current_mode_update', currentModeId: 'c' },
      { sessionUpdate: 'current_mode_update' },
    ]);
    assert.deepEqual(
      happenings.map((happening) =>
        happening.type === 'config_value' ? `${happening.configId}=${String(happening.value)}` : happening.type,
      ),
      ['$mode=a', '$mode=b', 'config_options', 'session_mode=c', 'unknown'],
    );
  });

  it('session info: omitted keeps, null clears', () => {
    assert.deepEqual(
      decodeAll([
        { sessionUpdate: 'session_info_update', title: 'T', updatedAt: null },
        { sessionUpdate: 'session_info_update', _meta: { codex: 1 } },
        { sessionUpdate: 'session_info_update', title: 5 },
      ]),
      [
        { type: 'session_info', title: 'T', updatedAt: null },
        { type: 'session_info', meta: { codex: 1 } },
        { type: 'session_info', extra: { title: 5 } },
      ],
    );
  });

  it('usage, with and without cost', () => {
    assert.deepEqual(
      decodeAll([
        { sessionUpdate: 'usage_update', used: 1, size: 0, cost: { amount: 0.5, currency: 'USD' } },
        { sessionUpdate: 'usage_update', used: 2, size: 10, cost: null },
        { sessionUpdate: 'usage_update', used: 3, size: 10, cost: 'cheap' },
      ]),
      [
        { type: 'usage', usage: { used: 1, size: 0, cost: { amount: 0.5, currency: 'USD' } } },
        { type: 'usage', usage: { used: 2, size: 10 } },
        { type: 'usage', usage: { used: 3, size: 10 }, extra: { cost: 'cheap' } },
      ],
    );
    assert.equal(decode({ sessionUpdate: 'usage_update', used: 'much' })[0]?.type, 'unknown');
  });

  it('notices', () => {
    assert.deepEqual(
      decodeAll([
        { sessionUpdate: 'notice', severity: 'dire', title: 'T', description: 'd' },
        { sessionUpdate: 'notice', title: 'U' },
      ]),
      [
        { type: 'notice', noticeId: '~1', severity: 'dire', title: 'T', description: 'd' },
        { type: 'notice', noticeId: '~2', severity: 'info', title: 'U' },
      ],
    );
  });

  it('compaction, three-state', () => {
    const block = { type: 'text', text: 'sum' };
    assert.deepEqual(
      decodeAll([
        { sessionUpdate: 'compaction_summary_chunk', compactionId: 'c', content: block },
        { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'failed', error: 'e' },
        { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed', summary: [block], error: null },
        { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed', summary: null },
        { sessionUpdate: 'compaction_update', compactionId: 'c', status: 'completed', summary: 'text' },
      ]),
      [
        { type: 'compaction_chunk', compactionId: 'c', content: block },
        { type: 'compaction_update', compactionId: 'c', status: 'failed', error: 'e' },
        { type: 'compaction_update', compactionId: 'c', status: 'completed', summary: [block], error: null },
        { type: 'compaction_update', compactionId: 'c', status: 'completed', summary: null },
        { type: 'compaction_update', compactionId: 'c', status: 'completed', extra: { summary: 'text' } },
      ],
    );
  });

  it('unknown kinds are kept whole', () => {
    const update = { sessionUpdate: 'telepathy', thoughts: [1] };
    assert.deepEqual(decode(update), [{ type: 'unknown', unknownId: '~1', label: 'telepathy', raw: update }]);
  });

  it("keep the notification's own _meta and fields", () => {
    const decoder = new V1Updates();
    const params = (update: object, more: object): SessionHappening[] => decoder.decode('s', { sessionId: 's', update, ...more });
    assert.deepEqual(params(chunk('a', { messageId: 'm' }), { _meta: { p: 1 } })[0]?.meta, { p: 1 });
    assert.deepEqual(params(chunk('a', { messageId: 'm', _meta: { u: 1 } }), { _meta: { p: 1 }, turn: 3 })[0], {
      type: 'message_chunk',
      role: 'agent',
      messageId: 'm',
      content: { type: 'text', text: 'a' },
      meta: { u: 1 },
      extra: { params: { turn: 3, _meta: { p: 1 } } },
    });
  });

  it('what has no words of its own is named by its id, and an empty notice is shown as it came', () => {
    const [options, notice, unnamed] = decodeAll([
      {
        sessionUpdate: 'config_option_update',
        configOptions: [{ id: 'tone', name: ' ', type: 'select', currentValue: 'a', options: [{ value: 'a', name: '' }] }],
      },
      { sessionUpdate: 'notice', severity: 'error', title: '' },
      { sessionUpdate: ' ' },
    ]);
    assert.deepEqual(options, {
      type: 'config_options',
      options: [{ type: 'select', configId: 'tone', name: 'tone', currentValue: 'a', groups: [{ choices: [{ value: 'a', name: 'a' }] }] }],
    });
    assert.equal(notice?.type, 'unknown');
    assert.equal(unnamed?.type === 'unknown' && unnamed.label, 'session/update');
  });

  it('nothing throws, and everything gives at least one happening', function () {
    this.timeout(20_000);
    const kinds = [
      ...[
        'agent_message_chunk',
        'user_message_chunk',
        'agent_thought_chunk',
        'tool_call',
        'tool_call_update',
        'plan',
        'plan_update',
        'plan_removed',
      ],
      ...['available_commands_update', 'current_mode_update', 'config_option_update', 'session_info_update', 'usage_update', 'notice'],
      ...['compaction_update', 'compaction_summary_chunk', 'other', 7, null],
    ];
    const names = [
      'content',
      'messageId',
      'toolCallId',
      'title',
      'status',
      'locations',
      'entries',
      'availableCommands',
      'configOptions',
      'plan',
    ];
    const more = [
      'used',
      'size',
      'cost',
      'summary',
      'compactionId',
      'error',
      'currentModeId',
      '_meta',
      '__proto__',
      'constructor',
      'rawInput',
    ];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(fc.dictionary(fc.constantFrom('type', 'path', 'id', 'options', 'name', 'text', 'resource'), fc.jsonValue({ maxDepth: 1 })), {
        maxLength: 3,
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.dictionary(fc.constantFrom(...names, ...more), value), (kind, fields) => {
        const update: unknown = JSON.parse(JSON.stringify({ ...fields, sessionUpdate: kind }));
        const happenings = decodeAll([update as object]);
        assert.ok(happenings.length > 0 && happenings.every((happening) => typeof happening.type === 'string'));
      }),
      { numRuns: 300 },
    );
    assert.equal(new V1Updates().decode('s', { sessionId: 's' })[0]?.type, 'unknown');
  });

  it('a field named __proto__ is a field', () => {
    const [happening] = decode(JSON.parse('{"sessionUpdate":"tool_call","toolCallId":"t","__proto__":{"type":"evil"}}') as object);
    assert.equal(happening?.type, 'tool_call_update');
    assert.deepEqual(Object.keys(happening.extra ?? {}), ['__proto__']);
    assert.equal(Object.getPrototypeOf(happening.extra), Object.prototype);
  });

  it('mints ids that differ from connection to connection when told to: a session outlives its agent', () => {
    const chunk = { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } } };
    const ids = ['1.', '2.'].map((mark) => new V1Updates(undefined, mark).decode('s', chunk)[0] as { messageId?: string });
    assert.notEqual(ids[0]?.messageId, ids[1]?.messageId);
  });
});
