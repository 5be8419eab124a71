/** Comments at the end of their lines, until the agent has answered them. */
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import { DisposableStore } from '../../util/disposable';
import { type InertText, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { window } from '../shared/window';
import type { KeptThread, LineSpan } from '../../application/comments/sessionComments';

export interface CommentMark {
  /** The address of the document. */
  readonly uri: string;
  readonly span: LineSpan;
  readonly words: InertText;
}

/** UTF-16 units of a comment at the end of its line. The pointer on the line shows the whole. */
const MAX_WORDS = 120;

/** UTF-16 units of the session's title in a mark. */
const MAX_TITLE = 60;

/** Returns the marks of the comments of a session that wait or are sent, one for each thread. */
export function marksOf(title: string, threads: readonly KeptThread[]): readonly CommentMark[] {
  return threads.flatMap(({ uri, span, comments }) => {
    const open = comments.filter(({ status }) => status === 'waiting' || status === 'sent');
    const values = { session: title.slice(0, MAX_TITLE), text: open.map(({ text }) => text.trim()).join(' · ') };
    const isSent = open.every(({ status }) => status === 'sent');
    const words = isSent ? t('{text} (comment for {session}, sent)', values) : t('{text} (comment for {session}, not sent)', values);
    return open.length === 0 ? [] : [{ uri, span, words }];
  });
}

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
                contentText: inertLine(words, MAX_WORDS),
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
