import assert from 'node:assert/strict';
import type { EventInput, SessionEvent } from '../../../../src/core/model/event';
import { EMPTY_STATE, isAbsent, type SessionState, type ToolCallEntry } from '../../../../src/core/model/state';
import { fromSnapshot, toSnapshot } from '../../../../src/core/protocol/snapshot';
import { reduce } from '../../../../src/core/reduce/reduce';
import { asSubagentEvents } from '../../../../src/core/subagents/innerEvents';
import type { SubagentPatch } from '../../../../src/core/model/subagent';
import {
  branchOf,
  canStop,
  conversationOf,
  outlivesStop,
  slotIn,
  subagentOf,
  subagentStatus,
  type SubagentState,
  waitingSubagents,
} from '../../../../src/core/subagents/subagentTree';
import { chunk, permissionRequest, stateOf, toolCall } from '../../../support/events';

const update = (subagentId: string, patch: SubagentPatch = {}, more: object = {}): EventInput => ({
  type: 'subagent_update',
  subagentId,
  patch,
  ...more,
});
const runs: SubagentPatch = { work: { state: 'running' }, canCancel: true };
const idle = (stopReason?: string): SubagentPatch => ({ work: { state: 'idle', ...(stopReason !== undefined && { stopReason }) } });
const inner = (subagentId: string, event: EventInput): EventInput => asSubagentEvents(subagentId, [event])[0]!;
const child = (state: SessionState, id: string): SubagentState => subagentOf(state, id)!;
const ids = ({ entries }: SessionState): string[] => [...entries].map(({ entryId }) => entryId);
const statusOf = (state: SessionState, id: string): string => subagentStatus(child(state, id), waitingSubagents(state).has(id));
const at = (time: number, event: EventInput): SessionEvent => ({ ...event, at: time }) as SessionEvent;

describe('subagents', () => {
  it('have a card in the conversation of their parent, and a conversation of their own', () => {
    const state = stateOf([
      chunk('Before'),
      update('x', { title: 'Explore' }),
      update('y', {}, { parentId: 'x' }),
      inner('x', chunk('Looking')),
      inner('y', chunk('Deeper')),
      inner('x', chunk(' around')),
      chunk('After', 'n'),
    ]);
    assert.deepEqual(ids(state), ['agent:m', 'subagent:x', 'agent:n']);
    assert.deepEqual(ids(child(state, 'x').conversation), ['subagent:y', 'agent:x/m']);
    assert.deepEqual(ids(child(state, 'y').conversation), ['agent:y/m']);
    const slot = slotIn(state, 'agent:x/m');
    assert.ok(slot && !isAbsent(slot) && slot.kind === 'message');
    assert.deepEqual(slot.content, [{ type: 'text', text: 'Looking around' }]);
    assert.equal(conversationOf(state, 'agent:gone'), undefined);
    assert.deepEqual([...branchOf(state, 'x')], ['x', 'y']);
  });

  it('are ignored with an unknown parent, as their own parent, or before their announcement', () => {
    const before = stateOf([chunk('Hi')]);
    for (const event of [
      update('x', {}, { parentId: 'y' }),
      update('x', {}, { parentId: 'x' }),
      inner('x', chunk('?')),
      { type: 'subagent_cancelling', subagentId: 'x' } as const,
      inner('__proto__', chunk('?')),
    ]) {
      assert.equal(reduce(before, at(9, event)), before);
    }
    const odd = stateOf([update('__proto__', { title: 'P' }), update('constructor', { title: 'C' }, { parentId: '__proto__' })]);
    assert.deepEqual([child(odd, '__proto__').title, child(odd, 'constructor').parentId], ['P', '__proto__']);
  });

  it('keep, change and clear the fields of their announcement', () => {
    const first = stateOf([update('x', { title: 'Explore', description: 'Find it', ...runs })]);
    const second = reduce(first, at(5, update('x', { title: null, description: 'Find more' })));
    const { title, description, canCancel } = child(second, 'x');
    assert.deepEqual([title, description, canCancel], [undefined, 'Find more', true]);
    assert.equal(canStop(child(reduce(second, at(6, update('x', { canCancel: null }))), 'x')), false);
  });

  it('count the time of their work, and may work again', () => {
    const events = [
      at(10, update('x', runs)),
      at(30, update('x', idle('end_turn'))),
      at(50, update('x', runs)),
      at(55, update('x', idle('cancelled'))),
    ];
    const states = events.map((_, index) => child(events.slice(0, index + 1).reduce(reduce, stateOf([])), 'x'));
    assert.deepEqual(
      states.map(({ worked, runsSince, ...rest }) => [worked, runsSince, subagentStatus(rest, false)]),
      [
        [0, 10, 'running'],
        [20, undefined, 'completed'],
        [20, 50, 'running'],
        [25, undefined, 'cancelled'],
      ],
    );
  });

  it('show the tool that they use, also in a view without its body', () => {
    const events = [
      update('x', runs),
      inner('x', toolCall('1', { title: 'Read a.ts', status: 'in_progress' })),
      inner('x', toolCall('2', { title: 'Search', status: 'in_progress' })),
    ];
    const host = stateOf(events);
    const titles = (state: SessionState): string[] => child(state, 'x').openTools.map(({ title }) => title);
    const view = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(host, { tail: 9 }))));
    assert.ok([...child(view, 'x').conversation.entries].every(isAbsent));
    const renamed = at(8, inner('x', toolCall('1', { title: 'Read b.ts' })));
    const done = at(9, inner('x', toolCall('2', { status: 'completed' })));
    for (const state of [host, view]) {
      assert.deepEqual(titles(state), ['Read a.ts', 'Search']);
      assert.deepEqual(titles([renamed, done].reduce(reduce, state)), ['Read b.ts']);
      assert.deepEqual(titles(reduce(state, at(9, update('x', idle())))), []);
    }
  });

  it('survive the end of the turn, unless the agent has not announced them', () => {
    const state = stateOf([
      { type: 'turn_started', turnId: 't' },
      update('x', runs),
      update('y', { work: { state: 'running' } }, { isImplied: true }),
      { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
    ]);
    assert.deepEqual([statusOf(state, 'x'), statusOf(state, 'y')], ['running', 'completed']);
  });

  it('have an unknown state and no Stop after the agent is lost, and when the session is opened again', () => {
    for (const event of [
      { type: 'disconnected', failure: { code: 'agent.exited' } },
      { type: 'session_ready', sessionId: 's' },
      { type: 'session_ended' },
    ] as const) {
      const state = stateOf([update('x', runs), inner('x', toolCall('1', { status: 'in_progress' })), update('y', idle()), event]);
      assert.deepEqual([statusOf(state, 'x'), statusOf(state, 'y'), canStop(child(state, 'x'))], ['unknown', 'completed', false]);
      const { entries, openToolCalls } = child(state, 'x').conversation;
      assert.deepEqual([openToolCalls, [...entries].map((entry) => (entry as ToolCallEntry).status)], [[], ['unfinished']]);
    }
  });

  it('keep their end when the agent forgets it as it closes', () => {
    const unknown = update('x', { work: { state: 'unknown' } });
    const closed = stateOf([update('x', idle('end_turn')), { type: 'session_ended' }, unknown]);
    assert.equal(statusOf(closed, 'x'), 'completed');
    assert.equal(statusOf(stateOf([update('x', idle('end_turn')), unknown]), 'x'), 'unknown');
  });

  it('outlive Stop when an earlier turn has started them, or one of their parents, even in the same millisecond', () => {
    const turn = (turnId: string): EventInput => ({ type: 'turn_started', turnId });
    const end = (turnId: string): EventInput => ({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
    const events = [
      turn('one'),
      update('early', runs),
      update('implied', runs, { isImplied: true }),
      end('one'),
      update('between', runs),
      turn('two'),
      update('now', runs),
      update('inner', runs, { parentId: 'now' }),
      update('detached', runs, { parentId: 'early' }),
    ];
    const outliving = (state: SessionState): string[] =>
      state.subagents!.filter((each) => outlivesStop(state, each)).map(({ subagentId }) => subagentId);
    const state = events.map((event) => at(1, event)).reduce(reduce, EMPTY_STATE);
    assert.deepEqual(outliving(state), ['early', 'between', 'detached']);
    assert.deepEqual(outliving(fromSnapshot(toSnapshot(state, { tail: 60 }))), ['early', 'between', 'detached']);
    assert.deepEqual(outliving(reduce(state, at(1, end('two')))), []);
  });

  it('are stopped with their descendants, whose tool calls end at once', () => {
    const state = stateOf([
      update('x', runs),
      update('y', runs, { parentId: 'x' }),
      update('z', runs),
      inner('y', toolCall('1', { status: 'in_progress' })),
      { type: 'subagent_cancelling', subagentId: 'x' },
      inner('y', toolCall('2', { title: 'Late', status: 'in_progress' })),
    ]);
    assert.deepEqual(
      ['x', 'y', 'z'].map((id) => statusOf(state, id)),
      ['stopping', 'stopping', 'running'],
    );
    assert.equal(canStop(child(state, 'x')), false);
    const calls = ['1', '2'].map((id) => slotIn(state, `tool_call:y/${id}`));
    assert.deepEqual(
      calls.map((slot) => slot?.kind === 'tool_call' && !isAbsent(slot) && slot.status),
      ['cancelled', 'cancelled'],
    );
    assert.equal(statusOf(reduce(state, at(9, update('x', idle('cancelled')))), 'x'), 'cancelled');
  });

  it('wait at every level while one of them asks', () => {
    const asked = { ...permissionRequest('p', 'May I?'), subagentId: 'y', askedBy: 'Read' };
    const state = stateOf([update('x', runs), update('y', runs, { parentId: 'x' }), update('z', runs), asked]);
    assert.deepEqual(
      ['x', 'y', 'z'].map((id) => statusOf(state, id)),
      ['waiting', 'waiting', 'running'],
    );
    const answered = reduce(state, at(9, { type: 'permission_resolved', permissionId: 'p', outcome: 'selected' }));
    assert.equal(statusOf(answered, 'x'), 'running');
  });

  it('follow the tool call that refers to them, in the order of its references', () => {
    const session = (sessionId: string) => ({ type: 'session', sessionId }) as const;
    const state = stateOf([
      update('x'),
      update('y'),
      chunk('Meanwhile'),
      toolCall('t', { title: 'Task' }),
      chunk('Then', 'n'),
      toolCall('t', { content: [session('y'), session('x'), session('gone')] }),
      update('z', { toolCallId: 't' }, { isImplied: true }),
    ]);
    assert.deepEqual(ids(state), ['agent:m', 'tool_call:t', 'subagent:y', 'subagent:x', 'subagent:z', 'agent:n']);
    const nested = stateOf([update('p'), update('c', {}, { parentId: 'p' }), inner('p', toolCall('t', { content: [session('c')] }))]);
    assert.deepEqual(ids(child(nested, 'p').conversation), ['tool_call:p/t', 'subagent:c']);
  });

  it('end with the tool call that started them, if the agent has not announced them', () => {
    const state = stateOf([toolCall('t', { status: 'in_progress' }), update('x', { ...runs, toolCallId: 't' }, { isImplied: true })]);
    for (const [status, expected] of [
      ['completed', 'completed'],
      ['failed', 'failed'],
      ['cancelled', 'cancelled'],
    ] as const) {
      assert.equal(statusOf(reduce(state, at(9, toolCall('t', { status }))), 'x'), expected);
    }
  });

  it('exchange messages with their parent', () => {
    const state = stateOf([
      update('x'),
      { type: 'session_message', messageId: 'm', senderId: 's', recipientId: 'x', content: [{ type: 'text', text: 'Find' }] },
      { type: 'session_message_chunk', messageId: 'm', content: { type: 'text', text: ' it' } },
      { type: 'session_message', messageId: 'm', senderId: null },
    ]);
    const slot = slotIn(state, 'session_message:m');
    assert.ok(slot && !isAbsent(slot) && slot.kind === 'session_message');
    assert.deepEqual([slot.senderId, slot.recipientId, slot.content], [undefined, 'x', [{ type: 'text', text: 'Find it' }]]);
  });
});
