/** Sub-agents in every state, nested, with messages between the agents. */
import type { EventInput } from '../../src/core/model/event';
import { asSubagentEvents } from '../../src/core/subagents/innerEvents';
import type { SubagentPatch } from '../../src/core/model/subagent';

export function subagentCards(): EventInput[] {
  return [
    { type: 'turn_started', turnId: 'subagents' },
    said('user', 'subagents-prompt', 'Split this up.'),
    { type: 'tool_call_update', toolCallId: 'task', patch: { title: 'Task', kind: 'think', status: 'completed' } },
    update('explore', {
      title: 'Explore',
      description: 'Find all callers of greet(), and list them with file and line',
      work: { state: 'running' },
      canCancel: true,
      toolCallId: 'task',
    }),
    ...asSubagentEvents('explore', [
      { type: 'usage', usage: { used: 12_300, size: 200_000 } },
      said('agent', 'one', 'There are **four** callers.'),
      { type: 'tool_call_update', toolCallId: 'read', patch: { title: 'Read index.ts', kind: 'read', status: 'in_progress' } },
    ]),
    update('reader', { title: 'Reader', description: 'Read the tests', work: { state: 'running' } }, 'explore'),
    ...asSubagentEvents('reader', [said('agent', 'one', 'Reading.')]),
    { type: 'session_message', messageId: 'task', recipientId: 'explore', content: [{ type: 'text', text: 'Find all callers.' }] },
    update('tests', { title: 'Test runner', work: { state: 'idle', stopReason: 'error', detail: 'The quota is used up' } }),
    update('writer', { title: 'Writer', work: { state: 'idle', stopReason: 'end_turn', usage: { total: 45_000 } } }),
    update('stopped', { title: 'Reviewer', work: { state: 'idle', stopReason: 'cancelled' } }),
    update('silent', {}),
    { type: 'turn_ended', turnId: 'subagents', stopReason: 'end_turn' },
    {
      type: 'turn_changes',
      turnId: 'subagents',
      changes: {
        files: [
          { path: '/home/ada/sample/src/index.ts', operation: 'modify', added: 3, removed: 1, hasText: true, subagents: ['explore'] },
        ],
      },
    },
  ];
}

function update(subagentId: string, patch: SubagentPatch, parentId?: string): EventInput {
  return { type: 'subagent_update', subagentId, patch, ...(parentId !== undefined && { parentId }) };
}

function said(role: 'user' | 'agent', messageId: string, text: string): EventInput {
  return { type: 'message', role, messageId, content: [{ type: 'text', text }] };
}
