/**
 * Decodes v1 `session/update` (protocol page "Prompt Turn" and those of its kinds) as events of the model. Accepts any value, returns at least one
 * event and never throws. An unreadable update becomes an `unknown` event. A field of the wrong type is kept in `extra`.
 */
import type { ConfigOption } from '../../core/model/content';
import { MODE_CONFIG_ID, MODEL_CONFIG_ID } from '../../core/model/wellKnown';
import type { Role, EventInput } from '../../core/model/event';
import type { AdoptedConversation } from '../dialect';
import type { Fields } from '../json/fields';
import { isPresent, isRecord, keep, restOf, textOf } from '../json/fields';
import { failureNotice } from '../quirks/air/failures';
import { taskUpdate } from '../quirks/air/tasks';
import { failedStart } from '../quirks/codexServerStart';
import { suggestionsIn } from '../quirks/promptSuggestions';
import { todoPlan } from '../quirks/todoTools';
import { decodeBlock, decodeBlocks } from './content';
import { decodeConfigOptions, decodeModels, decodeModes, decodePlanEntries, V1_PLAN_ID } from './config';
import type { Limits } from './limits';
import { compactionUpdate, decodeFact, rest, withParams } from './statelessUpdates';
import { ToolCallIds } from './toolCallIds';
import { agentTerminals, OutputOfCalls } from './terminals';
import { decodeToolCall, toolCallEvent } from './toolCalls';

/** The state of one session that later updates depend on. */
interface Memory {
  /** The message that a chunk without an id continues; `given`: the agent has sent its id. */
  message?: { readonly role: Role; readonly messageId: string; readonly given: boolean };
  /** The message of a blank chunk without an id, which does not end {@link message}. */
  blank?: { readonly role: Role; readonly messageId: string; readonly given: false };
  readonly toolCallIds: ToolCallIds;
  readonly outputs: OutputOfCalls;
  readonly compactionIds: Set<string>;
  /** The option that `current_mode_update` sets: the agent's own option of category `mode` when it has config options. */
  modeConfigId: string;
  /** The agent's models, which its config options do not contain. */
  models?: (ConfigOption & { type: 'select' }) | undefined;
}

/** Distinguishes the ids created here from those of the agents, which they choose freely. */
const MINTED = '~';

type Extra = Record<string, unknown> | undefined;

const MODE: ReadonlySet<string> = new Set(['sessionUpdate', 'currentModeId', 'modeId']);
const CONFIG: ReadonlySet<string> = new Set(['sessionUpdate', 'configOptions']);
const COMPACTION_CHUNK: ReadonlySet<string> = new Set(['sessionUpdate', 'compactionId', 'content']);

/** The most sessions to remember, because an agent that invents session ids must not fill the memory. */
const MAX_SESSIONS = 1000;

export class V1Updates {
  private readonly sessions = new Map<string, Memory>();
  private minted = 0;
  /** The number of replays that have begun. */
  replays = 0;

  /**
   * @param isOurTerminal an agent's `_meta` may describe only terminals that the client does not run
   * @param mark distinguishes the ids created here from those of other connections of the same session
   * @param replacesOutput true when the agent's `terminal_output` is the whole output so far
   * @param limits decodes the limits of the account, for an agent that reports some
   */
  constructor(
    private readonly isOurTerminal: (terminalId: string) => boolean = () => false,
    private readonly mark = '',
    private readonly replacesOutput: () => boolean = () => false,
    private readonly limits: () => Limits | undefined = () => undefined,
  ) {}

  /** Returns the events of one `session/update`; `params` must contain a string `sessionId`. */
  decode(sessionId: string, params: Fields): EventInput[] {
    const update = params.update;
    if (!isRecord(update) || typeof update.sessionUpdate !== 'string') {
      return [this.unknown('session/update', params)];
    }
    const limits = this.limits()?.inUpdate(sessionId, update);
    const events =
      limits && update.sessionUpdate === 'quota_update' ? [] : this.decodeUpdate(this.memoryOf(sessionId), update.sessionUpdate, update);
    return withParams(limits ? [...events, limits] : events, params);
  }

  /** The session's conversation is replayed from its beginning. */
  forget(sessionId: string): void {
    this.replays++;
    this.sessions.delete(sessionId);
  }

  /** Continues a conversation whose updates another window has decoded. */
  adopt(sessionId: string, { message, config, toolCalls }: AdoptedConversation): void {
    const memory = this.memoryOf(sessionId);
    const models = config.find((option) => option.configId === MODEL_CONFIG_ID);
    memory.models = models?.type === 'select' ? models : undefined;
    this.configured(memory, config);
    toolCalls.forEach((turn) => {
      memory.toolCallIds.nextTurn();
      turn.forEach((toolCallId) => memory.toolCallIds.adopt(toolCallId.split(MINTED)[0]!, toolCallId));
    });
    if (message) {
      memory.message = { ...message, given: !message.messageId.startsWith(MINTED) };
    }
  }

  /** A new prompt: the agent's next text is a new message, and its next calls are new tool calls. */
  nextTurn(sessionId: string): void {
    this.memoryOf(sessionId).toolCallIds.nextTurn();
    this.breakMessage(sessionId);
  }

  /** Returns the params of a question to the user with the conversation's id of their tool call. */
  question(sessionId: string, params: Fields): Fields {
    this.breakMessage(sessionId);
    return this.sessions.get(sessionId)?.toolCallIds.inQuestion(params) ?? params;
  }

  /** The agent's next text is a new message. */
  breakMessage(sessionId: string): void {
    const memory = this.sessions.get(sessionId);
    if (memory) {
      endMessage(memory);
    }
  }

  /** Decodes the config options and modes of an answer that opened a session as events. Other fields are kept in `extra`. */
  decodeSetup(sessionId: string, result: Fields, known: ReadonlySet<string>): EventInput[] {
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
      extra = keep(extra, 'modes', result.modes); // Config options contain the modes and take precedence; the journal has both.
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

  unknown(label: string, raw: unknown): EventInput {
    return { type: 'unknown', unknownId: this.mint(), label: label.trim() === '' ? 'session/update' : label, raw };
  }

  private decodeUpdate(memory: Memory, kind: string, update: Fields): EventInput[] {
    switch (kind) {
      case 'agent_message_chunk':
        return this.messageChunk(memory, 'agent', kind, update);
      case 'agent_thought_chunk':
        return this.messageChunk(memory, 'thought', kind, update);
      case 'user_message_chunk':
        return this.messageChunk(memory, 'user', kind, update);
      case 'tool_call':
      case 'tool_call_update': {
        const failed = failedStart(update);
        return failed ? [failed] : [...this.toolCall(memory, kind, update), ...todoPlan(update, V1_PLAN_ID, decodePlanEntries)];
      }
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
      default: {
        const known = taskUpdate(update) ?? decodeFact(kind, update, () => this.mint());
        const more = [suggestionsIn(update), kind === 'session_info_update' ? failureNotice(update._meta, () => this.mint()) : undefined];
        const events = [known, ...more].filter((event) => event !== undefined);
        return events.length > 0 ? events : [this.unknown(kind, update)];
      }
    }
  }

  private messageChunk(memory: Memory, role: Role, kind: string, update: Fields): EventInput[] {
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
          // An empty id counts as none. Otherwise the agent's whole output would be one message.
          extra = keep(extra, key, value);
        }
      } else if (key === '_meta') {
        meta = value ?? undefined;
      } else if (key !== 'sessionUpdate' && key !== 'content') {
        extra = keep(extra, key, value);
      }
    }
    if (role === 'user' && memory.message?.role !== role) {
      memory.toolCallIds.nextTurn(); // The agent replays an earlier conversation.
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

  private toolCall(memory: Memory, kind: string, update: Fields): EventInput[] {
    if (typeof update.toolCallId !== 'string') {
      return [this.unknown(kind, update)];
    }
    const { patch: sent, extra } = decodeToolCall(update);
    const patch = memory.outputs.keep(update.toolCallId, sent);
    const { toolCallId, isNew } = memory.toolCallIds.take(update.toolCallId, kind === 'tool_call', () => this.mint());
    if (isNew) {
      // Only a new entry in the conversation ends a message: updates of a running tool call also arrive in the middle of a sentence.
      endMessage(memory);
    }
    const end = [
      ...memory.outputs.command(update.toolCallId, sent),
      ...(sent.status === undefined ? [] : memory.outputs.end(update.toolCallId)),
    ];
    if (!isRecord(update._meta)) {
      const meta = update._meta ?? undefined;
      return [...end, toolCallEvent(toolCallId, patch, meta, extra)];
    }
    const terminals = agentTerminals(update._meta, patch, this.isOurTerminal, this.replacesOutput());
    if (!terminals) {
      return [...end, toolCallEvent(toolCallId, patch, update._meta, extra)];
    }
    const added = memory.outputs.add(update.toolCallId, toolCallId, update._meta, terminals.events);
    const events = [...added, ...terminals.events, ...(added.length > 0 ? memory.outputs.end(update.toolCallId) : end)];
    if (!isNew && terminals.meta === undefined && extra === undefined && Object.keys(patch).length === 0) {
      return events;
    }
    return [toolCallEvent(toolCallId, patch, terminals.meta, extra), ...events];
  }

  private compaction(memory: Memory, kind: string, update: Fields): EventInput[] {
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

  /** The user has set a model of the kind that preceded config options. */
  modelSet(sessionId: string, value: string): void {
    const { models } = this.memoryOf(sessionId);
    if (models) {
      this.memoryOf(sessionId).models = { ...models, currentValue: value };
    }
  }

  /** Returns all options. */
  private configured(memory: Memory, listed: readonly ConfigOption[]): readonly ConfigOption[] {
    const options = memory.models && !hasModels(listed) ? [...listed, memory.models] : listed;
    const mode = options.find((option) => option.type === 'select' && option.category === 'mode');
    memory.modeConfigId = mode?.configId ?? MODE_CONFIG_ID;
    return options;
  }

  private memoryOf(sessionId: string): Memory {
    let memory = this.sessions.get(sessionId);
    if (!memory) {
      memory = { toolCallIds: new ToolCallIds(), outputs: new OutputOfCalls(), compactionIds: new Set(), modeConfigId: MODE_CONFIG_ID };
      if (this.sessions.size >= MAX_SESSIONS) {
        this.sessions.delete(this.sessions.keys().next().value!);
      }
      this.sessions.set(sessionId, memory);
    }
    return memory;
  }

  /** Creates an id. */
  private mint(): string {
    return `${MINTED}${this.mark}${++this.minted}`;
  }
}

/** The agent's next text is a new message. */
function endMessage(memory: Memory): void {
  delete memory.message;
  delete memory.blank;
}

/** True for the content of a chunk without visible text. */
function isBlank(content: unknown): boolean {
  return isRecord(content) && content.type === 'text' && typeof content.text === 'string' && content.text.trim() === '';
}

function hasModels(options: readonly ConfigOption[] | undefined): boolean {
  return options?.some((option) => option.type === 'select' && option.category === 'model') ?? false;
}
