/** The read-only documents that the extension provides. The only place that registers their schemes: no text in them becomes a link that runs something. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import { linkSafeLanguage } from '../../text/markdown/foreignLinks';
import { DisposableStore } from '../../util/disposable';
import { type DocumentScheme, documentSchemes } from '../../application/shared/ids';

/** Documents whose provider has removed foreign links with `sanitizeMarkdown`. They stay Markdown, because headings and the preview help to read them. */
export const sanitizedSchemes: ReadonlySet<DocumentScheme> = new Set([documentSchemes.plan, documentSchemes.transcript]);

/** Registers the provider of all documents of `scheme`. */
export function registerDocuments(scheme: DocumentScheme, provider: vscode.TextDocumentContentProvider): Disposable {
  const store = new DisposableStore();
  store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, provider));
  store.add(withoutForeignLinks(scheme));
  return store;
}

/** The same as {@link registerDocuments}, for documents that the user can edit. */
export function registerFiles(
  scheme: DocumentScheme,
  provider: vscode.FileSystemProvider,
  options: { readonly isCaseSensitive: boolean },
): Disposable {
  const store = new DisposableStore();
  store.add(vscode.workspace.registerFileSystemProvider(scheme, provider, options));
  store.add(withoutForeignLinks(scheme));
  return store;
}

/** Calls `listener` when a document closes, and not when its language changes, which VS Code reports as a close as well. */
export function onDidCloseDocument(listener: (document: vscode.TextDocument) => void): Disposable {
  return vscode.workspace.onDidCloseTextDocument((document) => {
    if (!vscode.workspace.textDocuments.includes(document)) {
      listener(document);
    }
  });
}

/** The text stays as it is, because it is compared and applied. Instead, a document with such a link is shown as plain text. */
function withoutForeignLinks(scheme: DocumentScheme): Disposable {
  const store = new DisposableStore();
  if (sanitizedSchemes.has(scheme)) {
    return store;
  }
  const check = (document: vscode.TextDocument): void => {
    if (document.uri.scheme !== scheme || document.isClosed) {
      return;
    }
    const { languageId } = document;
    const safe = linkSafeLanguage(languageId, document.getText());
    if (safe !== languageId) {
      // Rejects when the document has closed in the meantime.
      void vscode.languages.setTextDocumentLanguage(document, safe).then(undefined, () => undefined);
    }
  };
  store.add(vscode.workspace.onDidOpenTextDocument(check));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && check(document)));
  vscode.workspace.textDocuments.forEach(check);
  return store;
}
