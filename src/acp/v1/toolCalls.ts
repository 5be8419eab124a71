/**
 * Decodes v1 `tool_call` and `tool_call_update` bodies, including those of permission requests (protocol page "Tool Calls"), as a patch of the model.
 */
import type { Location } from '../../core/model/content';
import type { EventInput, ToolCallPatch } from '../../core/model/event';
import type { Fields } from '../json/fields';
import { isRecord, keep } from '../json/fields';
import { decodeToolContent } from './content';

export interface DecodedToolCall {
  readonly patch: ToolCallPatch;
  /** Unknown and wrong-typed fields. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** In v1 null means omitted: agents write it for a value without content. All fields except `toolCallId`, `sessionUpdate` and `_meta` are read. */
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
        // An empty string counts as omitted: it comes from agents whose language cannot leave out a field otherwise.
        if (typeof value === 'string' && value !== '') {
          patch[key] = value;
        } else if (value !== null) {
          extra = keep(extra, key, value);
        }
        break;
      case 'content':
        if (Array.isArray(value)) {
          patch.content = value.map(decodeToolContent);
        } else if (isRecord(value) || typeof value === 'string') {
          patch.content = [decodeToolContent(value)];
        } else if (value !== null) {
          extra = keep(extra, key, value);
        }
        break;
      case 'locations':
        if (Array.isArray(value)) {
          const locations = decodeLocations(value);
          patch.locations = locations;
          if (locations.length !== value.length) {
            extra = keep(extra, key, value);
          }
        } else if (value !== null) {
          extra = keep(extra, key, value);
        }
        break;
      case 'rawInput':
      case 'rawOutput':
        if (value !== null) {
          patch[key] = value;
        }
        break;
      default:
        extra = keep(extra, key, value);
    }
  }
  return extra ? { patch, extra } : { patch };
}

export function toolCallEvent(toolCallId: string, patch: ToolCallPatch, meta: unknown, extra: DecodedToolCall['extra']): EventInput {
  if (meta === undefined && extra === undefined) {
    return { type: 'tool_call_update', toolCallId, patch };
  }
  return { type: 'tool_call_update', toolCallId, patch, ...(meta !== undefined && { meta }), ...(extra && { extra }) };
}

export function decodeLocations(raw: readonly unknown[]): Location[] {
  const locations: Location[] = [];
  for (const item of raw) {
    if (!isRecord(item) || typeof item.path !== 'string') {
      continue;
    }
    if (item.line === undefined || Number.isFinite(item.line)) {
      locations.push(item as unknown as Location);
    } else {
      const { line, ...rest } = item;
      locations.push((line === null ? rest : { ...rest, malformed: { line } }) as unknown as Location);
    }
  }
  return locations;
}
