/** The place of an agent's work. */
import assert from 'node:assert/strict';
import type { SessionEvent, ToolCallPatch, EventInput } from '../../../../src/core/model/event';
import { EMPTY_STATE, entryIdOf } from '../../../../src/core/model/state';
import { reduce } from '../../../../src/core/reduce/reduce';
import { type FollowedLocation, followedLocation } from '../../../../src/application/follow/followedLocation';

const call = (toolCallId: string, patch: ToolCallPatch): EventInput => ({ type: 'tool_call_update', toolCallId, patch });

/** The place after each batch. */
function places(...batches: EventInput[][]): (FollowedLocation | undefined)[] {
  let state = EMPTY_STATE;
  return batches.map((batch) => {
    const events = batch.map((event) => ({ ...event, at: 1 }) as SessionEvent);
    state = events.reduce(reduce, state);
    return followedLocation(state, events);
  });
}

describe('following an agent', () => {
  it('shows the newest file of a tool call, at its line', () => {
    const read = call('r', { kind: 'read', locations: [{ path: '/w/a' }, { path: '/w/b', line: 7 }] });
    const edit = call('e', { kind: 'edit', locations: [{ path: '/w/c', line: 2 }] });
    assert.deepEqual(
      places([read], [read, edit], [call('e', { status: 'completed' })], [call('r', { locations: [{ path: '/w/d', line: 0 }] })]),
      [{ path: '/w/b', line: 7 }, { path: '/w/c', line: 2 }, undefined, { path: '/w/d' }],
    );
  });

  it('shows the line of a change once that is known, and written files', () => {
    const diff = call('e', {
      kind: 'edit',
      content: [{ type: 'diff', changes: [{ operation: 'modify', path: '/w/a', oldText: 'x', newText: 'y' }] }],
    });
    const located: EventInput = {
      type: 'diff_located',
      entryId: entryIdOf.toolCall('e'),
      lines: [{ content: 0, change: 0, line: 12 }],
    };
    const written: EventInput = { type: 'file_written', file: { path: '/w/z', operation: 'add', added: 1, removed: 0 } };
    const [first, second, third] = places([diff], [located], [written]);
    assert.deepEqual([first, second, third], [{ path: '/w/a' }, { path: '/w/a', line: 12 }, { path: '/w/z' }]);
  });

  it('ignores searches, failures, messages and commands', () => {
    assert.deepEqual(
      places(
        [call('s', { kind: 'search', locations: [{ path: '/w/a' }] })],
        [call('f', { kind: 'read', status: 'failed', locations: [{ path: '/w/a' }] })],
        [call('x', { kind: 'execute', title: 'ls' })],
        [{ type: 'message_chunk', role: 'agent', messageId: 'm', content: { type: 'text', text: '/w/a' } }],
      ),
      [undefined, undefined, undefined, undefined],
    );
  });
});
