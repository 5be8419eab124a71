/** Tracks the text editor that the user was in last. VS Code itself reports none while a conversation has the focus. */
import * as vscode from 'vscode';
import path from 'node:path';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { Listeners } from '../../core/platform/listeners';
import { inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';

const MAX_NAME = 80;
/** The maximum number of remembered files. */
const MAX_RECENT = 20;

/** The text editor or notebook that was active last. */
export interface FrontEditors {
  readonly frontEditor: vscode.TextEditor | undefined;
  /** A notebook that is active while none of its cells is edited. */
  readonly frontNotebook?: vscode.NotebookDocument | undefined;
}

export interface WatchedFront extends FrontEditors {
  onDidChangeFront(listener: () => void): Disposable;
}

export class EditorInFront implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = new Listeners<[]>();
  private editor: vscode.TextEditor | undefined;
  private last: vscode.TextDocument | undefined;
  private notebook: vscode.NotebookEditor | undefined;
  /** The files by address, newest last. */
  private readonly recent = new Map<string, vscode.Uri>();

  constructor() {
    this.editor = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find((editor) => editor && takesText(editor));
    this.store.add(vscode.window.onDidChangeActiveTextEditor((editor) => editor && takesText(editor) && this.set(editor)));
    this.notebook = vscode.window.activeNotebookEditor;
    [this.editor?.document.uri, this.notebook?.notebook.uri].forEach((uri) => this.remember(uri));
    this.store.add(vscode.window.onDidChangeActiveNotebookEditor((editor) => editor && this.setNotebook(editor)));
    this.store.add(
      vscode.window.onDidChangeVisibleNotebookEditors((editors) => {
        if (this.notebook && !editors.includes(this.notebook)) {
          this.setNotebook(undefined);
        }
      }),
    );
    this.store.add(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        if (!this.editor || !editors.includes(this.editor)) {
          this.set(editors.find(takesText));
        }
      }),
    );
  }

  /** The editor's file name, or undefined when no editor can take text. */
  get fileName(): string | undefined {
    return this.editor && inertLine(path.posix.basename(this.editor.document.uri.path), MAX_NAME);
  }

  /** The editor that would take inserted text, or undefined when there is none. */
  get textEditor(): vscode.TextEditor | undefined {
    return this.editor;
  }

  /** The notebook that was active last and is still visible, while none of its cells is edited. Undefined when a text editor was active since. */
  get frontNotebook(): vscode.NotebookDocument | undefined {
    return this.editor && this.isInNotebook(this.editor) ? undefined : this.notebook?.notebook;
  }

  /** The files on the disk whose editors were active in this window, newest first. They may be closed. */
  get recentFiles(): readonly vscode.Uri[] {
    return [...this.recent.values()].toReversed();
  }

  get document(): vscode.TextDocument | undefined {
    return this.editor?.document;
  }

  /** The document of the last active editor, which may be hidden behind another tab, or closed. */
  get lastDocument(): vscode.TextDocument | undefined {
    return this.document ?? this.last;
  }

  /** Calls `listener` when {@link fileName} may have changed. */
  onDidChange(listener: () => void): Disposable {
    return this.changes.add(listener);
  }

  /** Replaces the selections by text, in one undo step, and shows the editor. Never rejects. */
  async insert(text: string): Promise<void> {
    const { editor } = this;
    const done =
      editor !== undefined &&
      (await Promise.resolve(editor.edit((edit) => editor.selections.forEach((selection) => edit.replace(selection, text)))).catch(
        () => false,
      ));
    if (!done) {
      void window.showWarningMessage(t("Couldn't insert the code: no text editor is open for editing."));
      return;
    }
    await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn, preview: false });
  }

  dispose(): void {
    this.store.dispose();
    this.changes.clear();
  }

  private remember(uri: vscode.Uri | undefined): void {
    if (uri?.scheme === 'file') {
      this.recent.delete(uri.toString());
      this.recent.set(uri.toString(), uri);
      for (const oldest of [...this.recent.keys()].slice(0, -MAX_RECENT)) {
        this.recent.delete(oldest);
      }
    }
  }

  private isInNotebook({ document }: vscode.TextEditor): boolean {
    return this.notebook?.notebook.getCells().some((cell) => cell.document === document) === true;
  }

  private setNotebook(notebook: vscode.NotebookEditor | undefined): void {
    if (notebook !== this.notebook) {
      this.notebook = notebook;
      this.remember(notebook?.notebook.uri);
      this.changes.call();
    }
  }

  private set(editor: vscode.TextEditor | undefined): void {
    // A text editor has become active after the notebook. VS Code reports no text editor while none of a notebook's cells is edited.
    if (editor && !this.isInNotebook(editor) && editor === vscode.window.activeTextEditor) {
      this.setNotebook(undefined);
    }
    if (editor !== this.editor) {
      this.last = this.editor?.document ?? this.last;
      this.editor = editor;
      this.remember(editor?.document.uri);
      this.changes.call();
    }
  }
}

/** False for read-only documents of extensions or VS Code, such as output, an older version or a diff. */
function takesText({ document: { uri } }: vscode.TextEditor): boolean {
  return (
    uri.scheme === 'untitled' || uri.scheme === 'vscode-notebook-cell' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true
  );
}
