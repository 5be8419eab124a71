/** Follows the open documents of files: for the reviews, which need the authors of their texts, and for the recorders while a turn runs. */
import * as vscode from 'vscode';
import { FollowedTexts } from '../../../changes/undo/followedTexts';
import type { FileRecord, FileState } from '../../../core/fileChanges/records';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import { DisposableStore } from '../../../util/disposable';
import { type CleanTexts, digest } from '../../editor/cleanTexts';
import { RealPaths } from '../../../application/changes/documents/realPaths';
import { Reloads } from '../../../application/changes/documents/reloads';
import type { ObservedSession } from '../../../application/changes/documents/turnObserver';

export interface DocumentFollowerDependencies {
  readonly clock: Clock;
  readonly cleanTexts: Pick<CleanTexts, 'of'>;
  sessions(): readonly ObservedSession[];
  /** True for a document in a diff of ours in front. */
  isInReview(document: vscode.TextDocument): boolean;
  /** Called when the name of a document turned out to lead to another path. */
  onPathLearned?(): void;
}

/** ms after a write of ours in which the reload of its document may still be reported. */
const LATE_RELOAD_MS = 1000;

/** ms after VS Code's button has reverted a change, before the file is saved. */
const SAVE_MS = 1000;

export class DocumentFollower implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly paths: RealPaths;
  private readonly reloads: Reloads<vscode.TextDocument>;
  private readonly followed = new FollowedTexts();
  /** Real paths that are being written for an agent, and the session that does. */
  private readonly writing = new Map<string, string>();
  /** How many writes of the user's are in progress, by real path: an undo or a restore. */
  private readonly userWrites = new Map<string, number>();
  /** Documents that were typed into since the recorders last got their text. */
  private readonly typed = new Set<vscode.TextDocument>();
  private readonly unsaved = new WeakSet<vscode.TextDocument>();

  constructor(private readonly deps: DocumentFollowerDependencies) {
    const { owned } = this;
    this.reloads = owned.add(new Reloads(deps.clock));
    this.paths = new RealPaths((_, real) => {
      const document = this.documentOf(real);
      void (document && this.changed(document, [], undefined, false));
      this.deps.onPathLearned?.();
    });
    owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => this.edited(document, contentChanges, reason)),
    );
    owned.add(vscode.workspace.onDidSaveTextDocument((document) => this.saved(document)));
    owned.add(vscode.workspace.onDidOpenTextDocument((document) => void this.opened([document], this.running())));
    owned.add(vscode.workspace.onDidCloseTextDocument((document) => void this.closed(document)));
  }

  /** The path that a name leads to, as far as it is known: an editor's keystroke cannot wait for the disk. */
  realPathOf(name: string): string {
    return this.paths.of(name);
  }

  /** The open document of a file, by its real path; the one with unsaved changes where there are several. */
  documentOf(real: string): vscode.TextDocument | undefined {
    const same = vscode.workspace.textDocuments.filter((document) => isFile(document) && this.paths.of(document.uri.fsPath) === real);
    return same.find(({ isDirty }) => isDirty) ?? same[0];
  }

  /** An open document is written for the agent of session `key` until the returned function is called. */
  writes(real: string, key: string): () => void {
    this.flush(this.documentOf(real));
    this.writing.set(real, key);
    return () => void this.writing.delete(real);
  }

  /** Files are written for the user until the returned function is called; their reloads are the user's changes. */
  userWriting(paths: readonly string[]): () => void {
    paths.forEach((real) => this.userWrites.set(real, (this.userWrites.get(real) ?? 0) + 1));
    return () => {
      this.deps.clock.after(LATE_RELOAD_MS, () => {
        paths.forEach((real) => {
          const left = (this.userWrites.get(real) ?? 1) - 1;
          void (left > 0 ? this.userWrites.set(real, left) : this.userWrites.delete(real));
        });
      });
    };
  }

  /** A turn begins: the recorder gets the texts that are open now. */
  turnStarted(changes: ObservedSession): void {
    void this.opened(vscode.workspace.textDocuments, [changes]);
  }

  /** A turn ends: the recorder gets the texts that were typed into and not saved. */
  turnEnding(): void {
    [...this.typed].forEach((document) => this.flush(document));
  }

  /**
   * Takes a document's unsaved typing out of the hunks where the agent wrote the file behind it, so that the typing is not taken for the agent's.
   * Called before the records go into the review. @param textOf the text of a state of a file
   */
  async beforeRecorded(
    { review }: ObservedSession,
    files: readonly FileRecord[],
    textOf: (path: string, state: FileState) => Promise<string | undefined>,
  ): Promise<void> {
    for (const file of files) {
      const document = this.documentOf(file.path);
      const hunks = review?.file(file.path)?.hunks;
      if (review && hunks && document?.isDirty && document.getText() === hunks.text) {
        const onDisk = review.textOnDisk(file.path);
        const after = onDisk === undefined ? undefined : await textOf(file.path, file.after);
        if (after !== undefined && after !== onDisk) {
          // The user may have saved the document in the turn, or undone a change in it that the disk still has.
          review.typingGone(file.path);
          continue;
        }
        const before = await textOf(file.oldPath ?? file.path, file.before);
        if (before !== undefined && digest(before) === this.deps.cleanTexts.of(document)) {
          review.documentIs(file.path, before, [], { type: 'user' });
        }
      }
    }
  }

  /** Lets hunks follow documents whose typing began after the agent's write. Called after the records went into the review. */
  recorded({ review }: ObservedSession, files: readonly FileRecord[]): void {
    for (const { path: real } of files) {
      const document = this.documentOf(real);
      const hunks = review?.file(real)?.hunks;
      if (review && hunks && document?.isDirty && digest(hunks.text) === this.deps.cleanTexts.of(document)) {
        review.typingBegins(real);
        review.savedByUser(real, document.getText());
        this.followed.same(review, real, eolOf(document));
      }
    }
  }

  dispose(): void {
    this.owned.dispose();
    this.typed.clear();
  }

  private running(): readonly ObservedSession[] {
    return this.deps.sessions().filter(({ turnId }) => turnId !== undefined);
  }

  private async opened(documents: readonly vscode.TextDocument[], sessions: readonly ObservedSession[]): Promise<void> {
    if (sessions.length === 0) {
      return;
    }
    const open = documents.filter(isFile).map((document) => ({ document, text: document.getText(), isDirty: document.isDirty }));
    for (const { document, text, isDirty } of open) {
      // A name may lead elsewhere by now: what is there must not be taken for the session's file.
      const real = await this.paths.learn(document.uri.fsPath);
      sessions.filter((changes) => changes.holds(real)).forEach(({ observer }) => observer.documentOpened(real, text, isDirty));
    }
  }

  private edited(
    document: vscode.TextDocument,
    changes: readonly vscode.TextDocumentContentChangeEvent[],
    reason: vscode.TextDocumentChangeReason | undefined,
  ): void {
    if (!isFile(document) || this.deps.sessions().length === 0) {
      return;
    }
    void (document.isDirty ? this.unsaved.add(document) : changes.length === 0 && this.unsaved.delete(document));
    if (changes.length === 0) {
      this.reloads.told(document, document.isDirty);
    } else {
      this.changed(document, changes, reason);
    }
  }

  /** Saves a document that the extension's own undo has not saved meanwhile: two saves at once would disturb each other. */
  private saveLater(document: vscode.TextDocument): void {
    const { version } = document;
    this.deps.clock.after(SAVE_MS, () => {
      if (document.isDirty && document.version === version) {
        void document.save();
      }
    });
  }

  private changed(
    document: vscode.TextDocument,
    contentChanges: readonly vscode.TextDocumentContentChangeEvent[],
    reason?: vscode.TextDocumentChangeReason,
    isNews = true,
  ): void {
    const name = document.uri.fsPath;
    const real = this.paths.of(name);
    const reviews = this.deps.sessions().filter(({ review }) => review?.file(real)?.hunks);
    const running = isNews ? this.running().filter((changes) => changes.holds(real)) : [];
    if (reviews.length === 0 && running.length === 0) {
      return;
    }
    // Each refers to the text before all of them, the last place first.
    const edits = contentChanges.map(({ rangeOffset: start, rangeLength, text: written }) => ({
      start,
      end: start + rangeLength,
      text: written,
    }));
    const writer = this.writing.get(real);
    // VS Code clears the mark of unsaved changes before it reads the file again.
    const wasClean = !document.isDirty && writer === undefined;
    const isReverted = wasClean && this.unsaved.has(document);
    const turns = new Map(this.running().map((changes) => [changes, changes.turnId]));
    const isSure = document.isDirty || reason !== undefined || writer !== undefined;
    // A clean document may be held for a moment; its text may be another one by then.
    const held = isSure ? undefined : document.getText();
    // The agent may have written the disk itself right before we write for it.
    void (writer !== undefined && this.reloads.settle(document));
    if (held !== undefined) {
      void this.paths.learn(name);
    }
    const changed = {
      eol: eolOf(document),
      edits,
      text: () => held ?? document.getText(),
      wasClean,
      wasOnDisk: (text: string) => this.wasOnDisk(document, text),
    };
    const apply = (isReload: boolean): void => {
      if (isReload && this.paths.of(name) !== real) {
        return;
      }
      if (!isReload && writer === undefined) {
        const pending = pendingIn(reviews, real);
        reviews.forEach(({ review }) => this.followed.typed(review!, real, changed));
        // VS Code's own button in the diff saves nothing, and the review would call a change undone that is still on disk.
        if (held !== undefined && pendingIn(reviews, real) < pending && document.isDirty && this.deps.isInReview(document)) {
          this.saveLater(document);
        }
        void (running.length > 0 && this.typed.add(document));
        return;
      }
      void (isReverted && reviews.forEach(({ review }) => review!.typingGone(real)));
      const isUsers = writer === undefined && this.userWrites.has(real);
      for (const changes of new Set([...reviews, ...running])) {
        const turnId = turns.get(changes);
        const isEarlier = writer === undefined && changes.observer.isComparing(real);
        const isByAgent = !isUsers && !isEarlier && turnId !== undefined && (writer === undefined || writer === changes.key);
        const author = isByAgent ? ({ type: 'agent', by: turnId } as const) : ({ type: isUsers ? 'user' : 'external' } as const);
        if (author.type === 'external' && changes.isRecording) {
          void changes.settled().then(() => this.reloaded(changes, document, real));
        } else if (changes.review?.file(real)?.hunks) {
          changes.review.documentIs(real, changed.text(), edits, author);
          this.followed.same(changes.review, real, changed.eol);
        }
        if (running.includes(changes)) {
          changes.observer.documentChanged(real, changed.text(), author.type);
        }
      }
    };
    // A document that stays clean after a change was read from the disk, unless the user undid an edit.
    this.reloads.changed(document, isSure, apply);
  }

  /** A document was read from the disk after a turn, before the turn's changes were in the review. Text that is in neither of them is another program's. */
  private reloaded(changes: ObservedSession, document: vscode.TextDocument, real: string): void {
    const hunks = changes.review?.file(real)?.hunks;
    if (hunks && changes.turnId === undefined && !document.isClosed) {
      changes.review!.documentIs(real, document.getText(), [], { type: 'external' });
      this.followed.same(changes.review!, real, eolOf(document));
    }
  }

  private saved(document: vscode.TextDocument): void {
    if (!isFile(document) || this.deps.sessions().length === 0) {
      return;
    }
    const real = this.paths.of(document.uri.fsPath);
    this.typed.delete(document);
    this.unsaved.delete(document);
    this.deps.sessions().forEach(({ review }) => review?.typingSaved(real));
    if (this.writing.has(real)) {
      return;
    }
    const reviews = this.deps.sessions().filter(({ review }) => review?.file(real)?.hunks);
    const running = this.running().filter((changes) => changes.holds(real));
    if (reviews.length + running.length === 0) {
      return;
    }
    const text = document.getText();
    for (const { review } of reviews) {
      review!.savedByUser(real, text);
      this.followed.same(review!, real, eolOf(document));
    }
    for (const { observer, overwrites } of running) {
      observer.savedByUser(real, text);
      overwrites.userSaved(real, text);
    }
  }

  /** Unsaved typing is gone with a document that is closed without saving: the hunks have the text on disk again. */
  private async closed(document: vscode.TextDocument): Promise<void> {
    this.typed.delete(document);
    if (document.uri.scheme !== 'file') {
      return;
    }
    const real = this.paths.of(document.uri.fsPath);
    this.deps.sessions().forEach(({ observer }) => observer.documentClosed(real));
    if (!this.unsaved.delete(document)) {
      return;
    }
    for (const changes of this.deps.sessions()) {
      const hunks = changes.review?.file(real)?.hunks;
      const text = hunks && (await changes.presentText(real));
      if (text !== undefined && hunks?.text !== text && !this.documentOf(real)) {
        changes.review!.typingGone(real);
        changes.review!.documentIs(real, text, [], { type: 'user' });
      }
    }
  }

  private flush(document: vscode.TextDocument | undefined): void {
    if (document && this.typed.delete(document)) {
      const real = this.paths.of(document.uri.fsPath);
      this.running()
        .filter((changes) => changes.holds(real))
        .forEach(({ observer }) => observer.documentChanged(real, document.getText(), 'user'));
    }
  }

  private wasOnDisk(document: vscode.TextDocument, text: string): boolean {
    return this.deps.cleanTexts.of(document) === digest(text);
  }
}

function pendingIn(reviews: readonly ObservedSession[], real: string): number {
  return reviews.reduce((sum, { review }) => sum + (review?.file(real)?.hunks?.hunks.length ?? 0), 0);
}

function isFile({ uri, isClosed }: vscode.TextDocument): boolean {
  return uri.scheme === 'file' && !isClosed;
}

function eolOf({ eol }: vscode.TextDocument): string {
  return eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}
