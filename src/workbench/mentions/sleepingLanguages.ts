/**
 * Starts language servers for a search of the workspace's symbols: most of them, TypeScript's too, know none before a file of their language is open. A
 * document that no editor shows is enough.
 */
import * as vscode from 'vscode';
import type { Clock } from '../../core/platform/clock';
import { fileToOpen, isCode } from '../../application/mentions/codeFiles';
import type { IndexedFile } from './sessionFiles';

/** ms until the file is opened again: VS Code closes a document that nothing shows after three minutes. */
const AGAIN_MS = 180_000;

export class SleepingLanguages {
  private wokenAt = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Opens a file of the language that most of `files` have, unless one is open already. Returns false when nothing was opened. Never rejects. */
  async wake(files: readonly IndexedFile[]): Promise<boolean> {
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri.path).filter(isCode);
    const path = fileToOpen(
      files.map((file) => file.path),
      open,
    );
    const file = files.find((each) => each.path === path);
    if (!file || this.clock.now() - this.wokenAt < AGAIN_MS) {
      return false;
    }
    this.wokenAt = this.clock.now();
    return vscode.workspace.openTextDocument(vscode.Uri.parse(file.uri, true)).then(
      () => true,
      () => false,
    );
  }
}
