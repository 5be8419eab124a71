import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ContentBlock } from '../../../../src/core/model/content';
import { MODE_CONFIG_ID } from '../../../../src/core/model/wellKnown';
import { isSessionEvent, type SessionEvent, type EventInput } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE, type Entry, type SessionState, TERMINAL_TAIL } from '../../../../src/core/model/state';
import { eventSequence } from '../arbitrary';
import { chunk, message, permissionRequest, text, toolCall, toolText } from '../../../support/events';

let at = 0;
const fold = (events: readonly EventInput[], from = EMPTY_STATE): SessionState =>
  events.reduce((state, event) => reduce(state, { ...event, at: ++at } as SessionEvent), from);
const say = (messageId: string, words: string) => chunk(words, messageId);
const entry = (state: SessionState, entryId: string): Entry => state.entries.get(entryId) as Entry;

describe('reduce', () => {
  it('does not change the state it was given', () => {
    fc.assert(
      fc.property(eventSequence, (events) => {
        let state = EMPTY_STATE;
        for (const event of events) {
          const before = JSON.stringify([...state.entries]) + JSON.stringify(state.terminals);
          const next = reduce(state, event);
          assert.equal(JSON.stringify([...state.entries]) + JSON.stringify(state.terminals), before);
          state = next;
        }
      }),
      { numRuns: 60 },
    );
  });

  it('returns the same reference for an event that changes nothing', () => {
    const state = fold([toolCall('a', { status: 'completed' })]);
    const nothing: EventInput[] = [
      { type: 'turn_cancelling' },
      { type: 'permission_resolved', permissionId: 'no', outcome: 'selected' },
      { type: 'session_info' },
      { type: 'config_value', configId: 'no', value: true },
      { type: 'plan_removed', planId: 'no' },
    ];
    for (const event of nothing) {
      const next = reduce(state, { ...event, at: 9 } as SessionEvent);
      assert.ok(next === state || (event.type === 'plan_removed' && next.plans === state.plans), event.type);
    }
  });

  it('joins text chunks of one message and separates messages of other ids and roles', () => {
    const state = fold([
      say('1', 'Hel'),
      say('1', 'lo'),
      { type: 'message_chunk', role: 'thought', messageId: '1', content: { type: 'text', text: 'hm' } },
      say('2', 'Bye'),
      say('1', '!'),
    ]);
    assert.deepEqual(
      [...state.entries].map((slot) => [slot.entryId, (slot as { content?: unknown }).content]),
      [
        ['agent:1', [{ type: 'text', text: 'Hello!' }]],
        ['thought:1', [{ type: 'text', text: 'hm' }]],
        ['agent:2', [{ type: 'text', text: 'Bye' }]],
      ],
    );
  });

  it('stores the beginning of the first prompt, whole or in chunks, up to the length of a title', () => {
    const begins = (...events: EventInput[]) => fold(events).firstPrompt?.text;
    assert.equal(begins(say('1', 'Hello')), undefined);
    assert.equal(begins(message('Fix it', '1', 'user'), message('And that', '2', 'user')), 'Fix it');
    assert.equal(begins(chunk('Fix', '1', 'user'), chunk(' ', '1', 'user'), chunk('it', '1', 'user'), chunk('no', '2', 'user')), 'Fix it');
    assert.equal(begins(chunk('Fix', '1', 'user'), message('Anew', '1', 'user')), 'Anew');
    assert.equal(begins(message([], '1', 'user'), message('Words', '2', 'user')), 'Words');
    const link = { type: 'resource_link', uri: 'file:///w/calc.js', name: 'calc.js' } as const;
    assert.equal(begins(message([link, link], '1', 'user')), 'calc.js, calc.js');
    assert.equal(begins(message([text('Look'), link], '1', 'user')), 'Look');
    const part = (content: ContentBlock): EventInput => ({ type: 'message_chunk', role: 'user', messageId: '1', content });
    assert.equal(begins(part(text('Explain ')), part(link), part(text(' please')), part(link)), 'Explain calc.js please');
    assert.equal(begins(part(text('Explain this')), part(link)), 'Explain this');
    const forAgent = { ...text('Context'), annotations: { audience: ['assistant'] } };
    assert.equal(begins(message([forAgent, text('Fix it')], '1', 'user')), 'Fix it');
    assert.equal(begins(message([forAgent], '1', 'user'), message('Words', '2', 'user')), 'Words');
    assert.equal(begins(message('x'.repeat(10_000), '1', 'user'), chunk('y', '1', 'user'))?.length, 400);
  });

  it('creates a tool call from an update that precedes it, and replaces content instead of appending', () => {
    const one = toolText('one');
    const two = toolText('two');
    const state = fold([
      toolCall('a', { status: 'in_progress', content: [one] }),
      toolCall('a', { title: 'Edit', kind: 'edit', content: [two] }),
    ]);
    const call = entry(state, 'tool_call:a');
    assert.ok(call.kind === 'tool_call');
    assert.equal(call.title, 'Edit');
    assert.equal(call.status, 'in_progress');
    assert.deepEqual(call.content, [two]);
    assert.deepEqual(state.openToolCalls, ['a']);
  });

  it('clears a field for null and keeps it when it is omitted', () => {
    const state = fold([
      toolCall('a', { title: 'T', rawInput: { x: 1 }, locations: [{ path: '/a' }] }),
      toolCall('a', { title: null, rawInput: null, locations: null }),
    ]);
    const call = entry(state, 'tool_call:a');
    assert.ok(call.kind === 'tool_call' && !('title' in call) && !('rawInput' in call));
    assert.deepEqual(call.locations, []);
    const titled = fold([
      { type: 'session_info', title: 'One', updatedAt: 'u' },
      { type: 'session_info', title: null },
    ]);
    assert.equal(titled.title, undefined);
    assert.equal(titled.updatedAt, 'u');
  });

  it('marks open tool calls as cancelled at once on Stop, and keeps a final status of the agent', () => {
    const running = fold([
      { type: 'turn_started', turnId: 't' },
      toolCall('a', { status: 'in_progress' }),
      toolCall('b', { status: 'pending' }),
    ]);
    const stopping = fold(
      [
        { type: 'turn_cancelling' },
        toolCall('a', { status: 'in_progress' }),
        toolCall('b', { status: 'completed' }),
        toolCall('c', { title: 'late' }),
      ],
      running,
    );
    assert.deepEqual(
      [...stopping.entries].map((slot) => (slot as { status?: string }).status),
      ['cancelled', 'completed', 'cancelled'],
    );
    assert.deepEqual(stopping.openToolCalls, []);
  });

  it('ends a turn with a footer, its duration, and nothing in progress', () => {
    const state = fold([
      { type: 'turn_started', turnId: 't' },
      toolCall('a', { status: 'in_progress' }),
      { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
    ]);
    const footer = entry(state, 'turn:t');
    assert.ok(footer.kind === 'turn' && footer.at > footer.startedAt);
    assert.equal(state.turn, undefined);
    assert.equal((entry(state, 'tool_call:a') as { status: string }).status, 'background');
  });

  it('ends the turn, its calls and requests when the agent dies, and keeps a session that the user ended', () => {
    const asked = permissionRequest('p', 'May I');
    const commands = ['running', 'ended'].map(
      (terminalId): EventInput => ({
        type: 'terminal_update',
        terminalId,
        ours: true,
        ...(terminalId === 'ended' && { exitStatus: { exitCode: 0 } }),
      }),
    );
    const dead: EventInput = { type: 'disconnected', failure: { code: 'agent.exited', params: { exitCode: 3 } } };
    const state = fold([
      { type: 'session_ready', sessionId: 's' },
      { type: 'turn_started', turnId: 't' },
      toolCall('a', {}),
      ...commands,
      asked,
      dead,
    ]);
    assert.equal(state.status, 'disconnected');
    assert.deepEqual([state.terminals.running!.released, state.terminals.ended!.released], [true, undefined]);
    assert.deepEqual(state.pendingPermissions, []);
    const request = entry(state, 'permission:p');
    assert.ok(request.kind === 'permission' && request.outcome?.type === 'lost');
    const footer = entry(state, 'turn:t');
    assert.ok(footer.kind === 'turn' && footer.stopReason === 'error' && footer.failure?.code === 'agent.exited');
    assert.equal(fold([{ type: 'session_ended' }, dead]).status, 'ended');
  });

  it('keeps the first answer to a permission request', () => {
    const asked = permissionRequest('p', 'May I');
    const state = fold([
      asked,
      asked,
      { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'yes' },
      { type: 'permission_resolved', permissionId: 'p', outcome: 'cancelled' },
    ]);
    const request = entry(state, 'permission:p');
    assert.ok(request.kind === 'permission' && request.outcome?.type === 'selected' && request.outcome.optionId === 'yes');
    assert.equal(state.entries.length, 1);
  });

  it('adds the newest advice to a request that waits', () => {
    const advised = (...risks: string[]): EventInput => ({ type: 'permission_advised', permissionId: 'p', advice: { risks } });
    const answer: EventInput = { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'yes' };
    const risksAfter = (...events: EventInput[]) => {
      const request = entry(fold([permissionRequest('p', 'May I'), ...events]), 'permission:p');
      return request.kind === 'permission' ? request.subject.advice?.risks : 'no request';
    };
    assert.equal(risksAfter(), undefined);
    assert.deepEqual(risksAfter(advised('deletes'), advised('network')), ['network']);
    assert.deepEqual(risksAfter(advised('deletes'), answer, advised('network')), ['deletes']);
    assert.equal(fold([advised('deletes')]).entries.length, 0);
  });

  it('keeps the files that changed while a permission request waited, as they were at the answer', () => {
    const outdated = (...paths: string[]): EventInput => ({ type: 'permission_outdated', permissionId: 'p', paths });
    const answer: EventInput = { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'yes' };
    const after = (...events: EventInput[]) => {
      const request = entry(fold([permissionRequest('p', 'May I'), ...events]), 'permission:p');
      return request.kind === 'permission' ? request.outdated : 'no request';
    };
    assert.equal(after(), undefined);
    assert.deepEqual(after(outdated('/a'), outdated('/a', '/b')), ['/a', '/b']);
    assert.deepEqual(after(outdated('/a'), outdated()), []);
    assert.deepEqual(after(outdated('/a'), answer, outdated()), ['/a']);
    assert.equal(fold([outdated('/a')]).entries.length, 0);
  });

  it('keeps the rule that answered a permission request, and leaves out anything else in its place', () => {
    const rule = { id: 'team/1', reason: { code: 'a_code_of_later', params: { text: 'no pushes' } } };
    const invalid: unknown[] = [
      7,
      null,
      'team/1',
      { id: 'team/1' },
      { id: '', reason: { code: 'rule' } },
      { id: 'team/1', reason: { code: 'rule', params: { text: 7 } } },
      { id: 'x'.repeat(401), reason: { code: 'rule' } },
    ];
    for (const byRule of [rule, { ...rule, more: 1 }, ...invalid]) {
      const resolved = { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'yes', byRule } as EventInput;
      assert.ok(isSessionEvent({ ...resolved, at: 0 }), 'an event of a journal must stay readable');
      const request = entry(fold([permissionRequest('p', 'May I'), resolved]), 'permission:p');
      assert.ok(request.kind === 'permission' && request.outcome?.optionId === 'yes');
      assert.deepEqual(request.outcome.byRule, invalid.includes(byRule) ? undefined : rule);
    }
  });

  it('keeps a terminal’s newest output, counts what was dropped, and cuts no character in two', () => {
    let state = fold([{ type: 'terminal_update', terminalId: 't', command: 'yes', ours: true }]);
    const piece = '😀'.repeat(1000) + 'x';
    let total = 0;
    for (let n = 0; n < 300; n++) {
      state = fold([{ type: 'terminal_output', terminalId: 't', text: piece }], state);
      total += piece.length;
    }
    const terminal = state.terminals.t!;
    assert.equal(terminal.dropped + terminal.output.length, total);
    assert.ok(terminal.output.length >= TERMINAL_TAIL && terminal.output.length <= 2 * TERMINAL_TAIL);
    assert.ok(terminal.output.isWellFormed());
    assert.equal(terminal.command, 'yes');
  });

  it('keeps an option list complete and changes one value only if the types agree', () => {
    const options = [
      { type: 'select', configId: 'm', name: 'Mode', currentValue: 'ask', groups: [] },
      { type: 'boolean', configId: 'b', name: 'B', currentValue: false },
    ] as const;
    const state = fold([
      { type: 'config_options', options },
      { type: 'config_value', configId: 'm', value: 'auto' },
      { type: 'config_value', configId: 'b', value: 'yes' },
    ]);
    assert.deepEqual(
      state.config.map((option) => 'currentValue' in option && option.currentValue),
      ['auto', false],
    );
  });

  it('keeps the mode of an agent that lists no modes, but no other value without its option', () => {
    const state = fold([
      { type: 'config_value', configId: MODE_CONFIG_ID, value: 'ask' },
      { type: 'config_value', configId: MODE_CONFIG_ID, value: 'auto' },
      { type: 'config_value', configId: 'no', value: 'x' },
    ]);
    assert.deepEqual(
      state.config.map((option) => [option.name, 'currentValue' in option && option.currentValue]),
      [['Mode', 'auto']],
    );
  });
});
