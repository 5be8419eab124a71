/** Follows a file on disk while a request about it waits. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../core/platform/disposable';
import { DisposableStore } from '../../../util/disposable';

/** Calls `changed` after any program has written, created or removed the file, until disposed. */
export function followFile(uri: vscode.Uri, changed: () => void): Disposable {
  const store = new DisposableStore();
  const folder = vscode.Uri.file(path.dirname(uri.fsPath));
  const watcher = store.add(
    vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, globOf(path.basename(uri.fsPath)))),
  );
  store.add(watcher.onDidChange(changed));
  store.add(watcher.onDidCreate(changed));
  store.add(watcher.onDidDelete(changed));
  return store;
}

/** A name as a pattern that fits it: the characters of patterns fit any character. */
function globOf(name: string): string {
  return name.replace(/[*?[\]{}]/g, '?');
}
