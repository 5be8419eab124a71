/** Comments at the end of their lines, until the agent has answered them. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/model/ports';
import { DisposableStore } from '../../util/disposable';
import { type InertText, visible } from '../shared/escape';
import { window } from '../shared/window';
import type { LineSpan } from './sessionComments';

export interface CommentMark {
  /** The address of the document. */
  readonly uri: string;
  readonly span: LineSpan;
  readonly words: InertText;
}

/** UTF-16 units of a comment at the end of its line. The pointer on the line shows the whole. */
const MAX_WORDS = 120;

export class CommentMarks implements Disposable {
  private readonly store = new DisposableStore();
  private readonly type = this.store.add(
    window.createTextEditorDecorationType({
      isWholeLine: true,
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      overviewRulerLane: vscode.OverviewRulerLane.Center,
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.commentUnresolvedForeground'),
    }),
  );
  private marks: readonly CommentMark[] = [];

  constructor() {
    this.store.add(vscode.window.onDidChangeVisibleTextEditors((editors) => this.draw(editors)));
  }

  show(marks: readonly CommentMark[]): void {
    this.marks = marks;
    this.draw(vscode.window.visibleTextEditors);
  }

  dispose(): void {
    this.store.dispose();
  }

  private draw(editors: readonly vscode.TextEditor[]): void {
    for (const editor of this.store.disposed ? [] : editors) {
      const here = this.marks.filter(({ uri }) => uri === editor.document.uri.toString());
      editor.setDecorations(
        this.type,
        here.map(({ span, words }) => {
          const last = Math.min(span.end, editor.document.lineCount - 1);
          return {
            range: editor.document.lineAt(last).range,
            hoverMessage: words,
            renderOptions: {
              after: {
                contentText: visible(words, MAX_WORDS),
                color: new vscode.ThemeColor('editorCodeLens.foreground'),
                margin: '0 0 0 3ch',
              },
            },
          };
        }),
      );
    }
  }
}
