/** VS Code's comments on lines, with types that take inert text alone, as `window.ts` has them. Loaded with the first session. */
import * as vscode from 'vscode';
import type { InertText } from '../shared/escape';

export interface Thread extends Omit<vscode.CommentThread, 'label' | 'comments'> {
  label: InertText | undefined;
  comments: readonly UserComment[];
}

/** What the user wrote, which VS Code shows as plain text. */
export interface UserComment {
  readonly author: { readonly name: InertText };
  readonly body: string;
  readonly mode: vscode.CommentMode;
  readonly label?: InertText;
}

export interface ThreadController extends Omit<vscode.CommentController, 'label' | 'options' | 'createCommentThread'> {
  options: { readonly prompt: InertText; readonly placeHolder: InertText };
  createCommentThread(uri: vscode.Uri, range: vscode.Range, comments: readonly UserComment[]): Thread;
}

/** What VS Code hands to the command that adds a comment. */
export interface Reply {
  readonly thread: Thread;
  readonly text: string;
}

export function createThreads(id: string, label: InertText): ThreadController {
  return vscode.comments.createCommentController(id, label) as unknown as ThreadController;
}
