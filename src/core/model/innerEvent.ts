/** The kinds of events in a subagent's conversation. They are not beside the schemas, because the host loads those late. */
/** One event of a subagent's conversation, without its time. `SessionEvent` cannot contain itself, so its type is only known to the reducer. */
export interface InnerEvent {
  readonly type: string;
}

/** The kinds of events that a subagent's conversation can have. The others belong to the session. */
const INNER: ReadonlySet<string> = new Set([
  'message',
  'message_chunk',
  'tool_call_update',
  'tool_call_content_chunk',
  'plan_update',
  'plan_removed',
  'config_options',
  'config_value',
  'available_commands',
  'usage',
  'session_info',
  'notice',
  'compaction_update',
  'compaction_chunk',
  'diff_located',
  'entries_placed',
  'session_message',
  'session_message_chunk',
  'unknown',
]);

/** True for an event that can be part of a subagent's conversation. */
export function isInner({ type }: InnerEvent): boolean {
  return INNER.has(type);
}
