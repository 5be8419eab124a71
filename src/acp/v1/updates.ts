/**
 * v1 `session/update` (protocol page "Prompt Turn" and those of its kinds) as events of the model: `unknown` in, at least one event out,
 * never a throw. What cannot be read becomes an `unknown` event; a field of the wrong type costs that field, which stays in `extra`.
 */
import type { ConfigOption } from '../../core/model/content';
import { MODE_CONFIG_ID } from '../../core/model/wellKnown';
import type { Role, UnstampedEvent } from '../../core/model/event';
import type { Fields } from '../json/fields';
import { isPresent, isRecord, keep, restOf, textOf } from '../json/fields';
import { todoPlan } from '../quirks/todoTools';
import { decodeBlock, decodeBlocks } from './content';
import { decodeConfigOptions, decodeModels, decodeModes } from './config';
import { compactionUpdate, decodeFact, rest, withParams } from './statelessUpdates';
import { ToolCallIds } from './toolCallIds';
import { agentTerminals } from './terminals';
import { decodeToolCall, toolCallEvent } from './toolCalls';

/** What one session's updates leave behind for the next ones. */
interface Memory {
  /** The message that a chunk without an id continues; `given`: its id is the agent's. */
  message?: { readonly role: Role; readonly messageId: string; readonly given: boolean };
  /** The message of a blank chunk without an id, which divides nothing: {@link message} is the one before it. */
  blank?: { readonly role: Role; readonly messageId: string; readonly given: false };
  readonly toolCallIds: ToolCallIds;
  readonly compactionIds: Set<string>;
  /** Where `current_mode_update` goes: the agent's own option of category `mode` when it has config options. */
  modeConfigId: string;
  /** The agent's models, which no list of its config options has. */
  models?: ConfigOption & { type: 'select' };
}

type Extra = Record<string, unknown> | undefined;

const MODE: ReadonlySet<string> = new Set(['sessionUpdate', 'currentModeId', 'modeId']);
const CONFIG: ReadonlySet<string> = new Set(['sessionUpdate', 'configOptions']);
const COMPACTION_CHUNK: ReadonlySet<string> = new Set(['sessionUpdate', 'compactionId', 'content']);

/** Sessions remembered at most; an agent that invents session ids must not fill our memory. */
const MAX_SESSIONS = 1000;

export class V1Updates {
  private readonly sessions = new Map<string, Memory>();
  private minted = 0;

  /** `isOurTerminal`: an agent's `_meta` may speak only about terminals that are not ours. */
  /** @param mark sets the ids minted here apart from those of other connections that feed the same session */
  constructor(
    private readonly isOurTerminal: (terminalId: string) => boolean = () => false,
    private readonly mark = '',
  ) {}

  /** The events of one `session/update`; `params` must hold a string `sessionId`. */
  decode(sessionId: string, params: Fields): UnstampedEvent[] {
    const update = params.update;
    if (!isRecord(update) || typeof update.sessionUpdate !== 'string') {
      return [this.unknown('session/update', params)];
    }
    const events = this.decodeUpdate(this.memoryOf(sessionId), update.sessionUpdate, update);
    return withParams(events, params);
  }

  /** The session's conversation is told from its beginning. */
  forget(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  /** A new prompt: what the agent says next is a new message, and what it does are new tool calls. */
  nextTurn(sessionId: string): void {
    this.memoryOf(sessionId).toolCallIds.nextTurn();
    this.breakMessage(sessionId);
  }

  /** A question to the user, in the params of a request: they come back with the id of its tool call as the conversation has it. */
  question(sessionId: string, params: Fields): Fields {
    this.breakMessage(sessionId);
    return this.sessions.get(sessionId)?.toolCallIds.inQuestion(params) ?? params;
  }

  /** What the agent says next is a new message. */
  breakMessage(sessionId: string): void {
    const memory = this.sessions.get(sessionId);
    if (memory) {
      endMessage(memory);
    }
  }

  /** Config options and modes of an answer that made or set up a session, as events; other fields travel in `extra`. */
  decodeSetup(sessionId: string, result: Fields, known: ReadonlySet<string>): UnstampedEvent[] {
    const malformed: unknown[] = [];
    let extra = restOf(result, known);
    let options: ConfigOption[] | undefined;
    let modes: ConfigOption | undefined;
    if (Array.isArray(result.configOptions)) {
      options = decodeConfigOptions(result.configOptions, malformed);
    } else {
      modes = decodeModes(result.modes, malformed);
      options = modes && [modes];
      extra = isPresent(result.configOptions) ? keep(extra, 'configOptions', result.configOptions) : extra;
    }
    const memory = this.memoryOf(sessionId);
    const models = hasModels(options) ? undefined : decodeModels(result.models, malformed);
    if (models) {
      memory.models = models;
      const { models: _read, ...unread } = extra ?? {};
      extra = Object.keys(unread).length > 0 ? unread : undefined;
      options ??= [];
    }
    if (!modes && isPresent(result.modes)) {
      extra = keep(extra, 'modes', result.modes); // Where there are options they say the same and win; the journal has both.
    }
    if (malformed.length > 0) {
      extra = keep(extra, 'malformed', malformed);
    }
    const base = { ...(isPresent(result._meta) && { meta: result._meta }), ...(extra && { extra }) };
    if (options) {
      return [{ type: 'config_options', options: this.configured(memory, options), ...base }];
    }
    return Object.keys(base).length > 0 ? [{ type: 'session_info', ...base }] : [];
  }

  unknown(label: string, raw: unknown): UnstampedEvent {
    return { type: 'unknown', unknownId: this.mint(), label: label.trim() === '' ? 'session/update' : label, raw };
  }

  private decodeUpdate(memory: Memory, kind: string, update: Fields): UnstampedEvent[] {
    switch (kind) {
      case 'agent_message_chunk':
        return this.messageChunk(memory, 'agent', kind, update);
      case 'agent_thought_chunk':
        return this.messageChunk(memory, 'thought', kind, update);
      case 'user_message_chunk':
        return this.messageChunk(memory, 'user', kind, update);
      case 'tool_call':
      case 'tool_call_update':
        return [...this.toolCall(memory, kind, update), ...todoPlan(update)];
      case 'current_mode_update': {
        const value = textOf(update.currentModeId) ?? textOf(update.modeId);
        return [
          value !== undefined
            ? { type: 'config_value', configId: memory.modeConfigId, value, ...rest(update, MODE) }
            : this.unknown(kind, update),
        ];
      }
      case 'config_option_update': {
        if (!Array.isArray(update.configOptions)) {
          return [this.unknown(kind, update)];
        }
        const malformed: unknown[] = [];
        const options = decodeConfigOptions(update.configOptions, malformed);
        return [{ type: 'config_options', options: this.configured(memory, options), ...rest(update, CONFIG, malformed) }];
      }
      case 'compaction_update':
      case 'compaction_summary_chunk':
        return this.compaction(memory, kind, update);
      default:
        return [decodeFact(kind, update, () => this.mint()) ?? this.unknown(kind, update)];
    }
  }

  private messageChunk(memory: Memory, role: Role, kind: string, update: Fields): UnstampedEvent[] {
    const raw = update.content;
    if (raw === undefined || raw === null) {
      return [this.unknown(kind, update)];
    }
    let extra: Extra;
    let meta: unknown;
    let given: string | undefined;
    for (const key in update) {
      const value = update[key];
      if (key === 'messageId') {
        if (typeof value === 'string' && value !== '') {
          given = value;
        } else if (value !== null) {
          // An empty id names nothing: taken for one, all that the agent ever says would be one message.
          extra = keep(extra, key, value);
        }
      } else if (key === '_meta') {
        meta = value ?? undefined;
      } else if (key !== 'sessionUpdate' && key !== 'content') {
        extra = keep(extra, key, value);
      }
    }
    if (role === 'user' && memory.message?.role !== role) {
      memory.toolCallIds.nextTurn(); // An earlier conversation told again.
    }
    const messageId = this.messageIdOf(memory, role, given, isBlank(raw));
    if (!Array.isArray(raw) && meta === undefined && extra === undefined) {
      return [{ type: 'message_chunk', role, messageId, content: decodeBlock(raw) }];
    }
    const base = { ...(meta !== undefined && { meta }), ...(extra && { extra }) };
    const blocks = decodeBlocks(raw);
    return blocks.length > 0
      ? blocks.map((content, index) => ({ type: 'message_chunk', role, messageId, content, ...(index === 0 && base) }))
      : [this.unknown(kind, update)];
  }

  private messageIdOf(memory: Memory, role: Role, given: string | undefined, isBlank: boolean): string {
    const { message: current, blank } = memory;
    if (given !== undefined) {
      if (current?.messageId !== given || current.role !== role) {
        memory.message = { role, messageId: given, given: true };
      }
      return given;
    }
    if (current && !current.given && current.role === role) {
      if (!isBlank) {
        delete memory.blank;
      }
      return current.messageId;
    }
    const next = blank?.role === role ? blank : ({ role, messageId: this.mint(), given: false } as const);
    if (isBlank && current) {
      memory.blank = next;
    } else {
      delete memory.blank;
      memory.message = next;
    }
    return next.messageId;
  }

  private toolCall(memory: Memory, kind: string, update: Fields): UnstampedEvent[] {
    if (typeof update.toolCallId !== 'string') {
      return [this.unknown(kind, update)];
    }
    const { patch, extra } = decodeToolCall(update);
    const { toolCallId, isNew } = memory.toolCallIds.take(update.toolCallId, kind === 'tool_call', () => this.mint());
    if (isNew) {
      // Only a new entry in the conversation divides a message: updates of a running tool call also come in the middle of a sentence.
      endMessage(memory);
    }
    if (!isRecord(update._meta)) {
      const meta = update._meta ?? undefined;
      return [toolCallEvent(toolCallId, patch, meta, extra)];
    }
    const terminals = agentTerminals(update._meta, patch, this.isOurTerminal);
    if (!terminals) {
      return [toolCallEvent(toolCallId, patch, update._meta, extra)];
    }
    if (!isNew && terminals.meta === undefined && extra === undefined && Object.keys(patch).length === 0) {
      return terminals.events;
    }
    return [toolCallEvent(toolCallId, patch, terminals.meta, extra), ...terminals.events];
  }

  private compaction(memory: Memory, kind: string, update: Fields): UnstampedEvent[] {
    const compactionId = update.compactionId;
    if (typeof compactionId !== 'string' || (kind === 'compaction_summary_chunk' && !isPresent(update.content))) {
      return [this.unknown(kind, update)];
    }
    if (!memory.compactionIds.has(compactionId)) {
      memory.compactionIds.add(compactionId);
      endMessage(memory);
    }
    if (kind === 'compaction_summary_chunk') {
      return [{ type: 'compaction_chunk', compactionId, content: decodeBlock(update.content), ...rest(update, COMPACTION_CHUNK) }];
    }
    return [compactionUpdate(compactionId, update)];
  }

  /** A model of the kind that agents had before there were config options was set. */
  modelSet(sessionId: string, value: string): void {
    const { models } = this.memoryOf(sessionId);
    if (models) {
      this.memoryOf(sessionId).models = { ...models, currentValue: value };
    }
  }

  /** All options there are. */
  private configured(memory: Memory, listed: readonly ConfigOption[]): readonly ConfigOption[] {
    const options = memory.models && !hasModels(listed) ? [...listed, memory.models] : listed;
    const mode = options.find((option) => option.type === 'select' && option.category === 'mode');
    memory.modeConfigId = mode?.configId ?? MODE_CONFIG_ID;
    return options;
  }

  private memoryOf(sessionId: string): Memory {
    let memory = this.sessions.get(sessionId);
    if (!memory) {
      memory = { toolCallIds: new ToolCallIds(), compactionIds: new Set(), modeConfigId: MODE_CONFIG_ID };
      if (this.sessions.size >= MAX_SESSIONS) {
        this.sessions.delete(this.sessions.keys().next().value!);
      }
      this.sessions.set(sessionId, memory);
    }
    return memory;
  }

  /** An id of our own. `~` keeps it apart from the agents' ids, which are theirs to choose. */
  private mint(): string {
    return `~${this.mark}${++this.minted}`;
  }
}

/** What the agent says next is a new message. */
function endMessage(memory: Memory): void {
  delete memory.message;
  delete memory.blank;
}

/** True for the content of a chunk that shows nothing. */
function isBlank(content: unknown): boolean {
  return isRecord(content) && content.type === 'text' && typeof content.text === 'string' && content.text.trim() === '';
}

function hasModels(options: readonly ConfigOption[] | undefined): boolean {
  return options?.some((option) => option.type === 'select' && option.category === 'model') ?? false;
}
