/** Reads files that were checked before they go to an agent. The content comes from the very file that was checked. */
import * as vscode from 'vscode';
import { PICTURE_HEAD } from '../../core/media/pictureFormats';
import { diskBytes } from '../../util/checkedBytes';
import { identityOf, isSameFile, type FileIdentity } from '../../util/checkedFiles';
import { hasLeft } from '../../util/location';
import { realPathOf } from '../../util/realPath';

/** A file for a prompt. A `file:` address has a real path, which was checked; other addresses belong to VS Code. */
export interface CheckedFile {
  readonly uri: vscode.Uri;
  readonly real?: string | undefined;
  /** Undefined where files cannot be identified. */
  readonly identity?: FileIdentity | undefined;
}

/** Rejects for a `file:` address that was not checked, and for a missing file. `size` is in bytes. */
export async function factsOf({ uri, real }: CheckedFile): Promise<{ size: number; isFile: boolean; isFolder: boolean }> {
  if (uri.scheme !== 'file') {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    return { size, isFile: (type & vscode.FileType.File) !== 0, isFolder: (type & vscode.FileType.Directory) !== 0 };
  }
  const { size, kind } = await diskBytes.stat(checked(real));
  return { size, isFile: kind === 'file', isFolder: kind === 'directory' };
}

/** Reads the file from the disk. Rejects with ESTALE when another file has replaced it, with EFBIG when it is longer than `maxBytes`. */
export async function checkedBytesOf({ uri, real, identity }: CheckedFile, maxBytes: number): Promise<Uint8Array> {
  return uri.scheme === 'file' ? diskBytes.read(checked(real), maxBytes, identity) : vscode.workspace.fs.readFile(uri);
}

/** Reads the file's first bytes, enough to recognize a picture. Rejects with ESTALE when another file has replaced it. */
export async function checkedHeadOf({ uri, real, identity }: CheckedFile): Promise<Uint8Array> {
  return uri.scheme === 'file'
    ? diskBytes.head(checked(real), PICTURE_HEAD, identity)
    : (await vscode.workspace.fs.readFile(uri)).subarray(0, PICTURE_HEAD);
}

/**
 * Returns the file's text, with the user's unsaved changes. An open document without unsaved changes is not used, because it may still have the
 * text of an earlier file at its address. Undefined for a file that is not text, or longer than `maxBytes`. Rejects with ESTALE when another file
 * has replaced it.
 */
export async function checkedTextOf(file: CheckedFile, maxBytes: number): Promise<string | undefined> {
  const { uri } = file;
  const open = openDocument(uri);
  if (open && (open.isDirty || uri.scheme !== 'file')) {
    const text = open.getText();
    if (uri.scheme === 'file' && !(await isStill(file))) {
      throw hasLeft(uri.fsPath);
    }
    return text;
  }
  try {
    const bytes = await checkedBytesOf(file, maxBytes);
    const text = open
      ? await vscode.workspace.decode(bytes, { encoding: open.encoding })
      : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch (error) {
    if (error instanceof TypeError || (error as NodeJS.ErrnoException).code === 'EFBIG') {
      return undefined;
    }
    throw error;
  }
}

/** Returns the open document with this very address. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const address = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === address && !document.isClosed);
}

/** True when the address still refers to the file that was checked. Never rejects. */
export async function isStill({ uri, real, identity }: CheckedFile): Promise<boolean> {
  if (!identity) {
    return real !== undefined && (await realPathOf(uri.fsPath).catch(() => undefined)) === real;
  }
  const now = await identityOf(uri.fsPath);
  return now !== undefined && isSameFile(now, identity);
}

function checked(real: string | undefined): string {
  if (real === undefined) {
    throw new Error('The file was not checked.');
  }
  return real;
}
