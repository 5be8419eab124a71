/** VS Code's editor for undos: documents, notebooks and custom editors by real path, and edits that the editor can take back. */
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { TextEdit } from '../../../core/fileChanges/hunks';
import type { EditorFile, UndoEditor } from '../../../changes/undo/undoDependencies';
import { diskBytes } from '../../../util/checkedBytes';
import { realPathOf } from '../../../util/realPath';
import { isWritable } from '../../../application/changes/files/writable';

export interface DocumentEditorDependencies {
  /** The open text document of a file, by its real path. */
  documentOf(real: string): vscode.TextDocument | undefined;
  /** The name by which the session knows a file. */
  uriOf(real: string): vscode.Uri;
  /** Reloads of these files are the user's changes until the returned function is called. */
  writing(paths: readonly string[]): () => void;
  /** Bytes of a file that is compared with its document. */
  readonly maxBytes: number;
}

/** ms that a clean document may take to be reloaded after its file was written; file watchers report late. */
const RELOAD_MS = 3000;
const RELOAD_STEP_MS = 50;

export class DocumentEditor implements UndoEditor {
  constructor(private readonly deps: DocumentEditorDependencies) {}

  async look(real: string): Promise<EditorFile> {
    const document = this.deps.documentOf(real);
    if (document?.isDirty) {
      return { state: 'unsaved', text: document.getText() };
    }
    if (await hasUnsavedEditor(real)) {
      return { state: 'unsavedOther' };
    }
    return document ? { state: 'clean', text: document.getText() } : { state: 'closed' };
  }

  async edit(real: string, expected: string, edits: readonly TextEdit[], save: boolean): Promise<boolean | 'not_saved'> {
    const document = this.deps.documentOf(real) ?? (await this.open(real));
    // VS Code follows links when it reads and writes: the name must lead to the recorded path at this moment.
    if (!document || !(await leadsTo(document.uri, real))) {
      return false;
    }
    // VS Code would leave the edits unsaved in the document, and ask the user.
    const isSavable = !save || (await isWritable(real));
    // The user may have typed meanwhile. From here on, VS Code refuses the edits of a text that has changed.
    if (document.getText() !== expected) {
      return false;
    }
    if (!isSavable) {
      return 'not_saved';
    }
    const edit = new vscode.WorkspaceEdit();
    const rangeOf = ({ start, end }: TextEdit): vscode.Range => new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.set(
      document.uri,
      edits.map((each) => new vscode.TextEdit(rangeOf(each), each.text)),
    );
    if (!(await vscode.workspace.applyEdit(edit))) {
      return false;
    }
    const isSaved = !save || ((await leadsTo(document.uri, real)) && (await document.save()));
    return isSaved || 'not_saved';
  }

  async rename(from: string, to: string): Promise<boolean> {
    const [source, target] = [this.deps.uriOf(from), this.deps.uriOf(to)];
    if (!(await leadsTo(source, from)) || !(await leadsTo(target, to))) {
      return false;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(source, target, { overwrite: false });
    return vscode.workspace.applyEdit(edit);
  }

  writing(paths: readonly string[]): () => void {
    return this.deps.writing(paths);
  }

  async reloaded(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map((real) => this.followDisk(real)));
  }

  private async open(real: string): Promise<vscode.TextDocument | undefined> {
    const uri = this.deps.uriOf(real);
    return (await leadsTo(uri, real)) ? vscode.workspace.openTextDocument(uri) : undefined;
  }

  /** Waits for the reload of a clean document; the editors of a file that is gone are closed. */
  private async followDisk(real: string): Promise<void> {
    for (let waited = 0; waited < RELOAD_MS; waited += RELOAD_STEP_MS) {
      const document = this.deps.documentOf(real);
      if (!document || document.isDirty) {
        return;
      }
      const bytes = await diskBytes.read(real, this.deps.maxBytes).catch((error: NodeJS.ErrnoException) => error.code ?? 'EIO');
      if (typeof bytes === 'string') {
        return bytes === 'ENOENT' ? closeTabs(document.uri) : undefined;
      }
      const text = await vscode.workspace.decode(bytes, { encoding: document.encoding });
      if (withOneLineEnd(text) === withOneLineEnd(document.getText())) {
        return;
      }
      await delay(RELOAD_STEP_MS);
    }
  }
}

/** True when the name leads to the recorded path at this moment. The file itself need not exist, and must not be a link. */
async function leadsTo(uri: vscode.Uri, real: string): Promise<boolean> {
  return (await realPathOf(uri.fsPath).catch(() => undefined)) === real;
}

/** True for a file with unsaved changes in a notebook or in another editor than a text editor. */
async function hasUnsavedEditor(real: string): Promise<boolean> {
  const notebooks = vscode.workspace.notebookDocuments.filter(({ isDirty, isClosed }) => isDirty && !isClosed).map(({ uri }) => uri);
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all).filter(({ isDirty }) => isDirty);
  const inTabs = tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook
      ? [input.uri]
      : input instanceof vscode.TabInputNotebookDiff
        ? [input.modified]
        : [],
  );
  for (const uri of [...notebooks, ...inTabs]) {
    if (uri.scheme === 'file' && (uri.fsPath === real || (await leadsTo(uri, real)))) {
      return true;
    }
  }
  return false;
}

/** Closes the clean editors of a deleted file, as VS Code's own deletion does. */
async function closeTabs(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap(({ tabs: all }) => all)
    .filter(({ input, isDirty }) => !isDirty && input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
  await vscode.window.tabGroups.close(tabs, true);
}

/** A document replaces mixed line ends and lone carriage returns. */
function withOneLineEnd(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
