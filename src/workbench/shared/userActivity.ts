/**
 * Tracks the user's typing and focus, as far as VS Code reports them, for the permission picks, which must not open under the user's hands. VS
 * Code reports nothing about terminals, side bars, settings and other extensions' views. Therefore no pick opens unless the focus is known to be
 * elsewhere.
 */
import * as vscode from 'vscode';
import type { CardSight } from '../../core/approval/askingSurface';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { CardSights } from '../../session/permission/cardSights';
import { systemClock } from '../../util/clock';
import { DisposableStore } from '../../util/disposable';
import { Listeners } from '../../core/platform/listeners';

/** The view reports at most one key in this time (`typing` in `core/protocol/view.ts`), so the last key may be this much later. */
const COMPOSER_REPORTS_EVERY_MS = 1_000;

/** The time in ms for which a key or click in a text editor shows that the focus is there, because VS Code does not report when the focus leaves. */
const EDITOR_MS = 3_000;

/** ms after a key that changed the text of an editor in which the user counts as writing, also in a pause for thought. */
export const WRITING_MS = 10_000;

/** ms within which VS Code reports the change of a typed key and the move of the cursor. */
const ONE_KEY_MS = 100;

/** Documents that change without the user typing. */
const NOT_TYPED = new Set(['output', 'git', 'vscode-terminal']);
/** Input boxes of VS Code that are documents, but not in an editor: the commit message, comments, chat. */
const INPUT_BOX = /^(vscode-scm|comment|vscode-chat|chat|vscode-interactive-input|debug)/;

/** The known position of the focus: the page of the session with this key, or a text editor. */
export type Focus = { readonly sessionKey: string } | 'editor' | undefined;

export class UserActivity implements Disposable {
  private readonly store = new DisposableStore();
  private readonly activity = new Listeners<[uncertainMs: number]>();
  private readonly changes = new Listeners<[]>();
  private quickInputs = 0;
  private readonly answered = new Listeners<[]>();
  private startQuestions = 0;
  /** The session whose page has reported that it has the focus. */
  private page: string | undefined;
  private readonly cards: CardSights;
  /** The time of the last key or click in a text editor, unless the focus may have left it since. */
  private inEditorAt: number | undefined;
  /** The time of the last change of the active editor's text, by anyone. */
  private changedAt: number | undefined;
  /** The time of the last key that changed the text of a text editor. */
  private typedAt: number | undefined;

  constructor(private readonly clock: Clock = systemClock) {
    const { store } = this;
    this.cards = store.add(new CardSights(clock, () => this.changes.call()));
    store.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && isTypedIn(document)) {
          if (INPUT_BOX.test(document.uri.scheme)) {
            this.leaveEditor();
          } else {
            this.changedAt = clock.now();
          }
          this.activity.call(0);
        }
      }),
    );
    store.add(vscode.window.onDidChangeTextEditorSelection((event) => this.selected(event)));
    store.add(
      vscode.window.onDidChangeWindowState(() => {
        this.leaveEditor();
        this.changes.call();
      }),
    );
    const leave = (): void => this.leaveEditor();
    store.add(vscode.window.onDidChangeActiveTextEditor(leave));
    // A click on a session's tab: its page reports the focus only when it is drawn.
    const leaveForPage = (): void => {
      if (vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview) {
        leave();
      }
    };
    store.add(vscode.window.tabGroups.onDidChangeTabs(leaveForPage));
    store.add(vscode.window.tabGroups.onDidChangeTabGroups(leaveForPage));
    store.add(vscode.window.onDidChangeActiveTerminal(leave));
    store.add(vscode.window.onDidOpenTerminal(leave));
    store.add(vscode.window.onDidChangeTerminalState(leave));
    store.add(vscode.window.onDidStartTerminalShellExecution(leave));
    store.add(vscode.window.onDidEndTerminalShellExecution(leave));
  }

  /** True while a quick input of ours is open. */
  get asking(): boolean {
    return this.quickInputs > 0;
  }

  /** True when a quick pick may take the focus, as far as the window is concerned: it has the focus, and no quick input of ours is open. */
  get ready(): boolean {
    return vscode.window.state.focused && !this.asking;
  }

  /** The position of the focus, or undefined when it is unknown. */
  get focus(): Focus {
    if (this.page !== undefined) {
      return { sessionKey: this.page };
    }
    return this.inEditorAt !== undefined && this.clock.now() - this.inEditorAt <= EDITOR_MS ? 'editor' : undefined;
  }

  /** True while the user writes in a text editor. A pause of some seconds is part of it. */
  get isWriting(): boolean {
    return isWithin(WRITING_MS, this.typedAt, this.clock.now());
  }

  /** Calls `listener` when `ready`, `focus` or `sightOf` may have changed. */
  onDidChange(listener: () => void): Disposable {
    return this.changes.add(listener);
  }

  /** Calls `listener` when the user did something, at most `uncertainMs` ago. */
  onActivity(listener: (uncertainMs: number) => void): Disposable {
    return this.activity.add(listener);
  }

  /** A session's page reported a key. */
  typing(): void {
    this.activity.call(COMPOSER_REPORTS_EVERY_MS);
  }

  /** A session's page got the focus, lost it, or was closed. */
  pageFocus(sessionKey: string, hasFocus: boolean): void {
    if (hasFocus === (this.page === sessionKey)) {
      return;
    }
    if (hasFocus) {
      this.page = sessionKey;
      this.cards.awaitAgain(sessionKey);
    } else if (this.page === sessionKey) {
      this.page = undefined;
    }
    this.leaveEditor();
    this.changes.call();
  }

  /** A session's page reports the card of a waiting request. Without `card` the page was closed, and its cards with it. */
  cardSight(sessionKey: string, card?: { readonly permissionId: string; readonly sight: CardSight }): void {
    if (card) {
      this.cards.report(sessionKey, card.permissionId, card.sight);
    } else {
      this.cards.forget(sessionKey);
    }
    this.changes.call();
  }

  /** A session's page in a side bar was shown or hidden, which VS Code reports to no one else. */
  screenChanged(): void {
    this.changes.call();
  }

  /** Returns how much of the card of this request is in sight, as in {@link CardSights.sightOf}. To be called while its page has the focus. */
  sightOf(sessionKey: string, permissionId: string): CardSight | 'awaited' {
    return this.cards.sightOf(sessionKey, permissionId);
  }

  /** Called when a quick pick that was opened over `focus` closes: VS Code restores the focus. A page reports its focus itself. */
  focusReturns(focus: Focus): void {
    if (focus === 'editor') {
      this.inEditorAt = this.clock.now();
      this.changes.call();
    }
  }

  /** True while the start of an agent waits for an answer of the user, such as a token. The question covers a list that waits for the agent. */
  get isStartAsking(): boolean {
    return this.startQuestions > 0;
  }

  /** Calls `listener` when {@link isStartAsking} becomes false. */
  onStartAnswered(listener: () => void): Disposable {
    return this.answered.add(listener);
  }

  /**
   * Runs a quick input of ours. No permission pick replaces it while it is open.
   *
   * @param purpose `start` for a question that the start of an agent waits for
   */
  async during<T>(quickInput: () => Thenable<T>, purpose?: 'start'): Promise<T> {
    this.quickInputs++;
    this.startQuestions += purpose ? 1 : 0;
    try {
      return await quickInput();
    } finally {
      this.quickInputs--;
      this.startQuestions -= purpose ? 1 : 0;
      this.activity.call(0);
      this.changes.call();
      if (purpose && !this.isStartAsking) {
        this.answered.call();
      }
    }
  }

  dispose(): void {
    this.store.dispose();
    this.activity.clear();
    this.changes.clear();
    this.answered.clear();
  }

  private selected({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    if (NOT_TYPED.has(textEditor.document.uri.scheme)) {
      return;
    }
    // Other causes move selections too: a search, a jump, another extension.
    const byHand = kind === vscode.TextEditorSelectionChangeKind.Keyboard || kind === vscode.TextEditorSelectionChangeKind.Mouse;
    if (byHand && textEditor === vscode.window.activeTextEditor) {
      const now = this.clock.now();
      this.inEditorAt = now;
      // An agent's edit moves the cursor, too, but not by the keyboard.
      if (kind === vscode.TextEditorSelectionChangeKind.Keyboard && isWithin(ONE_KEY_MS, this.changedAt, now)) {
        this.typedAt = now;
      }
    }
    this.activity.call(0);
    this.changes.call();
  }

  private leaveEditor(): void {
    this.inEditorAt = undefined;
  }
}

/** False for a time after `now`, too: the clock was set back. */
function isWithin(ms: number, time: number | undefined, now: number): boolean {
  return time !== undefined && time <= now && now - time < ms;
}

/** Excludes an agent's edits of other documents. Its edits of the active document cannot be distinguished from the user's. */
function isTypedIn(document: vscode.TextDocument): boolean {
  const { scheme } = document.uri;
  return INPUT_BOX.test(scheme) || (!NOT_TYPED.has(scheme) && document === vscode.window.activeTextEditor?.document);
}
