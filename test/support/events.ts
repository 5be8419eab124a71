/**
 * Events of a session, for tests of every tier: without a time as the session appends them, with times ({@link stamped}) as journals and views have them,
 * and folded to a state ({@link stateOf}). A test that cares for one field says that field, and takes the rest as it is here.
 */
import type { ContentBlock, FileChange, TextBlock, ToolContent } from '../../src/core/model/content';
import type { SessionEvent, UnstampedEvent, ToolCallPatch } from '../../src/core/model/event';
import { reduce } from '../../src/core/reduce/reduce';
import { EMPTY_STATE, type SessionState } from '../../src/core/model/state';

type Of<Type extends UnstampedEvent['type']> = Extract<UnstampedEvent, { type: Type }>;
type Role = Of<'message_chunk'>['role'];

export function text(words: string): TextBlock {
  return { type: 'text', text: words };
}

/** A piece of a message that is streamed. */
export function chunk(words: string, messageId = 'm', role: Role = 'agent'): Of<'message_chunk'> {
  return { type: 'message_chunk', role, messageId, content: text(words) };
}

/** A message in one piece, the agent's. */
export function message(content: string | readonly ContentBlock[], messageId = 'm', role: Role = 'agent'): Of<'message'> {
  return { type: 'message', role, messageId, content: typeof content === 'string' ? [text(content)] : content };
}

export function toolCall(toolCallId: string, patch: ToolCallPatch = {}): Of<'tool_call_update'> {
  return { type: 'tool_call_update', toolCallId, patch };
}

/** What a tool call has to show: words. */
export function toolText(words: string): ToolContent {
  return { type: 'content', content: text(words) };
}

/** What a tool call has to show: one file changed, or added where there was no text. */
export function toolDiff(path: string, oldText: string | null, newText: string): ToolContent {
  const change: FileChange = { operation: oldText === null ? 'add' : 'modify', path, oldText, newText };
  return { type: 'diff', changes: [change] };
}

/** What a terminal prints. `skipped`: UTF-16 units that are left out before it. */
export function output(words: string, terminalId = 't', skipped = 0): Of<'terminal_output'> {
  return { type: 'terminal_output', terminalId, text: words, ...(skipped > 0 && { skipped }) };
}

export function permissionRequest(
  permissionId: string,
  title: string,
  more: Partial<Pick<Of<'permission_requested'>, 'description' | 'options' | 'subject'>> = {},
): Of<'permission_requested'> {
  return { type: 'permission_requested', permissionId, title, options: [], subject: {}, ...more };
}

export function notice(noticeId: string, severity: string, title: string, description?: string): Of<'notice'> {
  return { type: 'notice', noticeId, severity, title, ...(description !== undefined && { description }) };
}

/** What an agent offers that offers nothing. */
export const NO_OFFERS = {
  load: false,
  resume: false,
  list: false,
  close: false,
  delete: false,
  additionalDirectories: false,
  logout: false,
};

/** The agent's answer to `initialize`, of an agent that can nothing. */
export function initialized(more: Partial<Of<'agent_initialized'>> = {}): Of<'agent_initialized'> {
  return {
    type: 'agent_initialized',
    protocolVersion: 1,
    promptCapabilities: { image: false, audio: false, embeddedContext: false },
    authMethods: [],
    offers: NO_OFFERS,
    ...more,
  };
}

/** With times: ms, of the first and between two. */
export function stamped(events: readonly UnstampedEvent[], at = 1, step = 0): SessionEvent[] {
  return events.map((event, index) => ({ ...event, at: at + index * step }) as SessionEvent);
}

/** The state after these, stamped alike. */
export function stateOf(events: readonly UnstampedEvent[], from: SessionState = EMPTY_STATE, at = 1, step = 0): SessionState {
  return stamped(events, at, step).reduce(reduce, from);
}
