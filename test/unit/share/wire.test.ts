/** A conversation as messages of version 1. */
import assert from 'node:assert/strict';
import type { ContentBlock } from '../../../src/core/model/content';
import type { EventInput, SessionEvent } from '../../../src/core/model/event';
import { reduce } from '../../../src/core/reduce/reduce';
import { EMPTY_STATE, type Entry, type MessageEntry, type SessionState, type ToolCallEntry } from '../../../src/core/model/state';
import { configOptions, factUpdates, takesValue } from '../../../src/share/wire/facts';
import { elicitationParams } from '../../../src/share/wire/requests';
import { entryUpdates, type Growth, type Sent, wholeEntry, wireToolCall } from '../../../src/share/wire/updates';
import { MAX_TEXT, piecesOf, promptFrom, wireBlock } from '../../../src/share/wire/wireContent';

const none = (): undefined => undefined;

function after(...events: EventInput[]): SessionState {
  return events.reduce<SessionState>((state, event) => reduce(state, { ...event, at: 1 } as SessionEvent), EMPTY_STATE);
}

function message(...content: ContentBlock[]): MessageEntry {
  return { kind: 'message', entryId: 'agent:m', at: 1, updatedAt: 1, role: 'agent', messageId: 'm', content };
}

function call(more: Partial<ToolCallEntry>): ToolCallEntry {
  return {
    kind: 'tool_call',
    entryId: 'tool_call:c',
    toolCallId: 'c',
    at: 1,
    updatedAt: 1,
    toolKind: 'other',
    status: 'pending',
    content: [],
    locations: [],
    ...more,
  };
}

const image: ContentBlock = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const whole: Growth = { redaction: { redact: (value) => value, secretStart: () => 0 }, isGrowing: false };
const text = (value: string): ContentBlock => ({ type: 'text', text: value });

describe('a conversation for other clients', () => {
  it('sends each part of a growing message once', () => {
    let sent: Sent | undefined;
    const received: unknown[] = [];
    for (const content of [
      [text('He')],
      [text('Hello')],
      [text('Hello'), image],
      [text('Hello'), image, text('!')],
      [text('Hello'), image, text('!')],
    ]) {
      const next = entryUpdates(message(...content), sent, none, whole)!;
      sent = next.sent;
      received.push(
        ...next.updates.map(({ content: block }) => (block as ContentBlock).type === 'text' && (block as { text: string }).text),
      );
    }
    assert.deepEqual(received, ['He', 'llo', false, '!']);
  });

  it('sends only what follows to a client that continues', () => {
    const entry = message(text('Before. '));
    const next = entryUpdates(message(text('Before. After.')), wholeEntry(entry), none, whole)!;
    assert.deepEqual(
      next.updates.map(({ content }) => content),
      [{ type: 'text', text: 'After.' }],
    );
    assert.deepEqual(entryUpdates(entry, wholeEntry(entry), none, whole)!.updates, []);
    const withImage = message(text('a'), image);
    assert.deepEqual(entryUpdates(withImage, wholeEntry(withImage), none, whole)!.updates, []);
  });

  it('cuts long texts between characters', () => {
    const long = `${'x'.repeat(MAX_TEXT - 1)}👋${'y'.repeat(10)}`;
    const pieces = piecesOf(long);
    assert.equal(pieces.join(''), long);
    assert.ok(pieces.every((piece) => piece.isWellFormed() && piece.length <= MAX_TEXT));
    assert.deepEqual(piecesOf(''), []);
  });

  it('names statuses and kinds that version 1 has', () => {
    const statuses = ['pending', 'in_progress', 'paused', 'completed', 'failed', 'cancelled', 'unfinished', 'background', 'invented'];
    assert.deepEqual(
      statuses.map((status) => wireToolCall(call({ status }), none)['status']),
      ['pending', 'in_progress', 'in_progress', 'completed', 'failed', 'failed', 'failed', 'in_progress', 'in_progress'],
    );
    assert.equal(wireToolCall(call({ toolKind: 'invented' }), none)['kind'], 'other');
  });

  it('sends diffs as version 1 has them, and the output of a terminal as a text', () => {
    const content: ToolCallEntry['content'] = [
      { type: 'diff', changes: [{ operation: 'modify', path: '/a', oldText: 'old', newText: 'new' }] },
      { type: 'diff', changes: [{ operation: 'add', path: '/b', oldText: null, newText: 'new' }] },
      { type: 'diff', changes: [{ operation: 'modify', path: '/c' }], patch: '--- c' },
      { type: 'terminal', terminalId: 't' },
      { type: 'terminal', terminalId: 'unknown' },
    ];
    const output = (id: string): string | undefined => (id === 't' ? 'printed' : undefined);
    assert.deepEqual(wireToolCall(call({ content, rawInput: { long: 'x'.repeat(100_000) }, rawOutput: { ok: 1 } }), output), {
      toolCallId: 'c',
      title: 'c',
      kind: 'other',
      status: 'pending',
      content: [
        { type: 'diff', path: '/a', newText: 'new', oldText: 'old' },
        { type: 'diff', path: '/b', newText: 'new', oldText: null },
        { type: 'content', content: { type: 'text', text: '--- c' } },
        { type: 'content', content: { type: 'text', text: 'printed' } },
      ],
      locations: [],
      rawOutput: { ok: 1 },
    });
  });

  it('does not send data of 5 MB', () => {
    assert.deepEqual(wireBlock({ ...image, data: 'A'.repeat(5_000_000) }), { type: 'text', text: '[image/png]' });
  });

  it('reads prompts of clients, and no other content', () => {
    const valid = [
      { type: 'text', text: 'a', _meta: {} },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a', name: 'a', size: 3 },
      { type: 'resource', resource: { uri: 'file:///a', text: 'x', mimeType: 'text/plain' } },
    ];
    assert.deepEqual(promptFrom(valid), [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a', name: 'a' },
      { type: 'resource', uri: 'file:///a', text: 'x', mimeType: 'text/plain' },
    ]);
    for (const wrong of [
      [],
      'text',
      [null],
      [{ type: 'text', text: 7 }],
      [{ type: 'unknown', raw: {} }],
      [{ type: 'resource', resource: { uri: 'x' } }],
      [{ type: 'resource', resource: { uri: 'acp-host:/one/your-changes-1.md?x', text: '' } }],
      [{ type: 'resource_link', uri: 'acp-host:/one/your-changes-1.md', name: '' }],
      Array.from({ length: 101 }, () => ({ type: 'text', text: '' })),
    ]) {
      assert.equal(promptFrom(wrong), undefined, JSON.stringify(wrong).slice(0, 80));
    }
  });

  it('sends facts once, and again when they change', () => {
    const entries = [
      { content: 'One', priority: 'high', status: 'completed' },
      { content: 'Two', priority: 'odd', status: 'cancelled' },
    ];
    const state = after(
      { type: 'plan_update', planId: 'p', plan: { type: 'items', entries } },
      { type: 'available_commands', commands: [{ name: 'go', description: 'Goes', inputHint: 'where' }] },
      { type: 'session_info', title: 'Title' },
      { type: 'usage', usage: { used: 1, size: 2 } },
    );
    assert.deepEqual(factUpdates(undefined, state), [
      {
        sessionUpdate: 'plan',
        entries: [
          { content: 'One', priority: 'high', status: 'completed' },
          { content: 'Two', priority: 'medium', status: 'completed' },
        ],
      },
      { sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'go', description: 'Goes', input: { hint: 'where' } }] },
      { sessionUpdate: 'session_info_update', title: 'Title' },
      { sessionUpdate: 'usage_update', used: 1, size: 2 },
    ]);
    assert.deepEqual(factUpdates(state, state), []);
    assert.deepEqual(factUpdates(undefined, EMPTY_STATE), []);
    const renamed = reduce(state, { type: 'session_renamed', name: 'Mine', at: 2 });
    assert.deepEqual(factUpdates(state, renamed), [{ sessionUpdate: 'session_info_update', title: 'Mine' }]);
  });

  it('sends options, and takes only values that the agent offers', () => {
    const groups = [{ choices: [{ value: 'a', name: 'A' }] }];
    const { config } = after({
      type: 'config_options',
      options: [
        { type: 'select', configId: 'model', name: 'Model', currentValue: 'a', groups },
        { type: 'boolean', configId: 'fast', name: 'Fast', currentValue: true },
        { type: 'unknown', configId: 'odd', name: 'Odd', raw: {} },
      ],
    });
    assert.deepEqual(configOptions(config), [
      { id: 'model', name: 'Model', type: 'select', currentValue: 'a', options: [{ value: 'a', name: 'A' }] },
      { id: 'fast', name: 'Fast', type: 'boolean', currentValue: true },
    ]);
    const takes = (id: string, value: unknown): boolean => takesValue(config, id, value);
    assert.deepEqual(
      [takes('model', 'a'), takes('model', 'b'), takes('fast', false), takes('fast', 'a'), takes('odd', 'x'), takes('none', 'x')],
      [true, false, true, false, false, false],
    );
  });

  it('sends a form as its schema', () => {
    const state = after({
      type: 'elicitation_requested',
      requestKey: 'e',
      message: 'Who?',
      body: {
        mode: 'form',
        fields: [
          { type: 'string', name: 'who', required: true, maxLength: 9 },
          { type: 'choice', name: 'size', required: false, choices: [{ value: 's', title: 'Small' }] },
        ],
      },
    });
    const entry = state.entries.get('elicitation:e') as Extract<Entry, { kind: 'elicitation' }>;
    assert.deepEqual(elicitationParams('S', entry), {
      sessionId: 'S',
      message: 'Who?',
      mode: 'form',
      requestedSchema: {
        type: 'object',
        properties: { who: { type: 'string', maxLength: 9 }, size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }] } },
        required: ['who'],
      },
    });
  });

  it('keeps the client of a message, and ignores one of other entries', () => {
    const state = after(
      { type: 'message', role: 'user', messageId: 'u', content: [text('Hi')] },
      { type: 'entry_origin', entryId: 'user:u', client: 'Pixel' },
      { type: 'tool_call_update', toolCallId: 'c', patch: {} },
    );
    assert.equal((state.entries.get('user:u') as MessageEntry).from, 'Pixel');
    for (const entryId of ['tool_call:c', 'none']) {
      assert.equal(reduce(state, { type: 'entry_origin', entryId, client: 'Pixel', at: 2 }), state);
    }
  });
});
