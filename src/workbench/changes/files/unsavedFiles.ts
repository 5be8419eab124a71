/** The user's unsaved changes of files that are to be restored. */
import * as vscode from 'vscode';
import type { ObjectStore } from '../../../changes/store/objectStore';
import { realPathOf } from '../../../util/realPath';

/** `other`: a notebook or a custom editor, whose unsaved content an extension cannot keep. */
export type Unsaved = 'text' | 'other';

/** The kind of document that has unsaved changes of the file. @param real its real path */
export async function unsavedAt(real: string): Promise<Unsaved | undefined> {
  return (await unsavedFiles()).get(real);
}

/** All files with unsaved changes, by their real path. */
export async function unsavedFiles(): Promise<ReadonlyMap<string, Unsaved>> {
  const found = new Map<string, Unsaved>();
  const kinds: readonly (readonly [
    Unsaved,
    readonly { readonly uri: vscode.Uri; readonly isDirty: boolean; readonly isClosed: boolean }[],
  ])[] = [
    ['text', vscode.workspace.textDocuments],
    ['other', vscode.workspace.notebookDocuments],
  ];
  for (const [kind, documents] of kinds) {
    for (const { uri } of documents.filter((each) => each.isDirty && !each.isClosed && each.uri.scheme === 'file')) {
      found.set(await realPathOf(uri.fsPath).catch(() => uri.fsPath), kind);
    }
  }
  for (const { input, isDirty } of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    if (isDirty && input instanceof vscode.TabInputCustom && input.uri.scheme === 'file') {
      const real = await realPathOf(input.uri.fsPath).catch(() => input.uri.fsPath);
      // A custom editor of a text has a text document.
      found.set(real, found.get(real) ?? 'other');
    }
  }
  return found;
}

/**
 * Puts the unsaved text into the store, and saves it, so that undoing the restore brings it back. False where that failed: nothing may be written.
 * @param real the recorded path: VS Code follows links when it saves, and a folder may have become one
 */
export async function saveFirst(document: vscode.TextDocument, real: string, store: ObjectStore): Promise<boolean> {
  const bytes = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
  const isStored = (await store.put(bytes)) !== undefined;
  const isAt = (await realPathOf(document.uri.fsPath).catch(() => undefined)) === real;
  return isStored && isAt && (await document.save()) && !document.isDirty;
}
