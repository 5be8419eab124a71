/** VS Code's threads of comments on lines, with types that take inert text alone, as `window.ts` has them. Loaded with the first session. */
import * as vscode from 'vscode';
import type { InertText } from '../shared/escape';

/** A thread in which the user writes. It never holds a comment: VS Code would open its Comments view. */
export interface Thread extends Omit<vscode.CommentThread, 'label' | 'comments'> {
  label: InertText | undefined;
}

export interface ThreadController extends Omit<vscode.CommentController, 'label' | 'options' | 'createCommentThread'> {
  options?: { readonly prompt: InertText; readonly placeHolder: InertText };
  createCommentThread(uri: vscode.Uri, range: vscode.Range, comments: readonly never[]): Thread;
}

/** The argument that VS Code passes to the command that adds a comment. */
export interface Reply {
  readonly thread: Thread;
  readonly text: string;
}

export function createThreads(id: string, label: InertText): ThreadController {
  return vscode.comments.createCommentController(id, label) as unknown as ThreadController;
}
