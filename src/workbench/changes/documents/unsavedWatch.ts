import * as vscode from 'vscode';
import type { Disposable } from '../../../core/platform/disposable';

/** Calls `changed` when a document gets unsaved changes, or no longer has them. */
export function watchUnsaved(changed: () => void): Disposable {
  const unsaved = new Set<vscode.TextDocument>(vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty));
  const look = (document: vscode.TextDocument, isUnsaved = document.isDirty): void => {
    if (isUnsaved !== unsaved.has(document)) {
      unsaved[isUnsaved ? 'add' : 'delete'](document);
      changed();
    }
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    vscode.workspace.onDidSaveTextDocument((document) => look(document)),
    vscode.workspace.onDidCloseTextDocument((document) => look(document, false)),
  );
}
