/**
 * The early dialect: agents written for a draft of the protocol. Their updates name the kind in `type`, their tool calls have `toolName`, `input`,
 * `output` and `error`, their permission requests are updates, and their prompts are text. This file recognizes them. The reader
 * (`v1/early/reader.ts`) is loaded with the first message of the dialect. See docs/decisions/wire/early-dialect.md.
 */
import { type Fields, isPresent, isRecord } from '../../json/fields';

/** The kinds of updates in the dialect. */
const KINDS: ReadonlySet<unknown> = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'user_message_chunk',
  'tool_call',
  'tool_call_update',
  'permission_request',
  'plan',
]);

/**
 * True for an update that no agent of version 1 sends. The protocol requires `sessionUpdate` in every update, and `title` in a `tool_call`, and has no
 * `permission_request`.
 */
export function isEarlyUpdate({ sessionUpdate: kind, type, toolName, title }: Fields): boolean {
  return isPresent(kind)
    ? typeof toolName === 'string' && (kind === 'permission_request' || (kind === 'tool_call' && !isPresent(title)))
    : KINDS.has(type);
}

/** True for a message with an update of the dialect. */
export function isEarlyMessage(method: string, params: unknown): boolean {
  return method === 'session/update' && isRecord(params) && isRecord(params.update) && isEarlyUpdate(params.update);
}
