/** The events of a session that other extensions receive. */
import assert from 'node:assert/strict';
import type { AcpSessionEvent } from '../../../../src/api';
import type { EventInput } from '../../../../src/core/model/event';
import { SessionStore } from '../../../../src/session/state/store';
import { apiEvents } from '../../../../src/workbench/api/sessionEvents';
import { FakeClock } from '../../session/permission/fakes';

function hear(...batches: EventInput[][]): AcpSessionEvent[] {
  const store = new SessionStore(new FakeClock());
  const heard: AcpSessionEvent[] = [];
  let before = store.state;
  store.onEvents((_, events, whole) => {
    heard.push(...apiEvents(before, store.state, events, whole));
    before = store.state;
  });
  batches.forEach((batch) => store.append(...batch));
  return heard;
}

const OPEN: EventInput[] = [
  { type: 'session_opened', agentName: 'A', cwd: '/w' },
  { type: 'session_ready', sessionId: 'S' },
];

describe('the events for other extensions', () => {
  it('are messages, tool calls as they are, questions, and the end of the turn', () => {
    const heard = hear(
      OPEN,
      [{ type: 'turn_started', turnId: 't' }],
      [
        { type: 'message_chunk', role: 'agent', messageId: 'm', content: { type: 'text', text: 'Hi' } },
        { type: 'message', role: 'agent', messageId: 'm', content: [{ type: 'text', text: 'Hello' }] },
        { type: 'tool_call_update', toolCallId: 'c', patch: { title: 'Read', kind: 'read', locations: [{ path: '/w/a', line: 3 }] } },
      ],
      [{ type: 'tool_call_update', toolCallId: 'c', patch: { status: 'completed' } }],
      [
        {
          type: 'permission_requested',
          permissionId: 'p',
          title: 'May I?',
          options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
          subject: { toolCallId: 'c' },
        },
      ],
      [{ type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' }],
      [{ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' }],
    );
    const call = { type: 'toolCall', toolCallId: 'c', title: 'Read', kind: 'read', locations: [{ path: '/w/a', line: 3 }] };
    assert.deepEqual(heard, [
      { type: 'statusChanged', status: 'ready' },
      { type: 'turnStarted', turnId: 't' },
      { type: 'messageChunk', role: 'agent', messageId: 'm', text: 'Hi', replaces: false },
      { type: 'messageChunk', role: 'agent', messageId: 'm', text: 'Hello', replaces: true },
      { ...call, status: 'pending' },
      { ...call, status: 'completed' },
      {
        type: 'permissionRequested',
        permissionId: 'p',
        title: 'May I?',
        options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
        toolCallId: 'c',
      },
      { type: 'permissionResolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
      { type: 'turnEnded', turnId: 't', stopReason: 'end_turn' },
    ]);
  });

  it('include the end of a turn, however it ends', () => {
    const heard = hear(OPEN, [{ type: 'turn_started', turnId: 't' }], [{ type: 'disconnected', failure: { code: 'agent.exited' } }]);
    assert.deepEqual(heard.slice(2), [
      { type: 'turnEnded', turnId: 't', stopReason: 'error', errorCode: 'agent.exited' },
      { type: 'statusChanged', status: 'disconnected' },
    ]);
  });

  it('exclude internal events', () => {
    assert.deepEqual(hear(OPEN, [{ type: 'unknown', kind: 'x', raw: {} } as never, { type: 'session_info', title: 'T' }]).slice(1), []);
  });
});
