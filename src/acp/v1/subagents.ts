/**
 * Subagents in version 1 (RFD "Subagent Sessions"): their announcements, and the updates of their sessions as events of the session that they belong
 * to.
 */
import type { AgentInfo } from '../../core/model/content';
import type { EventInput } from '../../core/model/event';
import { isFinalStatus } from '../../core/model/state';
import { asSubagentEvents, subagentsId } from '../../core/subagents/innerEvents';
import type { SubagentPatch, SubagentWork } from '../../core/model/subagent';
import type { SessionTarget } from '../dialect';
import { type Fields, isPresent, isRecord, keep, textOf } from '../json/fields';
import { isClaudeTask, startingToolCall } from '../quirks/claudeSubagents';
import { isOpencodeTask } from '../quirks/opencodeSubagents';
import { isQwenTask, qwenStartingToolCall } from '../quirks/qwenSubagents';
import { taskInput } from '../quirks/taskInput';
import { standardSubagentUpdate } from '../quirks/air/subagents';
import { rest, withParams } from './statelessUpdates';
import { SubagentNames } from './subagentNames';
import { decodeTurnUsage } from './turnUsage';

/** Calls of unannounced subagents that are remembered. */
const MAX_CALLS = 10_000;

/** The decoder of updates that belong to no subagent in particular. */
export interface UpdateDecoder {
  /** The number of replays that have begun. */
  readonly replays: number;
  decode(sessionId: string, params: Fields): EventInput[];
}

/** Registers a child session. False when the agent must not claim it. */
export type RegisterSubagent = (parent: string, child: string) => boolean;

export class Subagents {
  readonly names = new SubagentNames();
  /** Subagents that the agent has announced. */
  private readonly announced = new Set<string>();
  /** The names in the announcements that were made for the agent. */
  private readonly implied = new Map<string, string | undefined>();
  private replays = 0;
  /** The folders that the agent reported. */
  private readonly folders = new Map<string, string | undefined>();
  /** The subagent of each tool call that is marked with the call that started the subagent. */
  private readonly callers = new Map<string, string>();
  /** Open calls of a tool that starts a subagent, whose input is not complete yet: their session and id. */
  private readonly openTasks = new Set<string>();

  constructor(
    private readonly updates: () => UpdateDecoder,
    private readonly register: RegisterSubagent,
    private readonly agent: () => AgentInfo | undefined = () => undefined,
  ) {}

  /** Returns the name of a subagent, or its id. */
  nameOf(child: string): string {
    return this.names.get(child) ?? child.slice(0, 200);
  }

  /** Returns the params of a request of a subagent. A command without a folder starts in the subagent's, if the session may use that. */
  requestOf(child: string, method: string, params: Fields): Fields {
    const cwd = this.folders.get(child);
    return method === 'terminal/create' && cwd !== undefined && !isPresent(params.cwd) ? { ...params, cwd } : params;
  }

  /** Returns the subagent that a tool call belongs to, for a request that names only the session. */
  callerOf(sessionId: string, toolCallId: unknown): string | undefined {
    return typeof toolCallId === 'string' ? this.callers.get(`${sessionId} ${toolCallId}`) : undefined;
  }

  /** Returns the events of one `session/update` of `sessionId`, or of its subagent `child`. */
  decode({ sessionId, child }: SessionTarget, params: Fields): EventInput[] {
    const { update } = params;
    if (this.replays !== this.updates().replays) {
      // The conversation begins again, without the announcements so far.
      this.replays = this.updates().replays;
      this.implied.clear();
      this.openTasks.clear();
    }
    if (isRecord(update)) {
      const announced =
        this.announcement(sessionId, child, standardSubagentUpdate(update), params) ?? this.marked(sessionId, child, update, params);
      if (announced) {
        return child === undefined ? announced : [...this.implication(child), ...announced];
      }
    }
    const events = this.updates().decode(child ?? sessionId, params);
    this.names.note(child ?? sessionId, events, child !== undefined);
    if (child === undefined) {
      return isRecord(update) ? this.withTask(sessionId, undefined, update, events) : events;
    }
    const announced = this.implication(child);
    const inner = asSubagentEvents(child, events);
    return announced.length === 0 ? inner : [...announced, ...inner];
  }

  private announcement(sessionId: string, from: string | undefined, update: Fields, params: Fields): EventInput[] | undefined {
    const subagentId = update.sessionUpdate === 'subagent_update' ? textOf(update.sessionId) : undefined;
    if (subagentId === undefined || subagentId === '' || !this.register(from ?? sessionId, subagentId)) {
      return undefined;
    }
    const { patch, wrong } = decodePatch(update);
    if (patch.title) {
      this.names.set(subagentId, patch.title);
    }
    this.announced.add(subagentId);
    if (patch.cwd !== undefined) {
      this.folders.set(subagentId, patch.cwd ?? undefined);
    }
    const base = rest(update, KNOWN);
    const extra = wrong.reduce<Record<string, unknown> | undefined>(
      (all, name) => keep(all, name, update[name]),
      base?.extra && { ...base.extra },
    );
    const event: EventInput = {
      type: 'subagent_update',
      subagentId,
      ...(from !== undefined && { parentId: from }),
      patch,
      ...base,
      ...(extra && { extra }),
    };
    return withParams([event], params);
  }

  /** Announces a subagent that the agent has not announced, and its name when that is known later. */
  implication(child: string): EventInput[] {
    if (this.announced.has(child)) {
      return [];
    }
    const name = this.names.get(child);
    if (this.implied.has(child) && this.implied.get(child) === name) {
      return [];
    }
    const isNew = !this.implied.has(child);
    this.implied.set(child, name);
    const patch: SubagentPatch = { ...(name !== undefined && { title: name }), ...(isNew && { work: { state: 'running' } }) };
    return [{ type: 'subagent_update', subagentId: child, patch, isImplied: true }];
  }

  /** Returns the events of an update that is marked with the tool call that started its subagent. */
  private marked(sessionId: string, child: string | undefined, update: Fields, params: Fields): EventInput[] | undefined {
    const caller = child === undefined ? (startingToolCall(update) ?? qwenStartingToolCall(update)) : undefined;
    if (caller === undefined || !this.register(sessionId, caller)) {
      return undefined;
    }
    const parent = this.callerOf(sessionId, caller);
    const toolCallId = textOf(update.toolCallId);
    if (toolCallId !== undefined && this.callers.size < MAX_CALLS) {
      this.callers.set(`${sessionId} ${toolCallId}`, caller);
    }
    const events = this.updates().decode(caller, params);
    this.names.note(caller, events, true);
    const isNew = !this.implied.has(caller);
    const title = this.names.titleOf(parent ?? sessionId, caller);
    const announced: EventInput = {
      type: 'subagent_update',
      subagentId: caller,
      ...(parent !== undefined && { parentId: parent }),
      patch: {
        ...(title !== undefined && { title }),
        work: { state: 'running' },
        toolCallId: parent === undefined ? caller : subagentsId(parent, caller),
      },
      isImplied: true,
    };
    this.implied.set(caller, title);
    if (title !== undefined) {
      this.names.set(caller, title);
    }
    return [...(isNew ? [announced] : []), ...this.withTask(sessionId, caller, update, asSubagentEvents(caller, events))];
  }

  /**
   * Adds the subagent that an update's tool call starts, for agents that announce none. Only a call that was open before has one: an agent that reports
   * a call when it is over may not have started any.
   */
  private withTask(sessionId: string, parent: string | undefined, update: Fields, events: EventInput[]): EventInput[] {
    const toolCallId = textOf(update.toolCallId);
    const key = `${sessionId} ${toolCallId}`;
    if (toolCallId === undefined || this.announced.size > 0 || !(this.openTasks.has(key) || this.isTask(update))) {
      return events;
    }
    const isOver = typeof update.status === 'string' && isFinalStatus(update.status);
    if (!isOver && this.openTasks.size < MAX_CALLS) {
      this.openTasks.add(key);
    }
    const input = this.openTasks.has(key) ? taskInput(update.rawInput) : undefined;
    if (!input || this.implied.has(toolCallId) || !this.register(sessionId, toolCallId)) {
      return events;
    }
    this.openTasks.delete(key);
    this.implied.set(toolCallId, input.title);
    this.names.set(toolCallId, input.title);
    const started: EventInput = {
      type: 'subagent_update',
      subagentId: toolCallId,
      ...(parent !== undefined && { parentId: parent }),
      patch: {
        title: input.title,
        description: input.task,
        work: { state: 'running' },
        toolCallId: shownCallOf(events) ?? toolCallId,
      },
      isImplied: true,
    };
    // The end of the call ends the subagent, too.
    return isOver ? [started, ...events] : [...events, started];
  }

  private isTask(update: Fields): boolean {
    return isClaudeTask(update, this.agent()) || isQwenTask(update) || isOpencodeTask(update);
  }
}

/** Returns the id of the tool call in the session, which differs from the agent's where the agent reuses its ids. */
function shownCallOf(events: readonly EventInput[]): string | undefined {
  for (const event of events) {
    const { type, toolCallId } = (event.type === 'subagent_event' ? event.event : event) as { type: string; toolCallId?: string };
    if (type === 'tool_call_update') {
      return toolCallId;
    }
  }
  return undefined;
}

const KNOWN: ReadonlySet<string> = new Set([
  'sessionUpdate',
  'sessionId',
  'title',
  'description',
  'capabilities',
  'state',
  'cwd',
  'additionalDirectories',
]);

/** Decodes the fields of an announcement. `wrong`: the names of those that have another type. */
function decodePatch(update: Fields): { readonly patch: SubagentPatch; readonly wrong: readonly string[] } {
  const wrong: string[] = [];
  const patch: Record<string, unknown> = {};
  const take = (name: string, field: keyof SubagentPatch, decode: (value: unknown) => unknown): void => {
    const value = update[name];
    const decoded = value === null || value === undefined ? value : decode(value);
    if (decoded !== undefined) {
      patch[field] = decoded;
    } else if (isPresent(value)) {
      wrong.push(name);
    }
  };
  take('title', 'title', textOf);
  take('description', 'description', textOf);
  take('cwd', 'cwd', textOf);
  take('additionalDirectories', 'additionalDirectories', (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined,
  );
  take('capabilities', 'canCancel', (value) => (isRecord(value) ? isRecord(value.cancel) : undefined));
  if (isRecord(update.capabilities) && !isPlainCancel(update.capabilities)) {
    wrong.push('capabilities');
  }
  take('state', 'work', decodeWork);
  return { patch: patch as SubagentPatch, wrong };
}

export function decodeWork(raw: unknown): SubagentWork | undefined {
  if (!isRecord(raw) || typeof raw.state !== 'string') {
    return undefined;
  }
  const stopReason = textOf(raw.stopReason);
  const detail = isRecord(raw.error) ? textOf(raw.error.message) : undefined;
  const usage = decodeTurnUsage(raw.usage);
  return {
    state: raw.state,
    ...(stopReason !== undefined && { stopReason }),
    ...(detail !== undefined && { detail }),
    ...(usage?.type === 'turn_usage' && { usage: usage.usage }),
  };
}

/** True for capabilities without unknown fields. */
export function isPlainCancel(value: unknown): boolean {
  if (value === null) {
    return true;
  }
  const { cancel, ...others } = isRecord(value) ? value : { cancel: value };
  const isEmpty = cancel === undefined || cancel === null || (isRecord(cancel) && Object.keys(cancel).length === 0);
  return isEmpty && Object.keys(others).length === 0;
}
