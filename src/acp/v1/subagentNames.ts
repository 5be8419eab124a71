/** The names of subagents: the titles that agents give them, or those of the tool calls that mention their sessions. */
import type { EventInput } from '../../core/model/event';
import { isRecord } from '../json/fields';

/** The most names and calls to remember, because an agent can create any number of ids. */
const MAX_NAMES = 1000;
/** UTF-16 units of a name. */
const MAX_NAME = 200;
/** The depth to which `_meta` and the raw input of a tool call are searched for the id of a subagent's session. */
const DEPTH = 2;
/** Fields that contain the id of a subagent's session, without their separators. */
const ID_FIELD = /^(?:child|sub|subagent|agent|task)?sessionid$/i;

interface Call {
  title?: string;
  readonly children: Set<string>;
}

type ToolCall = Extract<EventInput, { type: 'tool_call_update' }>;

export class SubagentNames {
  private readonly names = new Map<string, string>();
  private readonly calls = new Map<string, Call>();

  /** Returns the name of a subagent; undefined when the agent gave none. */
  get(child: string): string | undefined {
    return this.names.get(child)?.slice(0, MAX_NAME);
  }

  set(child: string, name: string): void {
    remember(this.names, child, name);
  }

  /** Returns the title of a tool call of session `sessionId`. */
  titleOf(sessionId: string, toolCallId: string): string | undefined {
    return this.calls.get(keyOf(sessionId, toolCallId))?.title?.slice(0, MAX_NAME);
  }

  /** Reads names from the events of session `sessionId`: its title, and the titles of tool calls that mention a subagent. */
  note(sessionId: string, events: readonly EventInput[], isSubagent: boolean): void {
    for (const event of events) {
      if (event.type === 'tool_call_update') {
        this.noteCall(sessionId, event);
      } else if (isSubagent && event.type === 'session_info' && event.title) {
        this.set(sessionId, event.title);
      }
    }
  }

  private noteCall(sessionId: string, { toolCallId, patch, meta }: ToolCall): void {
    const key = keyOf(sessionId, toolCallId);
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
        this.set(child, call.title);
      }
    }
  }
}

function keyOf(sessionId: string, toolCallId: string): string {
  return JSON.stringify([sessionId, toolCallId]);
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
