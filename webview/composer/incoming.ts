/** What the user pastes or drops on the composer, as what goes with the next prompt. */
import { MAX_EMBEDDED, MAX_MEDIA, mediaTypeOf } from '../../src/core/model/attachment';
import type { ContentBlock, PromptCapabilities } from '../../src/core/model/content';

/** A file that is larger than what goes with a message; in bytes. */
export interface TooLarge {
  readonly name: string;
  readonly size: number;
  readonly limit: number;
}

export interface Incoming {
  readonly blocks: readonly ContentBlock[];
  /** Names of what the agent does not take. */
  readonly refused: readonly string[];
  readonly tooLarge: readonly TooLarge[];
}

/** The files of a paste or drop; empty for plain text, which the text area takes itself. */
export function filesOf(transfer: DataTransfer | null): File[] {
  return transfer ? [...transfer.files] : [];
}

/** Addresses of files dragged from VS Code's own views. They are the host's to read. */
export function urisOf(transfer: DataTransfer | null): string[] {
  const list = transfer?.getData('application/vnd.code.uri-list') || transfer?.getData('text/uri-list') || '';
  return list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}

/** Reads them. Never rejects. */
export async function readFiles(files: readonly File[], capabilities: PromptCapabilities): Promise<Incoming> {
  const blocks: ContentBlock[] = [];
  const refused: string[] = [];
  const tooLarge: TooLarge[] = [];
  for (const file of files) {
    const block = await readFile(file, capabilities).catch(() => undefined);
    if (block && 'limit' in block) {
      tooLarge.push(block);
    } else if (block) {
      blocks.push(block);
    } else {
      refused.push(file.name || file.type);
    }
  }
  return { blocks, refused, tooLarge };
}

async function readFile(file: File, capabilities: PromptCapabilities): Promise<ContentBlock | TooLarge | undefined> {
  const media = /^(image|audio)\/[\w.+-]+$/.exec(file.type);
  const type = (media?.[1] as 'image' | 'audio' | undefined) ?? mediaTypeOf(file.name)?.type;
  if (type) {
    if (!capabilities[type]) {
      return undefined;
    }
    if (file.size > MAX_MEDIA) {
      return { name: file.name, size: file.size, limit: MAX_MEDIA };
    }
    return { type, data: await base64Of(file), mimeType: file.type || mediaTypeOf(file.name)!.mimeType };
  }
  if (file.size > MAX_EMBEDDED) {
    return { name: file.name, size: file.size, limit: MAX_EMBEDDED };
  }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  if (text.includes('\0')) {
    return undefined;
  }
  return { type: 'resource', uri: `attachment:/${encodeURIComponent(file.name)}`, ...(file.type && { mimeType: file.type }), text };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('not read'));
    reader.readAsDataURL(file);
  });
}
