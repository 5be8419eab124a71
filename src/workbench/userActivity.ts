/** What the user's hands do, as far as VS Code tells: for the permission picks, which must not come under them. */
import * as vscode from 'vscode';
import type { Disposable } from '../core/ports';
import { DisposableStore } from '../util/disposable';
import { Listeners } from '../util/listeners';

/** The view reports at most one key in this time (`typing` in `core/view.ts`), so the last key may be this much later. */
const COMPOSER_REPORTS_EVERY_MS = 1_000;

/** Documents that are written to without anybody typing. */
const NOT_TYPED = new Set(['output', 'git', 'vscode-terminal']);
/** Boxes of VS Code's own that are documents, but not in an editor: the commit message, comments, chat. */
const INPUT_BOX = /^(vscode-scm|comment|vscode-chat|chat|vscode-interactive-input|debug)/;

export class UserActivity implements Disposable {
  private readonly store = new DisposableStore();
  private readonly activity = new Listeners<[uncertainMs: number]>();
  private readonly changes = new Listeners<[]>();
  private quickInputs = 0;

  constructor() {
    this.store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && isTypedIn(document)) {
          this.activity.call(0);
        }
      }),
    );
    this.store.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (!NOT_TYPED.has(textEditor.document.uri.scheme)) {
          this.activity.call(0);
        }
      }),
    );
    this.store.add(vscode.window.onDidChangeWindowState(() => this.changes.call()));
  }

  /** A quick input of ours is open. */
  get asking(): boolean {
    return this.quickInputs > 0;
  }

  /** A pick may take the keyboard: the window has the focus and no quick input of ours is open. */
  get ready(): boolean {
    return vscode.window.state.focused && !this.asking;
  }

  /** `ready` may have changed. */
  onDidChange(listener: () => void): Disposable {
    return this.changes.add(listener);
  }

  /** The user did something, at most `uncertainMs` from now. */
  onActivity(listener: (uncertainMs: number) => void): Disposable {
    return this.activity.add(listener);
  }

  /** A composer reported a key. */
  typing(): void {
    this.activity.call(COMPOSER_REPORTS_EVERY_MS);
  }

  /** Runs a quick input of ours; while it is open no permission pick replaces it. */
  async during<T>(quickInput: () => Thenable<T>): Promise<T> {
    this.quickInputs++;
    try {
      return await quickInput();
    } finally {
      this.quickInputs--;
      this.activity.call(0);
      this.changes.call();
    }
  }

  dispose(): void {
    this.store.dispose();
    this.activity.clear();
    this.changes.clear();
  }
}

/** An agent's edits of other documents are not the user's; those of the document in front cannot be told apart. */
function isTypedIn(document: vscode.TextDocument): boolean {
  const { scheme } = document.uri;
  return INPUT_BOX.test(scheme) || (!NOT_TYPED.has(scheme) && document === vscode.window.activeTextEditor?.document);
}
