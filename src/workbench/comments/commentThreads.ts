/** VS Code's threads of comments on lines, with types that take inert text alone, as `window.ts` has them. Loaded with the first session. */
import * as vscode from 'vscode';
import type { InertText } from '../../application/shared/escape';

/** A thread that VS Code has opened for the user to write in. It never holds a comment: VS Code would open its Comments view. */
export type Thread = Pick<vscode.CommentThread, 'uri' | 'range' | 'dispose'>;

export interface ThreadController extends Omit<vscode.CommentController, 'label' | 'options' | 'createCommentThread'> {
  options?: { readonly prompt: InertText; readonly placeHolder: InertText };
}

/** The argument that VS Code passes to the command that adds a comment. */
export interface Reply {
  readonly thread: Thread;
  readonly text: string;
}

export function createThreads(id: string, label: InertText): ThreadController {
  return vscode.comments.createCommentController(id, label) as unknown as ThreadController;
}
