/** Files that the user chose, as blocks of a prompt: what the agent takes whole goes whole, everything else as a link to it. */
import * as vscode from 'vscode';
import { MAX_EMBEDDED, MAX_MEDIA, mediaTypeOf, takes } from '../core/attachment';
import type { ContentBlock, PromptCapabilities } from '../core/content';
import { visible } from './escape';
import { t } from './l10n';
import { window } from './window';

/** Files of one choice at most. */
const MAX_FILES = 50;

/** Asks for files; undefined when the user leaves. */
export async function chooseFiles(folder: string): Promise<vscode.Uri[] | undefined> {
  return window.showOpenDialog({ canSelectMany: true, openLabel: t('Attach'), title: t('Attach Files'), defaultUri: vscode.Uri.file(folder) });
}

/** What cannot be read is named in a message and left out. */
export async function fileBlocks(uris: readonly vscode.Uri[], capabilities: PromptCapabilities): Promise<ContentBlock[]> {
  const blocks: ContentBlock[] = [];
  const unread: string[] = [];
  for (const uri of uris.slice(0, MAX_FILES)) {
    try {
      blocks.push(await fileBlock(uri, capabilities));
    } catch {
      unread.push(visible(vscode.workspace.asRelativePath(uri), 100));
    }
  }
  if (unread.length > 0) {
    void window.showWarningMessage(t('Could not be attached: {files}', { files: unread.join(', ') }));
  }
  if (uris.length > MAX_FILES) {
    void window.showWarningMessage(t('Only the first {count} files were attached.', { count: MAX_FILES }));
  }
  return blocks;
}

async function fileBlock(uri: vscode.Uri, capabilities: PromptCapabilities): Promise<ContentBlock> {
  const { size, type } = await vscode.workspace.fs.stat(uri);
  const name = uri.path.split('/').at(-1) || uri.path;
  const address = uri.toString();
  const media = mediaTypeOf(name);
  if (media && takes(media, capabilities) && size <= MAX_MEDIA) {
    const data = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('base64');
    return media.type === 'image' ? { type: 'image', data, mimeType: media.mimeType, uri: address } : { type: 'audio', data, mimeType: media.mimeType };
  }
  if (!media && (type & vscode.FileType.File) !== 0 && capabilities.embeddedContext && size <= MAX_EMBEDDED) {
    const text = await textOf(uri);
    if (text !== undefined) {
      return { type: 'resource', uri: address, text };
    }
  }
  return { type: 'resource_link', uri: address, name, ...(media && { mimeType: media.mimeType }), size };
}

/** As the user sees it: what is typed and not saved counts. Undefined for what is no text. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) {
    return open.getText();
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
