/**
 * Decodes v2 `tool_call_update` bodies, including those of permission requests (protocol v2 page "Tool Calls"), as a patch of the model: an omitted
 * field keeps its value, null clears it. A value of another type counts as omitted, and is kept in `extra`.
 */
import type { Location, ToolContent } from '../../core/model/content';
import type { ToolCallPatch } from '../../core/model/event';
import { type Fields, isRecord, keep, textOf, withRest } from '../json/fields';
import { decodeBlock, decodeToolContent } from '../v1/content';
import { decodeLocations, type DecodedToolCall } from '../v1/toolCalls';
import { withPatch } from './patches';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Reads all fields except `toolCallId`, `sessionUpdate`, `type` and `_meta`. */
export function decodeToolCall(raw: Fields): DecodedToolCall {
  const patch: Writable<ToolCallPatch> = {};
  let extra: Record<string, unknown> | undefined;
  for (const key in raw) {
    const value = raw[key];
    switch (key) {
      case 'sessionUpdate':
      case 'toolCallId':
      case '_meta':
        break;
      case 'title':
      case 'name':
      case 'kind':
      case 'status':
        if (typeof value === 'string' || value === null) {
          patch[key] = value;
        } else {
          extra = keep(extra, key, value);
        }
        break;
      case 'content':
        if (Array.isArray(value) || value === null) {
          patch.content = value && value.map(decodeContent);
        } else {
          extra = keep(extra, key, value);
        }
        break;
      case 'locations':
        if (Array.isArray(value)) {
          const locations: Location[] = decodeLocations(value);
          patch.locations = locations;
          if (locations.length !== value.length) {
            extra = keep(extra, key, value);
          }
        } else if (value === null) {
          patch.locations = null;
        } else {
          extra = keep(extra, key, value);
        }
        break;
      case 'rawInput':
      case 'rawOutput':
        patch[key] = value;
        break;
      case 'capabilities':
        // A malformed value counts as none.
        patch.canCancel = isRecord(value) && isRecord(value.cancel) ? true : null;
        if (!isPlainCancel(value)) {
          extra = keep(extra, key, value);
        }
        break;
      default:
        extra = keep(extra, key, value);
    }
  }
  return extra ? { patch, extra } : { patch };
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

const DIFF_FIELDS: ReadonlySet<string> = new Set(['type', 'changes', 'patch', 'malformed']);
const CHANGE_FIELDS: ReadonlySet<string> = new Set([
  ...['operation', 'path', 'oldPath', 'malformed'],
  ...['oldText', 'newText', 'line', 'sameText', 'match', 'context', 'fileText', 'lineParts'],
]);

/** Decodes one item of a tool call's `content`. */
export function decodeContent(raw: unknown): ToolContent {
  if (!isRecord(raw)) {
    return { type: 'unknown', raw };
  }
  switch (raw.type) {
    case 'diff':
      return decodeDiff(raw);
    case 'content':
    case 'terminal':
    case 'session':
      return decodeToolContent(raw);
    default:
      return { type: 'unknown', raw };
  }
}

/** `changes` is the truth. The patch may cover some of them. */
function decodeDiff(raw: Fields): ToolContent {
  if (!Array.isArray(raw.changes)) {
    return { type: 'unknown', raw };
  }
  const malformed: unknown[] = [];
  const changes = raw.changes.flatMap((item: unknown) => {
    if (!isRecord(item) || typeof item.path !== 'string' || typeof item.operation !== 'string') {
      malformed.push(item);
      return [];
    }
    const oldPath = textOf(item.oldPath);
    return [withRest({ operation: item.operation, path: item.path, ...(oldPath !== undefined && { oldPath }) }, item, CHANGE_FIELDS)];
  });
  const diff = withPatch({ type: 'diff', changes }, raw.patch);
  return withRest(malformed.length > 0 ? Object.assign(diff, { malformed }) : diff, raw, DIFF_FIELDS);
}

/** Decodes the list of blocks of a message; undefined for a value of another type, which counts as omitted. */
export function decodeContentList(raw: unknown) {
  return Array.isArray(raw) ? raw.map(decodeBlock) : raw === null ? null : undefined;
}
