/** Decodes v1 updates that are independent of earlier ones (plan, commands, session info, usage, notices), with helpers for all updates. */
import type { EventInput } from '../../core/model/event';
import type { Fields } from '../json/fields';
import { isPresent, isRecord, keep, labelOf, textOf } from '../json/fields';
import { isLaunchAnswer } from '../quirks/claudeSubagents';
import { decodeBlock } from './content';
import type { Malformed } from './config';
import { decodeCommands, decodePlan, decodePlanEntries, V1_PLAN_ID } from './config';

interface UpdateCommon {
  meta?: unknown;
  extra?: Readonly<Record<string, unknown>>;
}

const PLAN: ReadonlySet<string> = new Set(['sessionUpdate', 'entries']);
const PLAN_UPDATE: ReadonlySet<string> = new Set(['sessionUpdate', 'plan']);
const PLAN_REMOVED: ReadonlySet<string> = new Set(['sessionUpdate', 'planId']);
const COMMANDS: ReadonlySet<string> = new Set(['sessionUpdate', 'availableCommands']);
const INFO: ReadonlySet<string> = new Set(['sessionUpdate', 'title', 'updatedAt']);
const USAGE: ReadonlySet<string> = new Set(['sessionUpdate', 'used', 'size', 'cost']);
const NOTICE: ReadonlySet<string> = new Set(['sessionUpdate', 'severity', 'title', 'description']);
/** The other view of the message, in the conversation of the other session, is not linked. */
const SESSION_MESSAGE: ReadonlySet<string> = new Set([
  'sessionUpdate',
  'messageId',
  'senderSessionId',
  'recipientSessionId',
  'senderMessageId',
  'recipientMessageId',
  'content',
]);
const SESSION_MESSAGE_CHUNK: ReadonlySet<string> = new Set(['sessionUpdate', 'messageId', 'content']);
const COMPACTION: ReadonlySet<string> = new Set(['sessionUpdate', 'compactionId', 'status', 'summary', 'error']);

/** Returns the event of an independent kind; undefined when the kind is not one of these or its body cannot be read. */
export function decodeFact(kind: string, update: Fields, mint: () => string): EventInput | undefined {
  const malformed: Malformed = [];
  switch (kind) {
    case 'plan': {
      if (!Array.isArray(update.entries)) {
        return undefined;
      }
      const entries = decodePlanEntries(update.entries, malformed);
      return { type: 'plan_update', planId: V1_PLAN_ID, plan: { type: 'items', entries }, ...rest(update, PLAN, malformed) };
    }
    case 'plan_update': {
      const plan = decodePlan(update.plan, malformed);
      return plan && { type: 'plan_update', ...plan, ...rest(update, PLAN_UPDATE, malformed) };
    }
    case 'plan_removed': {
      const planId = textOf(update.planId) ?? textOf(update.id);
      return planId === undefined ? undefined : { type: 'plan_removed', planId, ...rest(update, PLAN_REMOVED) };
    }
    case 'available_commands_update': {
      if (!Array.isArray(update.availableCommands)) {
        return undefined;
      }
      const commands = decodeCommands(update.availableCommands, malformed);
      return { type: 'available_commands', commands, ...rest(update, COMMANDS, malformed) };
    }
    case 'session_info_update':
      return sessionInfo(update);
    case 'usage_update':
      return usage(update);
    case 'notice':
      return notice(update, mint);
    case 'session_message':
    case 'session_message_chunk':
      return sessionMessage(kind, update);
    default:
      return undefined;
  }
}

/** Returns `_meta`, unknown fields and list items that fit no model type, for the end of an event. */
export function rest(update: Fields, known: ReadonlySet<string>, malformed: Malformed = []): UpdateCommon | undefined {
  let extra: Record<string, unknown> | undefined;
  for (const key in update) {
    if (!known.has(key) && key !== '_meta') {
      extra = keep(extra, key, update[key]);
    }
  }
  if (malformed.length > 0) {
    extra = keep(extra, 'malformed', malformed);
  }
  const meta = update._meta ?? undefined;
  return meta === undefined && !extra ? undefined : { ...(meta !== undefined && { meta }), ...(extra && { extra }) };
}

/** Moves fields whose value failed its check into `extra`. */
function withWrong(base: UpdateCommon | undefined, update: Fields, wrong: readonly (string | false)[]): UpdateCommon | undefined {
  const names = wrong.filter((name) => name !== false);
  if (names.length === 0) {
    return base;
  }
  let extra: Record<string, unknown> = { ...base?.extra };
  for (const name of names) {
    extra = keep(extra, name, update[name]);
  }
  return { ...base, extra };
}

const isTextOrNothing = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';

/** Decodes the only v1 update in which null differs from omitted: it clears the value. */
function sessionInfo(update: Fields): EventInput {
  const { title, updatedAt } = update;
  return {
    type: 'session_info',
    ...((title === null || typeof title === 'string') && { title }),
    ...((updatedAt === null || typeof updatedAt === 'string') && { updatedAt }),
    ...withWrong(rest(update, INFO), update, [!isTextOrNothing(title) && 'title', !isTextOrNothing(updatedAt) && 'updatedAt']),
  };
}

function usage(update: Fields): EventInput | undefined {
  const { used, cost } = update;
  const size = update.size ?? 0;
  if (!Number.isFinite(used) || !Number.isFinite(size)) {
    return undefined;
  }
  const isCost = isRecord(cost) && Number.isFinite(cost.amount) && typeof cost.currency === 'string';
  return {
    type: 'usage',
    usage: { used: used as number, size: size as number, ...(isCost && { cost: cost as unknown as { amount: number; currency: string } }) },
    ...withWrong(rest(update, USAGE), update, [cost !== undefined && cost !== null && !isCost && 'cost']),
  };
}

function notice(update: Fields, mint: () => string): EventInput | undefined {
  const { title, severity, description } = update;
  if (typeof title !== 'string' || !(labelOf(title) ?? labelOf(description))) {
    return undefined;
  }
  return {
    type: 'notice',
    noticeId: mint(),
    severity: textOf(severity) ?? 'info',
    title,
    ...(typeof description === 'string' && { description }),
    ...withWrong(rest(update, NOTICE), update, [!isTextOrNothing(severity) && 'severity', !isTextOrNothing(description) && 'description']),
  };
}

/** A message between two sessions (RFD "Subagent Sessions"). */
function sessionMessage(kind: string, update: Fields): EventInput | undefined {
  const { messageId, senderSessionId, recipientSessionId, content } = update;
  if (typeof messageId !== 'string') {
    return undefined;
  }
  if (kind === 'session_message_chunk') {
    return isPresent(content)
      ? { type: 'session_message_chunk', messageId, content: decodeBlock(content), ...rest(update, SESSION_MESSAGE_CHUNK) }
      : undefined;
  }
  const isContent = !isPresent(content) || Array.isArray(content);
  return {
    type: 'session_message',
    messageId,
    ...((senderSessionId === null || typeof senderSessionId === 'string') && { senderId: senderSessionId }),
    ...((recipientSessionId === null || typeof recipientSessionId === 'string') && { recipientId: recipientSessionId }),
    ...(content === null
      ? { content }
      : Array.isArray(content) && { content: isLaunchAnswer(messageId, content) ? [] : content.map(decodeBlock) }),
    ...withWrong(rest(update, SESSION_MESSAGE), update, [
      !isTextOrNothing(senderSessionId) && 'senderSessionId',
      !isTextOrNothing(recipientSessionId) && 'recipientSessionId',
      !isContent && 'content',
    ]),
  };
}

/** Has three states, as the protocol specifies already in v1: omitted keeps, null clears, a value replaces. */
export function compactionUpdate(compactionId: string, update: Fields): EventInput {
  const { status, summary, error } = update;
  const isSummary = summary === null || summary === undefined || Array.isArray(summary);
  return {
    type: 'compaction_update',
    compactionId,
    ...(typeof status === 'string' && { status }),
    ...(summary === null ? { summary } : Array.isArray(summary) && { summary: summary.map(decodeBlock) }),
    ...((error === null || typeof error === 'string') && { error }),
    ...withWrong(rest(update, COMPACTION), update, [
      !isTextOrNothing(status) && 'status',
      !isSummary && 'summary',
      !isTextOrNothing(error) && 'error',
    ]),
  };
}

/** Adds the notification's own `_meta` and unknown fields to the first event: as `meta` when the update had none, otherwise under `extra.params`. */
export function withParams(events: EventInput[], params: Fields): EventInput[] {
  let extra: Record<string, unknown> | undefined;
  for (const key in params) {
    if (key !== 'sessionId' && key !== 'update' && key !== '_meta') {
      extra = keep(extra, key, params[key]);
    }
  }
  const meta = params._meta ?? undefined;
  const first = events[0];
  if ((meta === undefined && !extra) || !first || first.type === 'unknown') {
    return events;
  }
  if (meta !== undefined && first.meta !== undefined) {
    extra = keep(extra, '_meta', meta);
  }
  const changed: EventInput = {
    ...first,
    ...(meta !== undefined && first.meta === undefined && { meta }),
    ...(extra && { extra: { ...first.extra, params: extra } }),
  };
  return [changed, ...events.slice(1)];
}
