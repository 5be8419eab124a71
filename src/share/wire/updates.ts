/** The entries of a conversation as `session/update`s of version 1. Pure. */
import type { ToolContent } from '../../core/model/content';
import type { SessionEvent } from '../../core/model/event';
import { type Entry, entryIdOf, isFinalStatus, type MessageEntry, type SessionState, type ToolCallEntry } from '../../core/model/state';
import type { Redaction } from './redaction';
import { defined, MAX_TEXT, piecesOf, type Wire, wireBlock } from './wireContent';

/** The part of an entry that a client has received. */
export type Sent =
  /** A message up to this block, and up to this offset in its text. */
  { readonly kind: 'message'; readonly block: number; readonly offset: number } | { readonly kind: 'tool_call'; readonly isOpen: boolean };

export interface Updates {
  readonly updates: readonly Wire[];
  readonly sent: Sent;
}

/** How the text of a message is sent in parts without a secret in two of them. */
export interface Growth {
  readonly redaction: Redaction;
  /** False when no text follows: its end does not wait. */
  readonly isGrowing: boolean;
}

/** Returns the text of a terminal's output, without escape sequences. */
export type OutputOf = (terminalId: string) => string | undefined;

const KINDS: ReadonlySet<string> = new Set([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
]);
/** The statuses that version 1 does not know. An unknown word counts as still in progress. */
const STATUSES: Readonly<Record<string, string>> = {
  pending: 'pending',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  unfinished: 'failed',
};
const CHUNKS = { user: 'user_message_chunk', agent: 'agent_message_chunk', thought: 'agent_thought_chunk' } as const;
/** The maximum number of UTF-16 units of a text in a tool call. */
const MAX_CALL_TEXT = 256 * 1024;
/** The maximum number of UTF-16 units of a tool call's input or output as JSON. */
const MAX_RAW = MAX_TEXT;

/** Returns the updates with the part of this entry that the client has not received. Undefined for a kind that version 1 cannot express. */
export function entryUpdates(entry: Entry, sent: Sent | undefined, outputOf: OutputOf, growth: Growth): Updates | undefined {
  switch (entry.kind) {
    case 'message':
      return messageUpdates(entry, sent?.kind === 'message' ? sent : { kind: 'message', block: 0, offset: 0 }, growth);
    case 'tool_call':
      return {
        updates: [{ sessionUpdate: sent ? 'tool_call_update' : 'tool_call', ...wireToolCall(entry, outputOf) }],
        sent: { kind: 'tool_call', isOpen: !isFinalStatus(entry.status) },
      };
    default:
      return undefined;
  }
}

/** Returns the mark of an entry as received, for a client that continues without a replay. */
export function wholeEntry(entry: Entry, growth?: Growth): Sent | undefined {
  if (entry.kind === 'tool_call') {
    return { kind: 'tool_call', isOpen: !isFinalStatus(entry.status) };
  }
  if (entry.kind !== 'message') {
    return undefined;
  }
  const last = entry.content.at(-1);
  return last?.type === 'text'
    ? { kind: 'message', block: entry.content.length - 1, offset: last.text.length - (growth ? waitingLength(last.text, growth) : 0) }
    : { kind: 'message', block: entry.content.length, offset: 0 };
}

function waitingLength(text: string, { redaction, isGrowing }: Growth): number {
  return isGrowing ? redaction.secretStart(text) : 0;
}

function messageUpdates({ role, messageId, content }: MessageEntry, from: Sent & { kind: 'message' }, growth: Growth): Updates {
  let { block, offset } = from;
  const updates: Wire[] = [];
  const push = (wire: Wire): void => void updates.push({ sessionUpdate: CHUNKS[role], messageId, content: wire });
  for (let index = block; index < content.length; index++) {
    const each = content[index]!;
    if (each.type === 'text') {
      const start = index === from.block ? from.offset : 0;
      // The last text may still grow.
      const waiting = index === content.length - 1 ? waitingLength(each.text, growth) : 0;
      const end = Math.max(start, each.text.length - waiting);
      piecesOf(growth.redaction.redact(each.text.slice(start, end))).forEach((text) => push({ type: 'text', text }));
      [block, offset] = [index, end];
    } else {
      push(wireBlock(each));
      [block, offset] = [index + 1, 0];
    }
  }
  return { updates, sent: { kind: 'message', block, offset } };
}

/** Returns the members of a tool call on the wire. */
export function wireToolCall(call: ToolCallEntry, outputOf: OutputOf): Wire {
  const { toolCallId, title, toolKind, status, content, locations, rawInput, rawOutput } = call;
  return {
    toolCallId,
    title: title ?? call.name ?? toolCallId,
    kind: wireKind(toolKind),
    status: STATUSES[status] ?? 'in_progress',
    content: wireToolContent(content, outputOf),
    locations: locations.map(({ path, line }) => ({ path, ...defined({ line }) })),
    ...defined({ rawInput: small(rawInput), rawOutput: small(rawOutput) }),
  };
}

export function wireKind(kind: string | undefined): string {
  return kind !== undefined && KINDS.has(kind) ? kind : 'other';
}

/** Returns the content of a tool call or of a request on the wire. A terminal is on our machine, so its output is sent as a text. */
export function wireToolContent(content: readonly ToolContent[], outputOf: OutputOf): Wire[] {
  return content.flatMap((each): Wire[] => {
    switch (each.type) {
      case 'content':
        return [{ type: 'content', content: each.content.type === 'text' ? text(each.content.text) : wireBlock(each.content) }];
      case 'diff': {
        const changes = each.changes.flatMap(({ path, oldText, newText }) =>
          newText === undefined
            ? []
            : [{ type: 'diff', path, newText: cut(newText), ...(oldText !== undefined && { oldText: oldText && cut(oldText) }) }],
        );
        return changes.length === 0 && each.patch !== undefined ? [{ type: 'content', content: text(each.patch) }] : changes;
      }
      case 'terminal': {
        const output = outputOf(each.terminalId);
        return output === undefined ? [] : [{ type: 'content', content: text(output) }];
      }
      default:
        return [];
    }
  });
}

function text(value: string): Wire {
  return { type: 'text', text: cut(value) };
}

function cut(value: string): string {
  return value.length > MAX_CALL_TEXT ? `${value.slice(0, MAX_CALL_TEXT)}…` : value;
}

/** Undefined for a value that is too large to send. */
export function small(value: unknown): unknown {
  const json = value === undefined ? undefined : JSON.stringify(value);
  return json !== undefined && json.length <= MAX_RAW ? value : undefined;
}

/** Returns the ids of the entries that the event may have changed. */
export function entriesOf(event: SessionEvent, state: SessionState): readonly string[] {
  switch (event.type) {
    case 'message':
    case 'message_chunk': {
      const entryId = entryIdOf.message(event.role, event.messageId);
      // Work between turns continues a message as another one (`reduce/messages.ts`).
      return state.work ? [entryId, entryIdOf.message(event.role, `${event.messageId}~${state.work.workId}`)] : [entryId];
    }
    case 'tool_call_update':
    case 'tool_call_content_chunk':
      return [entryIdOf.toolCall(event.toolCallId)];
    case 'terminal_output':
    case 'terminal_update':
      return state.openToolCalls.map(entryIdOf.toolCall).filter((entryId) => showsTerminal(state, entryId, event.terminalId));
    default:
      return [];
  }
}

function showsTerminal(state: SessionState, entryId: string, terminalId: string): boolean {
  const slot = state.entries.get(entryId);
  return (
    slot?.kind === 'tool_call' &&
    'content' in slot &&
    slot.content.some((each) => each.type === 'terminal' && each.terminalId === terminalId)
  );
}

/** True for events that may end tool calls without an update of them. */
export function endsToolCalls(type: SessionEvent['type']): boolean {
  return ENDINGS.has(type);
}

const ENDINGS: ReadonlySet<string> = new Set([
  'turn_ended',
  'turn_cancelling',
  'work_ended',
  'disconnected',
  'session_ended',
  'session_failed',
]);
