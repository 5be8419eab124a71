/** Random session events over a small set of ids, so that they often refer to the same items. */
import fc from 'fast-check';
import type { ContentBlock, ToolContent } from '../../../src/core/model/content';
import type { SessionEvent, EventInput } from '../../../src/core/model/event';
import { asSubagentEvents } from '../../../src/core/subagents/innerEvents';
import { isInner } from '../../../src/core/model/innerEvent';

const few = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const text = fc.string({ maxLength: 12 });
const opt = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
/** Omitted, null or a value. */
const patched = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(value, fc.constant(null), fc.constant(undefined));

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  { weight: 4, arbitrary: text.map((value): ContentBlock => ({ type: 'text', text: value })) },
  fc.constant<ContentBlock>({ type: 'image', data: 'aGk=', mimeType: 'image/png' }),
  fc.constant<ContentBlock>({ type: 'unknown', raw: { type: 'hologram' } }),
);

const toolContent: fc.Arbitrary<ToolContent> = fc.oneof(
  block.map((content): ToolContent => ({ type: 'content', content })),
  fc.tuple(text, few(10, 300_000)).map(
    ([newText, times]): ToolContent => ({
      type: 'diff',
      changes: [{ operation: 'modify', path: '/w/a.ts', oldText: 'x'.repeat(times), newText: 'y'.repeat(times) + newText }],
    }),
  ),
  few('t1', 't2').map((terminalId): ToolContent => ({ type: 'terminal', terminalId })),
);

const raw = fc.oneof(
  fc.constant(null),
  fc.constant(undefined),
  fc.record({ command: text }),
  few('short', 'z'.repeat(5000)),
  fc.constant({ big: 'q'.repeat(6000) }),
);
const status = few('pending', 'in_progress', 'completed', 'failed', 'cancelled', 'sleeping');

function record<E>(type: string, fields: { [K in string]: fc.Arbitrary<unknown> }): fc.Arbitrary<E> {
  return fc.record(fields).map((values) => {
    const result: Record<string, unknown> = { type };
    for (const [key, value] of Object.entries(values)) {
      if (value !== undefined) {
        result[key] = value;
      }
    }
    return result as E;
  });
}

const ids = few('1', '2', '3', '4', '5', '6', '7', '8');

const event: fc.Arbitrary<EventInput> = fc.oneof(
  {
    weight: 8,
    arbitrary: record<EventInput>('message_chunk', { role: few('user', 'agent', 'thought'), messageId: ids, content: block }),
  },
  record<EventInput>('message', { role: few('agent', 'user'), messageId: ids, content: patched(fc.array(block, { maxLength: 3 })) }),
  {
    weight: 8,
    arbitrary: record<EventInput>('tool_call_update', {
      toolCallId: ids,
      meta: opt(fc.constant({ vendor: 1 })),
      patch: record('', {
        title: patched(text),
        kind: patched(few('edit', 'read', 'dance')),
        status: patched(status),
        content: patched(fc.array(toolContent, { maxLength: 2 })),
        locations: patched(fc.constant([{ path: '/w/a.ts', line: 3 }])),
        rawInput: raw,
        rawOutput: raw,
        canCancel: patched(fc.constant(true)),
      }),
    }),
  },
  record<EventInput>('entries_placed', {
    moves: fc.array(
      record('', {
        entryIds: fc.array(few('agent:1', 'user:2', 'tool_call:3', 'tool_call:1', 'agent:none'), { maxLength: 3 }),
        before: opt(few('agent:2', 'user:1', 'tool_call:1', 'agent:none')),
      }),
      { maxLength: 3 },
    ),
  }),
  record<EventInput>('tool_call_content_chunk', { toolCallId: ids, content: toolContent }),
  record<EventInput>('permission_requested', {
    permissionId: ids,
    title: text,
    options: fc.constant([{ optionId: 'a', name: 'Allow', kind: 'allow_once' }]),
    subject: record('', {
      toolCallId: opt(ids),
      content: opt(fc.array(toolContent, { maxLength: 2 })),
      rawInput: raw,
      reason: opt(fc.constant({ type: 'command', unasked: true, variables: ['A'] })),
    }),
  }),
  record<EventInput>('permission_resolved', {
    permissionId: ids,
    outcome: few('selected', 'cancelled', 'withdrawn', 'lost'),
    optionId: opt(few('a')),
  }),
  record<EventInput>('turn_started', { turnId: ids }),
  record<EventInput>('turn_cancelling', { interrupting: opt(fc.boolean()) }),
  record<EventInput>('stop_unanswered', {}),
  { weight: 2, arbitrary: record<EventInput>('work_started', { workId: few('w1', 'w2'), isLate: opt(fc.constant(true)) }) },
  record<EventInput>('work_ended', { workId: few('w1', 'w2') }),
  record<EventInput>('turn_activity', { activity: few('running', 'requires_action', 'dreaming') }),
  record<EventInput>('background_work', {
    items: opt(
      fc.array(few<object>({ type: 'tool_call', toolCallId: '1' }, { type: 'terminal', terminalId: 't1' }, { type: 'odd' }), {
        maxLength: 2,
      }),
    ),
  }),
  record<EventInput>('background_task', {
    taskId: few('k1', 'k2'),
    patch: record('', {
      name: patched(text),
      taskKind: opt(few('turn', 'shell')),
      status: patched(few('running', 'completed', 'stopped', 'odd')),
      canStop: opt(fc.boolean()),
      toolCallId: opt(ids),
    }),
  }),
  record<EventInput>('background_task_stopping', { taskId: few('k1', 'k2'), stopping: fc.boolean() }),
  record<EventInput>('prompt_suggestions', { suggestions: fc.array(text, { maxLength: 2 }) }),
  record<EventInput>('message_queued', { queueId: ids, content: fc.array(block, { maxLength: 2 }), size: few(1, 20) }),
  record<EventInput>('queued_message_editing', { queueId: ids, editing: fc.boolean() }),
  record<EventInput>('queued_message_edited', { queueId: ids, content: fc.array(block, { maxLength: 2 }), size: few(2, 30) }),
  record<EventInput>('queued_message_moved', { queueId: ids, index: few(0, 1, 9) }),
  record<EventInput>('queued_message_first', { queueId: ids }),
  record<EventInput>('config_pending', {
    options: fc.array(fc.record({ configId: ids, value: fc.boolean() }), { maxLength: 2 }),
    overdue: fc.boolean(),
  }),
  record<EventInput>('queued_message_steering', { queueId: ids, steering: fc.boolean() }),
  record<EventInput>('queued_message_removed', { queueId: ids }),
  record<EventInput>('queue_paused', {}),
  record<EventInput>('queue_resumed', {}),
  record<EventInput>('turn_ended', {
    turnId: ids,
    stopReason: few('end_turn', 'cancelled', 'error'),
    changes: opt(fc.constant({ files: [{ path: '/w/a.ts', operation: 'modify', added: 1, removed: 0 }] })),
  }),
  record<EventInput>('turn_changes', {
    turnId: ids,
    changes: few({ files: [] }, { files: [{ path: '/w/b.ts', operation: 'add' }], more: 2 }),
  }),
  record<EventInput>('change_report', {
    files: few([], [{ path: '/w/a.ts', undone: 2 }], [{ path: '/w/a.ts', changed: 1, whole: 'restored' as const }]),
  }),
  record<EventInput>('pending_changes', {
    changes: few(
      undefined,
      { files: [{ path: '/w/a.ts', operation: 'modify', added: 1, removed: 2 }], added: 1, removed: 2 },
      { files: [{ path: '/w/b', oldPath: '/w/a', operation: 'move', undo: 'no' as const }], more: 1, added: 0, removed: 0 },
    ),
  }),
  record<EventInput>('running_changes', {
    files: few([], [{ path: '/w/a.ts', operation: 'modify' }], [{ path: '/w/b.ts', operation: 'add' }]),
    more: opt(few(1, 2)),
  }),
  record<EventInput>('file_written', {
    file: fc.record({ path: few('/w/a.ts', '/w/b.ts'), operation: few('add', 'modify'), added: few(0, 3), removed: few(0, 2) }),
  }),
  record<EventInput>('terminal_update', {
    terminalId: few('t1', 't2'),
    command: patched(text),
    output: patched(text),
    exitStatus: patched(fc.constant({ exitCode: 0 })),
    canCancel: patched(fc.constant(true)),
    released: opt(fc.boolean()),
  }),
  record<EventInput>('terminal_output', {
    terminalId: few('t1', 't2'),
    text: fc.oneof(text, few('w'.repeat(100_000))),
    skipped: opt(few(7)),
  }),
  record<EventInput>('plan_update', {
    planId: few('plan', 'other'),
    plan: few({ type: 'items', entries: [] }, { type: 'items', entries: [{ content: 'Look', priority: 'low', status: 'completed' }] }),
  }),
  record<EventInput>('diff_located', {
    entryId: few('tool_call:1', 'tool_call:2', 'permission:1', 'agent:1'),
    lines: fc.array(fc.record({ content: few(0, 1), change: few(0, 7), line: few(1, 30) }), { maxLength: 2 }),
  }),
  record<EventInput>('elicitation_requested', {
    requestKey: ids,
    message: text,
    body: fc.constant({ mode: 'form', fields: [] }),
    toolCallId: opt(ids),
  }),
  record<EventInput>('elicitation_resolved', { requestKey: ids, outcome: few('accepted', 'lost') }),
  record<EventInput>('plan_removed', { planId: few('plan', 'other') }),
  record<EventInput>('session_info', { title: patched(text), updatedAt: patched(few('2026-01-01T00:00:00Z')) }),
  record<EventInput>('config_options', {
    options: fc.constant([{ type: 'boolean', configId: 'b', name: 'B', currentValue: false }]),
  }),
  record<EventInput>('config_value', { configId: few('b', 'c'), value: fc.oneof(fc.boolean(), text) }),
  record<EventInput>('usage', { usage: fc.constant({ used: 1, size: 2 }), clearsCost: opt(fc.constant(true)) }),
  record<EventInput>('notice', { noticeId: ids, severity: few('info', 'purple'), title: text }),
  record<EventInput>('compaction_update', {
    compactionId: ids,
    status: opt(few('completed', 'failed')),
    summary: patched(fc.array(block, { maxLength: 2 })),
    error: patched(text),
  }),
  record<EventInput>('compaction_chunk', { compactionId: ids, content: block }),
  record<EventInput>('unknown', { unknownId: ids, label: text, raw }),
  record<EventInput>('session_ready', { sessionId: few('s') }),
  record<EventInput>('disconnected', { failure: fc.constant({ code: 'agent.exited' }) }),
  record<EventInput>('session_ended', {}),
);

const subagents = few('s1', 's2', 's3');

/** Events about subagents, and events of their conversations. */
const subagentEvent: fc.Arbitrary<EventInput> = fc.oneof(
  record<EventInput>('subagent_update', {
    subagentId: subagents,
    parentId: opt(subagents),
    isImplied: opt(fc.constant(true)),
    patch: record('', {
      title: patched(text),
      description: patched(text),
      canCancel: patched(fc.boolean()),
      toolCallId: opt(ids),
      work: patched(
        few<object>(
          { state: 'running' },
          { state: 'requires_action' },
          { state: 'idle', stopReason: 'cancelled' },
          { state: 'idle' },
          { state: 'odd' },
        ),
      ),
    }),
  }),
  record<EventInput>('subagent_cancelling', { subagentId: subagents }),
  record<EventInput>('session_message', {
    messageId: ids,
    senderId: patched(subagents),
    recipientId: patched(subagents),
    content: patched(fc.array(block, { maxLength: 2 })),
  }),
  record<EventInput>('session_message_chunk', { messageId: ids, content: block }),
);
const innerEvent: fc.Arbitrary<EventInput> = fc
  .tuple(subagents, fc.oneof({ weight: 2, arbitrary: event.filter(isInner) }, subagentEvent.filter(isInner)))
  .map(([subagentId, inner]) => asSubagentEvents(subagentId, [inner])[0]!);

/** Events with growing times. */
export const eventSequence: fc.Arbitrary<SessionEvent[]> = fc
  .array(fc.oneof({ weight: 6, arbitrary: event }, { weight: 2, arbitrary: subagentEvent }, { weight: 3, arbitrary: innerEvent }), {
    maxLength: 60,
  })
  .map((events) => events.map((value, index) => ({ ...value, at: 1000 + index }) as SessionEvent));
