/**
 * Reads the names of an agent's sub-sessions, and shows their messages as tool calls of the parent session, so that its conversation contains both.
 */
import type { ContentBlock } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { isRecord } from '../json/fields';

/** The most names and calls to remember, because an agent can create any number of ids. */
const MAX_NAMES = 1000;
/** UTF-16 units of a name. */
const MAX_NAME = 200;
/** UTF-16 units of the messages of one sub-session that its parent shows. */
const MAX_SHOWN = 64 * 1024;
/** The cost of a message in addition to its text. */
const MESSAGE_COST = 100;
/** The depth to which `_meta` and the raw input of a tool call are searched for the id of a sub-session. */
const DEPTH = 2;
/** Fields that contain the id of a sub-session, without their separators. */
const ID_FIELD = /^(?:child|sub|subagent|agent|task)?sessionid$/i;

interface Call {
  title?: string;
  readonly children: Set<string>;
}

type Message = Extract<EventInput, { type: 'message_chunk' }>;
type ToolCall = Extract<EventInput, { type: 'tool_call_update' }>;

export class SubSessions {
  private readonly names = new Map<string, string>();
  private readonly calls = new Map<string, Call>();
  /** For each sub-session: the cost of its shown messages, and the ids of their tool calls. */
  private readonly shown = new Map<string, { cost: number; readonly ids: Set<string> }>();

  /** Returns the name that the agent gave a sub-session, or its id. */
  nameOf(child: string): string {
    return (this.names.get(child) ?? child).slice(0, MAX_NAME);
  }

  /** Reads names from the events of session `sessionId`: the titles of tool calls that mention a sub-session. */
  note(sessionId: string, events: readonly EventInput[]): void {
    for (const event of events) {
      if (event.type === 'tool_call_update') {
        this.noteCall(sessionId, event);
      }
    }
  }

  /**
   * Splits the events of a sub-session: `shown` belongs to the parent's conversation (tool calls, their terminals, messages, and updates that are not
   * known), `rest` is about the sub-session itself.
   */
  split(child: string, events: readonly EventInput[]): { readonly shown: EventInput[]; readonly rest: EventInput[] } {
    const shown: EventInput[] = [];
    const rest: EventInput[] = [];
    for (const event of events) {
      if (event.type === 'tool_call_update' || event.type === 'tool_call_content_chunk') {
        shown.push({ ...event, toolCallId: childId(child, event.toolCallId) });
      } else if (event.type === 'message_chunk') {
        shown.push(...this.message(child, event));
      } else if (event.type === 'unknown') {
        shown.push({ ...event, unknownId: childId(child, event.unknownId), label: `${this.nameOf(child)}: ${event.label}` });
      } else if (event.type === 'terminal_update' || event.type === 'terminal_output') {
        shown.push(event);
      } else {
        if (event.type === 'session_info' && event.title) {
          remember(this.names, child, event.title);
        }
        rest.push(event);
      }
    }
    return { shown, rest };
  }

  private noteCall(sessionId: string, { toolCallId, patch, meta }: ToolCall): void {
    const key = JSON.stringify([sessionId, toolCallId]);
    const call = this.calls.get(key) ?? { children: new Set() };
    remember(this.calls, key, call);
    if (patch.title) {
      call.title = patch.title;
    }
    for (const child of [...idsIn(meta, DEPTH), ...idsIn(patch.rawInput, DEPTH)]) {
      if (child !== sessionId && call.children.size < MAX_NAMES) {
        call.children.add(child);
      }
    }
    if (call.title !== undefined) {
      for (const child of call.children) {
        remember(this.names, child, call.title);
      }
    }
  }

  /** The events of a message's tool call, which has the name as its title. A message past the limit only says that there is more. */
  private message(child: string, { messageId, role, content, meta, extra }: Message): EventInput[] {
    const spent = this.shown.get(child) ?? { cost: 0, ids: new Set() };
    remember(this.shown, child, spent);
    if (spent.cost >= MAX_SHOWN) {
      return [];
    }
    const toolCallId = childId(child, `~${role}/${messageId}`);
    const isNew = !spent.ids.has(toolCallId);
    spent.ids.add(toolCallId);
    spent.cost += costOf(content) + (isNew ? MESSAGE_COST : 0);
    const isOver = spent.cost > MAX_SHOWN;
    return [
      ...(isNew
        ? [{ type: 'tool_call_update', toolCallId, patch: { title: this.nameOf(child), kind: 'think', status: 'completed' } } as const]
        : []),
      {
        type: 'tool_call_content_chunk',
        toolCallId,
        content: { type: 'content', content: isOver ? { type: 'text', text: '…' } : content },
        ...(meta !== undefined && { meta }),
        ...(extra && { extra }),
      },
    ];
  }
}

/** Returns the id in the parent's conversation of a tool call of a sub-session. */
export function childId(child: string, toolCallId: string): string {
  return `${child}/${toolCallId}`;
}

function costOf(content: ContentBlock): number {
  return content.type === 'text' ? content.text.length : JSON.stringify(content).length;
}

/** Sets `value`, and forgets the oldest one when there are too many. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= MAX_NAMES && !map.has(key)) {
    map.delete(map.keys().next().value!);
  }
  map.set(key, value);
}

function idsIn(value: unknown, depth: number): string[] {
  if (!isRecord(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([field, each]) =>
    typeof each === 'string'
      ? each !== '' && each.length <= MAX_NAME && ID_FIELD.test(field.replace(/[_-]/g, ''))
        ? [each]
        : []
      : depth > 1
        ? idsIn(each, depth - 1)
        : [],
  );
}
