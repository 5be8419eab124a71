/** Writes a text that comes in pieces to a file of the user's choice, a portion at a time; readable by the user only, where files can be that. */
import * as vscode from 'vscode';
import { paced } from './paced';

/** UTF-16 units that are written at once. */
const PORTION = 256 * 1024;

/** A file that was there before is replaced. When it fails or is given up, what was begun is removed. */
export async function saveText(uri: vscode.Uri, pieces: Iterable<string> | AsyncIterable<string>, token?: vscode.CancellationToken): Promise<void> {
  if (uri.scheme !== 'file') {
    const all: string[] = [];
    for await (const portion of portions(pieces, token)) {
      all.push(portion);
    }
    await vscode.workspace.fs.writeFile(uri, Buffer.from(all.join('')));
    return;
  }
  const { open, rename, rm } = await import('node:fs/promises');
  const begun = `${uri.fsPath}.part`;
  try {
    const file = await open(begun, 'w', 0o600);
    try {
      for await (const portion of portions(pieces, token)) {
        await file.write(portion);
      }
    } finally {
      await file.close();
    }
    await rename(begun, uri.fsPath);
  } catch (error) {
    await rm(begun, { force: true });
    throw error;
  }
}

async function* portions(pieces: Iterable<string> | AsyncIterable<string>, token: vscode.CancellationToken | undefined): AsyncIterable<string> {
  let portion = '';
  const check = (): void => {
    if (token?.isCancellationRequested) {
      throw new vscode.CancellationError();
    }
  };
  for await (const piece of paced(pieces, check)) {
    portion += piece;
    if (portion.length >= PORTION) {
      check();
      yield portion;
      portion = '';
    }
  }
  yield portion;
}
