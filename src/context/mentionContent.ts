/**
 * Builds the content block of a mention when the message is sent, including unsaved text. The block has the whole text where the agent supports
 * embedded context. Otherwise it is a link where the agent finds the same text on disk, and text where it does not
 * (`core/model/promptContent.ts`, which also adapts queued messages).
 */
import { MAX_EMBEDDED } from '../core/model/attachment';
import type { ContentBlock, PromptCapabilities } from '../core/model/content';
import { fileMedia } from '../core/media/fileMedia';
import { attachmentUri } from '../core/mentions/attachmentUri';
import { resourceName } from '../core/model/contentNames';
import type { CellReference, Mention } from '../core/mentions/mention';

/** The current facts about a file or folder. */
export interface FileFacts {
  readonly isFolder: boolean;
  /** bytes */
  readonly size: number;
  /** The first bytes, see `PICTURE_HEAD`; empty for a document that is not on disk. */
  head(): Promise<Uint8Array>;
  /** The text, from an editor if the file is open; undefined when it is binary or too long. */
  text(): Promise<string | undefined>;
  /** base64 */
  data(): Promise<string>;
  /** True when an editor has another text than the disk. */
  readonly isUnsaved: boolean;
}

/** Reads the mentioned items. Each function rejects when the item cannot be read. */
export interface MentionSources {
  file(uri: string): Promise<FileFacts>;
  /** The current text of a notebook's cell, and its current number, counted from 1. */
  cell(uri: string, cell: CellReference): Promise<{ readonly text: string; readonly number: number }>;
  /** The files in a folder, relative to it; only some of them when there are many. */
  folder(uri: string): Promise<{ readonly files: readonly string[]; readonly isCut: boolean }>;
  /** JSON in the shape of LSP diagnostics. */
  problems(uri: string | undefined): Promise<string>;
  changes(uri: string): Promise<string>;
  commit(uri: string, hash: string): Promise<string>;
  session(sessionKey: string): Promise<{ readonly title: string; readonly text: string }>;
}

/** UTF-16 units of a text that is only in an editor. A link would lead to another text or to none. */
const MAX_UNSAVED = 1024 * 1024;
/** UTF-16 units of a diff or a conversation. */
export const MAX_CONTEXT_TEXT = 200_000;

export async function mentionContent(
  { ref, name }: Pick<Mention, 'ref' | 'name'>,
  capabilities: PromptCapabilities,
  sources: MentionSources,
): Promise<ContentBlock> {
  switch (ref.kind) {
    case 'content':
      return ref.block;
    case 'url':
      return { type: 'resource_link', uri: ref.uri, name: ref.uri };
    case 'file':
      return ref.cell ? cellContent({ ...ref, cell: ref.cell }, sources) : fileContent(ref, capabilities, sources, name);
    case 'symbol':
      return fileContent(ref, capabilities, sources, name);
    case 'folder':
      return folderContent(ref.uri, capabilities, sources);
    case 'problems':
      return {
        type: 'resource',
        uri: ref.uri === undefined ? attachmentUri('problems.json', name) : `${ref.uri}#problems`,
        mimeType: 'application/json',
        text: await sources.problems(ref.uri),
      };
    case 'changes':
      return diff('changes', name, await sources.changes(ref.uri));
    case 'commit':
      return diff(`commit-${ref.hash.slice(0, 12)}`, name, await sources.commit(ref.uri, ref.hash));
    case 'session': {
      const { title, text } = await sources.session(ref.sessionKey);
      const file = `${title.slice(0, 80).toWellFormed() || 'session'}.md`;
      return { type: 'resource', uri: attachmentUri(file, name), mimeType: 'text/markdown', text: cutText(text) };
    }
  }
}

interface FileRange {
  readonly uri: string;
  readonly line?: number | undefined;
  readonly endLine?: number | undefined;
}

/**
 * The content of a cell, or of lines in it, with the address of the notebook's file. A link would lead to JSON with other lines, so the text is
 * always included.
 */
async function cellContent(
  { uri, cell, line, endLine = line }: FileRange & { readonly cell: CellReference },
  sources: MentionSources,
): Promise<ContentBlock> {
  const { text, number } = await sources.cell(uri, cell);
  const range = line === undefined ? '' : `:L${line}${endLine === line ? '' : `-${endLine}`}`;
  const part = line === undefined ? text : linesOf(text, line, endLine!);
  return { type: 'resource', uri: `${uri}#cell=${number}${range}`, text: cutText(part, MAX_UNSAVED) };
}

async function fileContent(
  { uri, line, endLine = line }: FileRange,
  capabilities: PromptCapabilities,
  sources: MentionSources,
  name: string,
): Promise<ContentBlock> {
  const file = await sources.file(uri);
  if (file.isFolder) {
    return folderContent(uri, capabilities, sources);
  }
  const { size } = file;
  const media = fileMedia(resourceName(uri), await file.head(), size, capabilities);
  if (media && media.as !== 'link') {
    const data = await file.data();
    const { mimeType } = media;
    return media.as === 'image' ? { type: 'image', data, mimeType, uri } : { type: 'audio', data, mimeType };
  }
  const address = line === undefined ? uri : `${uri}#L${line}${endLine === line ? '' : `-${endLine}`}`;
  // A link leads to the text on disk.
  if (!media && (capabilities.embeddedContext || file.isUnsaved)) {
    const whole = await file.text();
    const text = whole === undefined || line === undefined ? whole : linesOf(whole, line, endLine!);
    if (text !== undefined && (text.length <= MAX_EMBEDDED || file.isUnsaved)) {
      return { type: 'resource', uri: address, text: cutText(text, MAX_UNSAVED) };
    }
  }
  return {
    type: 'resource_link',
    uri: address,
    name: line === undefined ? resourceName(uri) : name,
    ...(media && { mimeType: media.mimeType }),
    ...(line === undefined && { size }),
  };
}

/** Lines `first` to `last` (1-based, both included) with the breaks between them, without lines beyond the end. */
export function linesOf(text: string, first: number, last: number): string {
  return text
    .split(/\r\n|[\r\n]/)
    .slice(Math.max(1, first) - 1, Math.max(first, last))
    .join('\n');
}

async function folderContent(uri: string, { embeddedContext }: PromptCapabilities, sources: MentionSources): Promise<ContentBlock> {
  const address = uri.endsWith('/') ? uri : `${uri}/`;
  if (!embeddedContext) {
    return { type: 'resource_link', uri: address, name: resourceName(uri), mimeType: 'inode/directory' };
  }
  const { files, isCut } = await sources.folder(uri);
  return { type: 'resource', uri: address, mimeType: 'text/plain', text: [...files, ...(isCut ? ['…'] : [])].join('\n') };
}

function diff(file: string, name: string, text: string): ContentBlock {
  return { type: 'resource', uri: attachmentUri(`${file}.diff`, name), mimeType: 'text/x-diff', text: cutText(text) };
}

/** Cuts a text at the end of a line and adds the number of omitted characters. */
function cutText(text: string, max = MAX_CONTEXT_TEXT): string {
  if (text.length <= max) {
    return text;
  }
  const end = text.lastIndexOf('\n', max);
  return `${text.slice(0, end > 0 ? end : max).toWellFormed()}\n[… ${text.length - max} more characters]\n`;
}
