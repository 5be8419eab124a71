/** The tint of lines with pending changes in text editors, and a line where lines were removed. */
import * as vscode from 'vscode';
import { changedLines } from '../../../changes/review/changedLines';
import { isBehindDisk } from '../../../changes/undo/followedTexts';
import type { Disposable } from '../../../core/platform/disposable';
import { DisposableStore } from '../../../util/disposable';
import { settings } from '../../../application/shared/ids';
import { window } from '../../shared/window';
import { readsHighlight } from '../../settings/changeSettings';
import type { PendingFiles } from '../session/pendingFiles';

interface Types {
  readonly written: vscode.TextEditorDecorationType;
  readonly removed: vscode.TextEditorDecorationType;
  readonly removedAtEnd: vscode.TextEditorDecorationType;
}

export class ChangeDecorations implements Disposable {
  private readonly store = new DisposableStore();
  private isOn = readsHighlight();
  /** Made with the first change that an editor shows. */
  private made: Types | undefined;
  /** Editors that show a tint. */
  private readonly tinted = new Set<vscode.TextEditor>();

  constructor(private readonly changes: Pick<PendingFiles, 'pending' | 'pendingAt' | 'runningAt' | 'isRunning'>) {
    this.store.add(vscode.window.onDidChangeVisibleTextEditors(() => this.draw()));
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settings.changesHighlight)) {
          this.isOn = readsHighlight();
          this.draw();
        }
      }),
    );
  }

  /** VS Code moves the decorations with each edit. This corrects them once the hunks have followed. */
  draw(): void {
    const visible = this.store.disposed ? [] : vscode.window.visibleTextEditors;
    for (const editor of this.tinted) {
      if (!visible.includes(editor)) {
        this.tinted.delete(editor);
      }
    }
    const isAny = this.isOn && (this.changes.pending.length > 0 || this.changes.isRunning);
    for (const editor of isAny || this.tinted.size > 0 ? visible : []) {
      this.drawIn(editor, isAny);
    }
  }

  dispose(): void {
    this.tinted.clear();
    this.store.dispose();
  }

  private drawIn(editor: vscode.TextEditor, isAny: boolean): void {
    const { document } = editor;
    // A side of a diff has no column: the diff tints its lines.
    const isDrawn = isAny && editor.viewColumn !== undefined;
    const shown = isDrawn ? [...this.changes.pendingAt(document.uri), ...this.changes.runningAt(document.uri)] : [];
    const hunks = shown.flatMap(({ file }) => (isBehindDisk(document, file.hunks) ? [] : (file.hunks ?? [])));
    if (hunks.length === 0 && !this.tinted.delete(editor)) {
      return;
    }
    if (hunks.length > 0) {
      this.tinted.add(editor);
    }
    const { written, removedBefore } = changedLines(hunks);
    const last = document.lineCount - 1;
    const range = (from: number, to: number): vscode.Range => new vscode.Range(Math.min(from, last), 0, Math.min(to, last), 0);
    const types = this.types();
    editor.setDecorations(
      types.written,
      written.map(({ first, end }) => range(first, end - 1)),
    );
    editor.setDecorations(
      types.removed,
      removedBefore.filter((line) => line <= last).map((line) => range(line, line)),
    );
    editor.setDecorations(
      types.removedAtEnd,
      removedBefore.filter((line) => line > last).map(() => range(last, last)),
    );
  }

  private types(): Types {
    return (this.made ??= {
      written: this.store.add(
        window.createTextEditorDecorationType({
          ...WHOLE_LINES,
          backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
          overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
          // Themes with high contrast have this colour in place of a tint. It is transparent in other themes.
          borderColor: new vscode.ThemeColor('diffEditor.insertedTextBorder'),
          borderStyle: 'dashed',
          borderWidth: '1px',
        }),
      ),
      removed: this.removedType('2px 0 0 0'),
      removedAtEnd: this.removedType('0 0 2px 0'),
    });
  }

  private removedType(borderWidth: string): vscode.TextEditorDecorationType {
    return this.store.add(
      window.createTextEditorDecorationType({
        ...WHOLE_LINES,
        overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
        borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
        borderStyle: 'solid',
        borderWidth,
      }),
    );
  }
}

const WHOLE_LINES = {
  isWholeLine: true,
  rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  overviewRulerLane: vscode.OverviewRulerLane.Left,
};
