/**
 * Encodes and decodes v1 content blocks and tool call content (protocol pages "Content" and "Tool Calls"). A value that already has the model's shape
 * is passed on unchanged, including unknown fields and `_meta`. Only a value that differs is copied.
 */
import type { Annotations, ContentBlock, FileChange, ToolContent } from '../../core/model/content';
import { patchedDiff } from '../quirks/air/content';
import type { Fields } from '../json/fields';
import { isRecord, keep, textOf, withRest } from '../json/fields';

/** Decodes any value as a content block. Bare strings, which some agents send, are text. */
export function decodeBlock(raw: unknown): ContentBlock {
  if (typeof raw === 'string') {
    return { type: 'text', text: raw };
  }
  if (!isRecord(raw)) {
    return { type: 'unknown', raw };
  }
  switch (raw.type) {
    case 'text':
      return typeof raw.text === 'string' ? tidy<ContentBlock>(raw, ANNOTATED) : { type: 'unknown', raw };
    case 'image':
      return typeof raw.data === 'string' && typeof raw.mimeType === 'string' ? tidy<ContentBlock>(raw, IMAGE) : { type: 'unknown', raw };
    case 'audio':
      return typeof raw.data === 'string' && typeof raw.mimeType === 'string'
        ? tidy<ContentBlock>(raw, ANNOTATED)
        : { type: 'unknown', raw };
    case 'resource_link':
      return decodeLink(raw);
    case 'resource':
      return decodeResource(raw);
    default:
      return { type: 'unknown', raw };
  }
}

type Optional = Readonly<Record<string, 'string' | 'number' | 'object'>>;

const ANNOTATED: Optional = { annotations: 'object' };
const IMAGE: Optional = { annotations: 'object', uri: 'string' };
const LINK: Optional = { annotations: 'object', title: 'string', description: 'string', mimeType: 'string', size: 'number' };
const RESOURCE: Optional = { annotations: 'object' };

/**
 * Returns `raw` itself when its optional fields are absent or have the right type. Otherwise returns a copy without null fields, and with wrong-typed
 * ones moved to `malformed`.
 */
function tidy<T>(raw: Fields, optional: Optional): T {
  let copy: Record<string, unknown> | undefined;
  for (const key in optional) {
    const value = raw[key];
    if (value === undefined || (value !== null && typeof value === optional[key] && !isTooLarge(value))) {
      continue;
    }
    copy ??= { ...raw };
    delete copy[key];
    if (value !== null) {
      copy.malformed = keep(copy.malformed as Record<string, unknown> | undefined, key, value);
    }
  }
  return (copy ?? raw) as T;
}

/** True for a number that JSON can write and no number can hold, so that the journal could not store it. */
function isTooLarge(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

function decodeLink(raw: Fields): ContentBlock {
  if (typeof raw.uri !== 'string') {
    return { type: 'unknown', raw };
  }
  return tidy<ContentBlock>(typeof raw.name === 'string' ? raw : { ...raw, name: raw.uri }, LINK);
}

const RESOURCE_FIELDS: ReadonlySet<string> = new Set(['type', 'resource', 'annotations', 'uri', 'mimeType', 'text', 'blob', 'contents']);

function decodeResource(raw: Fields): ContentBlock {
  const contents = raw.resource;
  if (!isRecord(contents) || typeof contents.uri !== 'string') {
    return { type: 'unknown', raw };
  }
  const text = textOf(contents.text);
  const blob = textOf(contents.blob);
  if (text === undefined && blob === undefined) {
    return { type: 'unknown', raw };
  }
  const outer = tidy<Fields>(raw, RESOURCE);
  const mimeType = textOf(contents.mimeType);
  const block: ContentBlock = withRest(
    {
      type: 'resource' as const,
      uri: contents.uri,
      ...(mimeType !== undefined && { mimeType }),
      ...(text !== undefined ? { text } : { blob: blob! }),
      ...(isRecord(outer.annotations) && { annotations: outer.annotations }),
    },
    outer,
    RESOURCE_FIELDS,
  );
  // The model's block is flat; other fields of the inner object stay beside it.
  let rest: Record<string, unknown> | undefined;
  for (const key in contents) {
    if (contents[key] !== null && (block as unknown as Fields)[key] !== contents[key]) {
      rest = keep(rest, key, contents[key]);
    }
  }
  return rest ? Object.assign(block, { contents: rest }) : block;
}

/** Decodes a list of blocks; a single block counts as a list of one. */
export function decodeBlocks(raw: unknown): ContentBlock[] {
  return Array.isArray(raw) ? raw.map(decodeBlock) : [decodeBlock(raw)];
}

const DIFF_FIELDS: ReadonlySet<string> = new Set(['type', 'path', 'oldText', 'newText', 'deleted', 'changes', 'patch', 'malformed']);

/** Decodes one item of a tool call's `content`. A bare content block (as on the page "Session Modes") is wrapped. */
export function decodeToolContent(raw: unknown): ToolContent {
  if (typeof raw === 'string') {
    return { type: 'content', content: decodeBlock(raw) };
  }
  if (!isRecord(raw)) {
    return { type: 'unknown', raw };
  }
  switch (raw.type) {
    case 'content': {
      if (raw.content === undefined || raw.content === null) {
        return { type: 'unknown', raw };
      }
      const content = decodeBlock(raw.content);
      return content === raw.content ? (raw as unknown as ToolContent) : ({ ...raw, content } as unknown as ToolContent);
    }
    case 'diff':
      return decodeDiff(raw);
    case 'terminal':
      return typeof raw.terminalId === 'string' ? (raw as unknown as ToolContent) : { type: 'unknown', raw };
    case 'session':
      return typeof raw.sessionId === 'string' ? (raw as unknown as ToolContent) : { type: 'unknown', raw };
    case 'text':
    case 'image':
    case 'audio':
    case 'resource':
    case 'resource_link':
      return { type: 'content', content: decodeBlock(raw) };
    default:
      return { type: 'unknown', raw };
  }
}

function decodeDiff(raw: Fields): ToolContent {
  const patched = patchedDiff(raw);
  if (patched) {
    return patched;
  }
  const { path, oldText, newText } = raw;
  const deleted = raw.deleted === true; // Proposed for v1 and not in a schema yet; never inferred from an empty text.
  if (typeof path !== 'string' || (typeof newText !== 'string' && !deleted)) {
    return { type: 'unknown', raw };
  }
  const hasOld = typeof oldText === 'string';
  const change: FileChange = {
    operation: deleted ? 'delete' : hasOld ? 'modify' : 'add',
    path,
    ...(hasOld || oldText === null ? { oldText } : undefined),
    ...(typeof newText === 'string' && { newText }),
  };
  const diff = { type: 'diff' as const, changes: [change] };
  if (oldText !== undefined && oldText !== null && !hasOld) {
    Object.assign(diff, { malformed: { oldText } });
  }
  return withRest(diff, raw, DIFF_FIELDS);
}

/** Encodes a block for a v1 prompt, with known fields only. An unknown block is returned as it came. */
export function encodeBlock(block: ContentBlock): unknown {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ...annotationsOf(block) };
    case 'image':
      return {
        type: 'image',
        data: block.data,
        mimeType: block.mimeType,
        ...(block.uri !== undefined && { uri: block.uri }),
        ...annotationsOf(block),
      };
    case 'audio':
      return { type: 'audio', data: block.data, mimeType: block.mimeType, ...annotationsOf(block) };
    case 'resource_link':
      return {
        type: 'resource_link',
        uri: block.uri,
        name: block.name,
        ...(block.title !== undefined && { title: block.title }),
        ...(block.description !== undefined && { description: block.description }),
        ...(block.mimeType !== undefined && { mimeType: block.mimeType }),
        ...(block.size !== undefined && { size: block.size }),
        ...annotationsOf(block),
      };
    case 'resource':
      return {
        type: 'resource',
        resource: {
          uri: block.uri,
          ...(block.mimeType !== undefined && { mimeType: block.mimeType }),
          ...(block.text !== undefined ? { text: block.text } : { blob: block.blob ?? '' }),
        },
        ...annotationsOf(block),
      };
    case 'unknown':
      return block.raw;
  }
}

function annotationsOf(block: { readonly annotations?: Annotations }): { annotations?: Annotations } {
  return block.annotations ? { annotations: block.annotations } : {};
}
