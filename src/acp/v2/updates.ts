/**
 * Decodes v2 `session/update` (protocol v2 page "Prompt Lifecycle" and those of its kinds) as events of the model. Accepts any value, returns at least
 * one event and never throws. An unreadable or unknown update becomes an `unknown` event. The states of turns are read in `turns.ts`.
 */
import type { EventInput, Role } from '../../core/model/event';
import { type Fields, isPresent, isRecord, keep, restOf, textOf } from '../json/fields';
import { decodeBlock } from '../v1/content';
import { Limits } from '../v1/limits';
import { compactionUpdate, decodeFact, rest, withParams } from '../v1/statelessUpdates';
import { toolCallEvent } from '../v1/toolCalls';
import { decodeAvailableCommands, decodeOptions } from './config';
import { Terminals } from './terminals';
import { decodeContent, decodeContentList, decodeToolCall } from './toolCalls';

const ROLES: Readonly<Record<string, Role>> = {
  user_message: 'user',
  agent_message: 'agent',
  agent_thought: 'thought',
  user_message_chunk: 'user',
  agent_message_chunk: 'agent',
  agent_thought_chunk: 'thought',
};
const PARAMS: ReadonlySet<string> = new Set(['sessionId', 'update']);
const MESSAGE: ReadonlySet<string> = new Set(['sessionUpdate', 'messageId', 'content']);
const CONTENT_CHUNK: ReadonlySet<string> = new Set(['sessionUpdate', 'toolCallId', 'content']);
const COMMANDS: ReadonlySet<string> = new Set(['sessionUpdate', 'availableCommands']);
const CONFIG: ReadonlySet<string> = new Set(['sessionUpdate', 'configOptions']);
const COMPACTION_CHUNK: ReadonlySet<string> = new Set(['sessionUpdate', 'compactionId', 'content']);

export class V2Updates {
  /** The number of replays that have begun. */
  replays = 0;
  /** The limits of the account. An agent of version 2 needs no capability of the client to report them. */
  readonly limits = new Limits();
  private minted = 0;
  private readonly terminals = new Terminals();

  /** @param mark distinguishes the ids created here from those of other connections of the same session */
  constructor(private readonly mark = '') {}

  /** Returns the events of one `session/update`. */
  decode(sessionId: string, params: Fields): EventInput[] {
    const { update } = params;
    if (!isRecord(update) || typeof update.sessionUpdate !== 'string') {
      return [this.unknown('session/update', params)];
    }
    const kind = update.sessionUpdate;
    const event = this.decodeUpdate(kind, update) ?? this.limits.inUpdate(sessionId, update);
    if (event?.type === 'usage') {
      const limits = this.limits.inUpdate(sessionId, update);
      return withParams(limits ? [event, limits] : [event], params);
    }
    return event ? withParams([event], params) : [this.unknown(kind, restOf(params, PARAMS) ? params : update)];
  }

  unknown(label: string, raw: unknown): EventInput {
    return { type: 'unknown', unknownId: this.mint(), label: label.trim() === '' ? 'session/update' : label, raw };
  }

  private decodeUpdate(kind: string, update: Fields): EventInput | undefined {
    switch (kind) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
      case 'user_message_chunk':
        return messageChunk(ROLES[kind]!, update);
      case 'agent_message':
      case 'agent_thought':
      case 'user_message':
        return message(ROLES[kind]!, update);
      case 'tool_call_update':
        return toolCall(update);
      case 'tool_call_content_chunk':
        return contentChunk(update);
      case 'terminal_update':
      case 'terminal_output_chunk':
        return this.terminals.decode(kind, update);
      case 'available_commands_update': {
        const malformed: unknown[] = [];
        return Array.isArray(update.availableCommands)
          ? {
              type: 'available_commands',
              commands: decodeAvailableCommands(update.availableCommands, malformed),
              ...rest(update, COMMANDS, malformed),
            }
          : undefined;
      }
      case 'config_option_update': {
        const malformed: unknown[] = [];
        return Array.isArray(update.configOptions)
          ? { type: 'config_options', options: decodeOptions(update.configOptions, malformed), ...rest(update, CONFIG, malformed) }
          : undefined;
      }
      case 'usage_update': {
        const usage = decodeFact(kind, update, () => this.mint());
        return usage?.type === 'usage' && update.cost === null ? { ...usage, clearsCost: true } : usage;
      }
      case 'compaction_update':
        return typeof update.compactionId === 'string' ? compactionUpdate(update.compactionId, update) : undefined;
      case 'compaction_summary_chunk':
        return typeof update.compactionId === 'string' && isPresent(update.content)
          ? {
              type: 'compaction_chunk',
              compactionId: update.compactionId,
              content: decodeBlock(update.content),
              ...rest(update, COMPACTION_CHUNK),
            }
          : undefined;
      case 'plan_update':
      case 'plan_removed':
      case 'session_info_update':
      case 'notice':
      case 'session_message':
      case 'session_message_chunk':
        return decodeFact(kind, update, () => this.mint());
      default:
        return undefined;
    }
  }

  /** Creates an id. `~` distinguishes it from the agents' ids, which they choose freely. */
  private mint(): string {
    return `~${this.mark}${++this.minted}`;
  }
}

/** The most frequent update by far, so the fields are read without a copy. */
function messageChunk(role: Role, update: Fields): EventInput | undefined {
  const { messageId, content } = update;
  if (typeof messageId !== 'string' || content === undefined || content === null) {
    return undefined;
  }
  for (const key in update) {
    if (!MESSAGE.has(key)) {
      return { type: 'message_chunk', role, messageId, content: decodeBlock(content), ...rest(update, MESSAGE) };
    }
  }
  return { type: 'message_chunk', role, messageId, content: decodeBlock(content) };
}

function message(role: Role, update: Fields): EventInput | undefined {
  const { messageId } = update;
  if (typeof messageId !== 'string') {
    return undefined;
  }
  const content = decodeContentList(update.content);
  const base = rest(update, MESSAGE);
  const isWrong = content === undefined && update.content !== undefined;
  return {
    type: 'message',
    role,
    messageId,
    ...(content !== undefined && { content }),
    ...base,
    ...(isWrong && { extra: keep({ ...base?.extra }, 'content', update.content) }),
  };
}

function toolCall(update: Fields): EventInput | undefined {
  if (typeof update.toolCallId !== 'string') {
    return undefined;
  }
  const { patch, extra } = decodeToolCall(update);
  // null clears the call's `_meta`, so it is kept in the journal.
  return toolCallEvent(update.toolCallId, patch, update._meta, extra);
}

function contentChunk(update: Fields): EventInput | undefined {
  const toolCallId = textOf(update.toolCallId);
  return toolCallId === undefined || !isPresent(update.content)
    ? undefined
    : { type: 'tool_call_content_chunk', toolCallId, content: decodeContent(update.content), ...rest(update, CONTENT_CHUNK) };
}
