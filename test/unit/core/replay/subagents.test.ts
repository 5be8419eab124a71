import assert from 'node:assert/strict';
import type { EventInput, SessionEvent } from '../../../../src/core/model/event';
import { isAbsent, type SessionState } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { layOver } from '../../../../src/core/replay/layOver';
import { asSubagentEvents } from '../../../../src/core/subagents/innerEvents';
import { subagentOf, subagentsIn } from '../../../../src/core/subagents/subagentTree';
import { chunk, message, stateOf } from '../../../support/events';

const update = (subagentId: string, parentId?: string): EventInput => ({
  type: 'subagent_update',
  subagentId,
  patch: { title: subagentId.toUpperCase(), work: { state: 'idle' } },
  ...(parentId !== undefined && { parentId }),
});
const says = (subagentId: string, ...texts: string[]): EventInput[] =>
  texts.flatMap((said, index) => asSubagentEvents(subagentId, [chunk(said, `m${index}`)]));
const textsOf = (state: SessionState, id: string): string[] =>
  [...subagentOf(state, id)!.conversation.entries].map((slot) =>
    !isAbsent(slot) && slot.kind === 'message'
      ? slot.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      : slot.entryId,
  );

/** The record with a replay laid over it. */
function over(record: readonly EventInput[], replayed: readonly EventInput[]): SessionState {
  const events = replayed.map((event, index) => ({ ...event, at: 100 + index }) as SessionEvent);
  const before = stateOf(record);
  return layOver(before, stateOf(replayed), events).events.reduce(reduce, before);
}

const prompt = message('Find', 'u', 'user');

describe('a replay of subagents', () => {
  it('changes nothing that is recorded already', () => {
    const events = [prompt, update('x'), ...says('x', 'One', 'Two'), update('y', 'x'), ...says('y', 'Three')];
    const state = over([...events, message('A later answer', 'z')], events);
    assert.deepEqual([textsOf(state, 'x'), textsOf(state, 'y')], [['One', 'Two', 'subagent:y'], ['Three']]);
    assert.deepEqual(
      [...state.entries].map(({ entryId }) => entryId),
      ['user:u', 'subagent:x', 'agent:z'],
    );
  });

  it('adds new subagents, nested ones included', () => {
    const state = over(
      [prompt, message('Done', 'a')],
      [prompt, update('x'), ...says('x', 'One'), update('y', 'x'), ...says('y', 'Two'), message('Done', 'a')],
    );
    assert.deepEqual(
      [...state.entries].map(({ entryId }) => entryId),
      ['user:u', 'subagent:x', 'agent:a'],
    );
    assert.deepEqual([textsOf(state, 'x'), textsOf(state, 'y')], [['One', 'subagent:y'], ['Two']]);
  });

  it('adds what a longer conversation has more, and leaves a shorter one', () => {
    const record = [
      prompt,
      update('x'),
      ...says('x', 'One'),
      update('y', 'x'),
      update('z'),
      ...says('z', 'A', 'B', 'C'),
      message('More', 'n'),
    ];
    const state = over(record, [prompt, update('x'), update('y', 'x'), ...says('x', 'One', 'Two'), update('z'), ...says('z', 'A')]);
    assert.deepEqual(textsOf(state, 'x').toSorted(), ['One', 'Two', 'subagent:y']);
    assert.deepEqual(textsOf(state, 'z'), ['A', 'B', 'C']);
    assert.equal(subagentsIn(state).length, 3);
  });

  it('removes no output, diff or text of a conversation that it has with less', () => {
    const call = (status: string, more: object = {}): EventInput[] =>
      asSubagentEvents('x', [{ type: 'tool_call_update', toolCallId: 'c', patch: { title: 'Edit', status, ...more } } as EventInput]);
    const rich = {
      rawOutput: { output: 'all lines' },
      content: [{ type: 'diff', changes: [{ operation: 'modify', path: '/w/a', oldText: 'a', newText: 'b' }] }],
    };
    const record = [prompt, update('x'), ...says('x', 'A long text'), ...call('completed', rich)];
    const shorter = [prompt, update('x'), ...says('x', 'A long'), ...call('completed')];
    const entriesOf = (state: SessionState): unknown => [...subagentOf(state, 'x')!.conversation.entries];
    assert.deepEqual(entriesOf(over(record, shorter)), entriesOf(stateOf(record)));
    const more = [...shorter, ...asSubagentEvents('x', [chunk('And then', 'n')])];
    assert.deepEqual(textsOf(over(record, more), 'x'), ['A long text', 'tool_call:x/c', 'And then']);
    assert.deepEqual(entriesOf(over(more, record)), entriesOf(over(record, more)), 'in the other order, too');
  });

  it('corrects a tool call, and is kept beside a conversation that it contradicts', () => {
    const call = (status: string): EventInput[] =>
      asSubagentEvents('x', [{ type: 'tool_call_update', toolCallId: 'c', patch: { title: 'Edit', status } } as EventInput]);
    const corrected = over([prompt, update('x'), ...call('in_progress')], [prompt, update('x'), ...call('failed')]);
    const slot = subagentOf(corrected, 'x')!.conversation.entries.get('tool_call:x/c');
    assert.equal(slot?.kind === 'tool_call' && !isAbsent(slot) && slot.status, 'failed');
    const other = over([prompt, update('x'), ...says('x', 'One')], [prompt, update('x'), ...says('x', 'Another')]);
    assert.deepEqual(textsOf(other, 'x').toSorted(), ['Another', 'One']);
  });
});
