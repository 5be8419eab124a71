import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { EventInput } from '../../../../src/core/model/event';
import { V1Updates } from '../../../../src/acp/v1/updates';
import { decodeAll, decode, chunk } from './decode';

describe('the decoder of v1 updates', () => {
  it('decodes a plan', () => {
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

  it('decodes plans with names', () => {
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

  it('decodes commands', () => {
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

  it('decodes config options: flat, grouped, boolean, unknown', () => {
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
    const [event] = decode({ sessionUpdate: 'config_option_update', configOptions });
    assert.deepEqual(event, {
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

  it('decodes a mode in both spellings, under the option of category mode or else under the id $mode', () => {
    const option = { id: 'session_mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'a', options: [] };
    const events = decodeAll([
      { sessionUpdate: 'current_mode_update', currentModeId: 'a' },
      { sessionUpdate: 'current_mode_update', modeId: 'b' },
      { sessionUpdate: 'config_option_update', configOptions: [option] },
      { sessionUpdate: 'current_mode_update', currentModeId: 'c' },
      { sessionUpdate: 'current_mode_update' },
    ]);
    assert.deepEqual(
      events.map((event) => (event.type === 'config_value' ? `${event.configId}=${String(event.value)}` : event.type)),
      ['$mode=a', '$mode=b', 'config_options', 'session_mode=c', 'unknown'],
    );
  });

  it('decodes session info: an omitted field keeps the value, null clears it', () => {
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

  it('decodes usage with and without cost', () => {
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

  it('decodes notices', () => {
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

  it('decodes compaction, with omitted, null and set fields', () => {
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

  it('keeps unknown kinds whole', () => {
    const update = { sessionUpdate: 'telepathy', thoughts: [1] };
    assert.deepEqual(decode(update), [{ type: 'unknown', unknownId: '~1', label: 'telepathy', raw: update }]);
  });

  it("keeps the notification's own _meta and fields", () => {
    const decoder = new V1Updates();
    const params = (update: object, more: object): EventInput[] => decoder.decode('s', { sessionId: 's', update, ...more });
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

  it('uses the id as a name when there is none, and keeps an empty notice as unknown', () => {
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

  it('never throws, and gives at least one event for each update', function () {
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
        const events = decodeAll([update as object]);
        assert.ok(events.length > 0 && events.every((event) => typeof event.type === 'string'));
      }),
      { numRuns: 300 },
    );
    assert.equal(new V1Updates().decode('s', { sessionId: 's' })[0]?.type, 'unknown');
  });

  it('treats a field named __proto__ as an ordinary field', () => {
    const [event] = decode(JSON.parse('{"sessionUpdate":"tool_call","toolCallId":"t","__proto__":{"type":"evil"}}') as object);
    assert.equal(event?.type, 'tool_call_update');
    assert.deepEqual(Object.keys(event.extra ?? {}), ['__proto__']);
    assert.equal(Object.getPrototypeOf(event.extra), Object.prototype);
  });

  it('creates different ids in different connections when given a mark, because a session outlives its agent', () => {
    const chunk = { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } } };
    const ids = ['1.', '2.'].map((mark) => new V1Updates(undefined, mark).decode('s', chunk)[0] as { messageId?: string });
    assert.notEqual(ids[0]?.messageId, ids[1]?.messageId);
  });
});
