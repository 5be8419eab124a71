/** Texts of files as the editor has them. Bytes that an editor would not write again the same are no text: such files are undone as a whole. */
import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import { looksBinary } from '../../../changes/turns/fileStates';
import { decodeUtf8, encodeUtf8, keepsLineEnds } from '../../../changes/undo/editorText';
import type { TextCodec } from '../../../changes/undo/undoDependencies';

type Encoding = { readonly uri: vscode.Uri } | { readonly encoding: string };

/** Returns the text of a file's bytes in the file's encoding; undefined when the editor's text would not give the same bytes again. */
export async function decodeText(path: string, bytes: Uint8Array): Promise<string | undefined> {
  const encoding = encodingOf(path);
  if (encoding === 'utf8') {
    return decodeUtf8(bytes);
  }
  if (looksBinary(bytes)) {
    return undefined;
  }
  const text = await decodeAs(bytes, encoding);
  const reencoded = await encodeText(path, text, bytes);
  return reencoded && Buffer.compare(reencoded, bytes) === 0 && keepsLineEnds(text) ? text : undefined;
}

/** Returns the text of a file's bytes for a diff editor or a report, also where some bytes cannot be read; undefined for binary files. */
export async function displayText(path: string, bytes: Uint8Array): Promise<string | undefined> {
  return (
    (await decodeText(path, bytes)) ?? (looksBinary(bytes) ? undefined : vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) }))
  );
}

/** Encodes a text in the file's encoding. @param like the file's present bytes, whose byte order mark is kept. Undefined where characters would be lost. */
export async function encodeText(path: string, text: string, like: Uint8Array): Promise<Uint8Array | undefined> {
  const encoding = encodingOf(path);
  if (encoding === 'utf8') {
    return encodeUtf8(text, like);
  }
  const bytes = await encodeAs(text, encoding);
  const reencoded = await decodeAs(bytes, encoding);
  return reencoded === text ? bytes : undefined;
}

export const textCodec: TextCodec = { decode: decodeText, encode: encodeText };

/** `utf8` where that is certain without VS Code's help, which costs two messages a file. */
function encodingOf(path: string): 'utf8' | Encoding {
  const open = vscode.workspace.textDocuments.find(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed && uri.fsPath === path);
  if (open) {
    return open.encoding === 'utf8' || open.encoding === 'utf8bom' ? 'utf8' : { encoding: open.encoding };
  }
  const uri = vscode.Uri.file(path);
  const settings = vscode.workspace.getConfiguration('files', uri);
  return settings.get('encoding') === 'utf8' && settings.get('autoGuessEncoding') !== true ? 'utf8' : { uri };
}

function decodeAs(bytes: Uint8Array, encoding: Encoding): Thenable<string> {
  return 'uri' in encoding ? vscode.workspace.decode(bytes, encoding) : vscode.workspace.decode(bytes, encoding);
}

function encodeAs(text: string, encoding: Encoding): Thenable<Uint8Array> {
  return 'uri' in encoding ? vscode.workspace.encode(text, encoding) : vscode.workspace.encode(text, encoding);
}
