/** A few texts as files that can be edited and saved, and are on no disk. */
import * as vscode from 'vscode';
import type { Disposable } from '../../../core/platform/disposable';
import { BYTE_ORDER_MARK } from '../../../text/characters/characters';

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly readOnly: boolean;
  readonly mtime: number;
}

export class MemoryFiles implements vscode.FileSystemProvider, Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly files = new Map<string, MemoryFile>();

  put(uri: vscode.Uri, text: string, readOnly: boolean): void {
    // With the mark VS Code reads UTF-8, whatever encoding is set for files.
    this.files.set(uri.toString(), { bytes: new TextEncoder().encode(`${BYTE_ORDER_MARK}${text}`), readOnly, mtime: Date.now() });
  }

  /** The text as it was saved last. */
  text(uri: vscode.Uri): string | undefined {
    const file = this.files.get(uri.toString());
    return file && new TextDecoder().decode(file.bytes);
  }

  forget(uri: vscode.Uri): void {
    this.files.delete(uri.toString());
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, readOnly, mtime } = this.file(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size: bytes.length,
      ...(readOnly && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.file(uri).bytes;
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    const { readOnly } = this.file(uri);
    if (readOnly) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    this.files.set(uri.toString(), { bytes, readOnly, mtime: Date.now() });
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  watch(): Disposable {
    return { dispose: () => undefined };
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  dispose(): void {
    this.changed.dispose();
    this.files.clear();
  }

  private file(uri: vscode.Uri): MemoryFile {
    const file = this.files.get(uri.toString());
    if (!file) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return file;
  }
}
