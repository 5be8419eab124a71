/**
 * Events of a session, for tests of every tier. They come without times, as the session appends them, with times ({@link stamped}), as
 * journals and views have them, or reduced to a state ({@link stateOf}). A test states the fields that it checks, and uses these defaults
 * for the others.
 */
import type { ContentBlock, FileChange, TextBlock, ToolContent } from '../../src/core/model/content';
import type { SessionEvent, EventInput, ToolCallPatch } from '../../src/core/model/event';
import { reduce } from '../../src/core/reduce/reduce';
import { EMPTY_STATE, type SessionState } from '../../src/core/model/state';

type Of<Type extends EventInput['type']> = Extract<EventInput, { type: Type }>;
type Role = Of<'message_chunk'>['role'];

export function text(words: string): TextBlock {
  return { type: 'text', text: words };
}

/** A chunk of a streamed message. */
export function chunk(words: string, messageId = 'm', role: Role = 'agent'): Of<'message_chunk'> {
  return { type: 'message_chunk', role, messageId, content: text(words) };
}

/** A whole message, by default the agent's. */
export function message(content: string | readonly ContentBlock[], messageId = 'm', role: Role = 'agent'): Of<'message'> {
  return { type: 'message', role, messageId, content: typeof content === 'string' ? [text(content)] : content };
}

export function toolCall(toolCallId: string, patch: ToolCallPatch = {}): Of<'tool_call_update'> {
  return { type: 'tool_call_update', toolCallId, patch };
}

/** The text content of a tool call. */
export function toolText(words: string): ToolContent {
  return { type: 'content', content: text(words) };
}

/** The content of a tool call with one changed file, or an added one without old text. */
export function toolDiff(path: string, oldText: string | null, newText: string): ToolContent {
  const change: FileChange = { operation: oldText === null ? 'add' : 'modify', path, oldText, newText };
  return { type: 'diff', changes: [change] };
}

/** The output of a terminal. `skipped`: the number of UTF-16 units left out before it. */
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

/** The capabilities of an agent without any. */
export const NO_CAPABILITIES = {
  load: false,
  resume: false,
  list: false,
  close: false,
  delete: false,
  additionalDirectories: false,
  logout: false,
};

/** The `initialize` response of an agent without capabilities. */
export function initialized(more: Partial<Of<'agent_initialized'>> = {}): Of<'agent_initialized'> {
  return {
    type: 'agent_initialized',
    protocolVersion: 1,
    promptCapabilities: { image: false, audio: false, embeddedContext: false },
    authMethods: [],
    offers: NO_CAPABILITIES,
    ...more,
  };
}

/** Adds times in ms: the first event's, and the step between two. */
export function stamped(events: readonly EventInput[], at = 1, step = 0): SessionEvent[] {
  return events.map((event, index) => ({ ...event, at: at + index * step }) as SessionEvent);
}

/** The state after these events, with times added. */
export function stateOf(events: readonly EventInput[], from: SessionState = EMPTY_STATE, at = 1, step = 0): SessionState {
  return stamped(events, at, step).reduce(reduce, from);
}
