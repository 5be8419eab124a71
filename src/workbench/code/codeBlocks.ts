/** Connects the code blocks of conversations to the window: their colours, and the editors, files and terminals that code can go to. */
import type * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import type { Roots } from '../../core/model/roots';
import type { ToView } from '../../core/protocol/view';
import { DisposableStore } from '../../util/disposable';
import { lazy } from '../../util/lazy';
import { EditorInFront } from '../window/activeEditor';
import { latestOnly } from '../../application/shared/latestOnly';
import { ThemeWatch } from '../theme/themeWatch';
import type { UserActivity } from '../shared/userActivity';

type Send = (message: ToView) => void;

export class CodeBlocks implements Disposable {
  private readonly store = new DisposableStore();
  private readonly theme: ThemeWatch;
  private readonly front: EditorInFront;

  constructor(
    private readonly activity: UserActivity,
    log: Log,
  ) {
    this.theme = this.store.add(new ThemeWatch(log));
    this.front = this.store.add(new EditorInFront());
  }

  /** See `EditorInFront.lastDocument`. */
  get lastDocument(): vscode.TextDocument | undefined {
    return this.front.lastDocument;
  }

  /** The text editor that was in front last, if it is still open. */
  get frontEditor(): vscode.TextEditor | undefined {
    return this.front.textEditor;
  }

  /** See `EditorInFront.frontNotebook`. */
  get frontNotebook(): vscode.NotebookDocument | undefined {
    return this.front.frontNotebook;
  }

  /** See `EditorInFront.recentFiles`. */
  get recentFiles(): readonly vscode.Uri[] {
    return this.front.recentFiles;
  }

  /** Calls `listener` when {@link frontEditor} or {@link frontNotebook} changes. */
  onDidChangeFront(listener: () => void): Disposable {
    return this.front.onDidChange(listener);
  }

  /** Applies code to files. Loaded on first use. */
  readonly proposals = lazy(async () => this.store.add(new (await import('./codeProposals')).CodeProposals(this.activity, this.front)));

  private readonly terminals = lazy(async () =>
    this.store.add(new (await import('../terminal/runInTerminal')).CodeTerminals(this.activity)),
  );

  /** Sends the current state to a new page. */
  postState(send: Send): void {
    this.postEditor(send);
    void this.postTheme(send);
  }

  /** Sends changes from now on. */
  watch(send: Send): Disposable {
    const watch = new DisposableStore();
    watch.add(this.theme.onDidChange(() => void this.postTheme(send)));
    watch.add(this.front.onDidChange(() => this.postEditor(send)));
    return watch;
  }

  /** Puts code into the text editor that was in front last. */
  async insert(text: string): Promise<void> {
    await this.front.insert(text);
  }

  /** Proposes code for a file. */
  async apply(roots: Roots, text: string, info: string): Promise<void> {
    await (await this.proposals()).propose(roots, text, info);
  }

  /** Runs code in a terminal of the window. */
  async run(roots: Roots, text: string): Promise<void> {
    await (await this.terminals()).run(roots, text);
  }

  dispose(): void {
    this.store.dispose();
  }

  private postEditor(send: Send): void {
    const { fileName } = this.front;
    send({ type: 'editor', ...(fileName !== undefined && { fileName }) });
  }

  private async postTheme(send: Send): Promise<void> {
    const theme = await latestOnly(() => this.theme.current());
    send({ type: 'code_theme', ...(theme && { theme }) });
  }
}
