/**
 * Trims data that is sent to the view without a request. Large raw inputs and outputs, file texts and unknown bodies become `Bulk`; `_meta` and
 * unknown fields are removed. Trimming an event and then reducing it equals reducing it and then trimming the entry.
 */
import { descriptionIn } from '../approval/command';
import type { ContentBlock, FileChange, PermissionSubject, ToolContent } from '../model/content';
import type { SessionEvent } from '../model/event';
import type { QueuedMessages } from '../model/queuedMessage';
import type { Entry } from '../model/state';
import type { Bulk } from './view';

/** UTF-16 units of JSON above which a raw value stays in the host. */
const RAW_LIMIT = 4096;
const HEAD = 1024;
/** UTF-16 units above which a changed file's texts stay in the host; the diff editor still has them. */
const FILE_LIMIT = 512 * 1024;

/** Returns the event as the view gets it; the same reference when nothing in it is bulk. */
export function trimEvent(event: SessionEvent): SessionEvent {
  let trimmed = event;
  if (event.meta !== undefined || event.extra !== undefined) {
    const { meta: _meta, extra: _extra, ...rest } = event;
    trimmed = rest as SessionEvent;
  }
  switch (trimmed.type) {
    case 'tool_call_update': {
      const patch = trimFields(trimmed.patch);
      return patch === trimmed.patch ? trimmed : { ...trimmed, patch };
    }
    case 'tool_call_content_chunk':
      return { ...trimmed, content: trimContent(trimmed.content) };
    case 'permission_requested': {
      const subject: PermissionSubject = trimFields(trimmed.subject);
      return subject === trimmed.subject ? trimmed : { ...trimmed, subject };
    }
    case 'unknown':
      return { ...trimmed, raw: trimRaw(trimmed.raw) };
    case 'subagent_event': {
      const inner = trimEvent(trimmed.event as SessionEvent);
      return inner === trimmed.event ? trimmed : { ...trimmed, event: inner };
    }
    case 'message_queued':
    case 'queued_message_edited':
      return { ...trimmed, content: trimmed.content.map(trimBlock) };
    default:
      return trimmed;
  }
}

/** Returns the entry as the view gets it; the same reference when nothing in it is bulk. */
export function trimEntry(entry: Entry): Entry {
  switch (entry.kind) {
    case 'tool_call':
      return trimFields(entry);
    case 'permission': {
      const subject: PermissionSubject = trimFields(entry.subject);
      return subject === entry.subject ? entry : { ...entry, subject };
    }
    case 'unknown': {
      const raw = trimRaw(entry.raw);
      return raw === entry.raw ? entry : { ...entry, raw };
    }
    default:
      return entry;
  }
}

/** Returns the queue as the view gets it, with the attachments' names only. */
export function trimQueue(queue: QueuedMessages): QueuedMessages {
  return queue.map((message) => ({ ...message, content: message.content.map(trimBlock) }));
}

function trimBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'image':
    case 'audio':
      return { ...block, data: '' };
    case 'resource':
      return { ...block, ...(block.text !== undefined && { text: '' }), ...(block.blob !== undefined && { blob: '' }) };
    default:
      return block;
  }
}

interface RawFields {
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly content?: readonly ToolContent[] | null;
}

function trimFields<T extends RawFields>(target: T): T {
  const rawInput = trimRaw(target.rawInput);
  const rawOutput = trimRaw(target.rawOutput);
  const content = target.content?.some(isLarge) ? target.content.map(trimContent) : target.content;
  if (rawInput === target.rawInput && rawOutput === target.rawOutput && content === target.content) {
    return target;
  }
  return {
    ...target,
    ...(rawInput !== undefined && { rawInput }),
    ...(rawOutput !== undefined && { rawOutput }),
    ...(content !== undefined && { content }),
  };
}

function trimRaw(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= RAW_LIMIT) {
    return value;
  }
  const description = descriptionIn(value);
  return {
    bulk: true,
    length: text.length,
    head: text.slice(0, HEAD),
    ...(description !== undefined && description.length <= HEAD && { description }),
  } satisfies Bulk;
}

function isLarge(content: ToolContent): boolean {
  return content.type === 'diff' && content.changes.some(isLargeChange);
}

function isLargeChange(change: FileChange): boolean {
  return (change.oldText?.length ?? 0) + (change.newText?.length ?? 0) > FILE_LIMIT;
}

function trimContent(content: ToolContent): ToolContent {
  if (content.type !== 'diff' || !isLarge(content)) {
    return content;
  }
  return {
    ...content,
    changes: content.changes.map((change) => {
      if (!isLargeChange(change)) {
        return change;
      }
      const { oldText: _old, newText: _new, ...rest } = change;
      return rest;
    }),
  };
}
