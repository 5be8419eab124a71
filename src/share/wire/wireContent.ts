/** Content blocks of the model as version 1 of the protocol has them, and back. */
import type { ContentBlock } from '../../core/model/content';
import { isReportUri } from '../../core/model/reportAddress';

/** A JSON object for the wire. */
export type Wire = Readonly<Record<string, unknown>>;

/** The maximum number of UTF-16 units of one text on the wire. */
export const MAX_TEXT = 64 * 1024;
/** The maximum number of UTF-16 units of the data of a picture, a sound or a file. */
const MAX_DATA = 4 * 1024 * 1024;
/** The maximum number of blocks of a prompt. */
const MAX_BLOCKS = 100;

/** Returns the block for the wire. A block that is too large becomes a text with its type. */
export function wireBlock(block: ContentBlock): Wire {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return block.data.length > MAX_DATA
        ? { type: 'text', text: `[${block.mimeType}]` }
        : { type: block.type, data: block.data, mimeType: block.mimeType };
    case 'resource_link': {
      const { uri, name, title, description, mimeType, size } = block;
      return { type: 'resource_link', uri, name, ...defined({ title, description, mimeType, size }) };
    }
    case 'resource': {
      const { uri, mimeType, text, blob } = block;
      return (text ?? blob ?? '').length > MAX_DATA
        ? { type: 'resource_link', uri, name: uri, ...defined({ mimeType }) }
        : { type: 'resource', resource: { uri, ...defined({ mimeType, text, blob }) } };
    }
    case 'unknown':
      return { type: 'text', text: '[…]' };
  }
}

/** Returns the pieces of a text, none of which cuts a character. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + MAX_TEXT);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) {
      end--;
    }
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Reads the prompt of an untrusted client. Undefined when a block is not valid, or claims to be a report of ours. */
export function promptFrom(value: unknown): ContentBlock[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_BLOCKS) {
    return undefined;
  }
  const blocks = value.map(blockFrom);
  return blocks.every((block) => block !== undefined) ? blocks : undefined;
}

function blockFrom(value: unknown): ContentBlock | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  switch (value['type']) {
    case 'text':
      return isText(value['text']) ? { type: 'text', text: value['text'] } : undefined;
    case 'image':
    case 'audio':
      return isText(value['data']) && isText(value['mimeType'])
        ? { type: value['type'], data: value['data'], mimeType: value['mimeType'] }
        : undefined;
    case 'resource_link':
      return isText(value['uri']) && isText(value['name']) ? linkFrom(value['uri'], value['name'], value) : undefined;
    case 'resource': {
      const resource = value['resource'];
      if (!isRecord(resource) || !isText(resource['uri']) || isReportUri(resource['uri'])) {
        return undefined;
      }
      const { text, blob } = resource;
      return isText(text) !== isText(blob)
        ? { type: 'resource', uri: resource['uri'], ...texts(resource, 'mimeType', 'text', 'blob') }
        : undefined;
    }
    default:
      return undefined;
  }
}

function linkFrom(uri: string, name: string, value: Wire): ContentBlock | undefined {
  return isReportUri(uri) ? undefined : { type: 'resource_link', uri, name, ...texts(value, 'title', 'description', 'mimeType') };
}

function texts<K extends string>(value: Wire, ...names: readonly K[]): { [N in K]?: string } {
  return Object.fromEntries(names.flatMap((name) => (isText(value[name]) ? [[name, value[name]]] : []))) as { [N in K]?: string };
}

/** Returns the object without its undefined members. */
export function defined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<T>;
}

export function isRecord(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
