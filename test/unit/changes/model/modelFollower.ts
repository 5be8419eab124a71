/** Follows the fake documents for the review and the recorder, as `src/workbench/changes/documents/documentFollower.ts` follows VS Code's. */
import { FollowedTexts } from '../../../../src/changes/undo/followedTexts';
import type { ChangeRecorder, RecordedTurn } from '../../../../src/changes/turns/changeRecorder';
import type { Review } from '../../../../src/changes/review/review';
import { type DocumentEdit, type DocumentListener, type Documents, type FakeDocument, realOf } from './documents';

/** The methods of a recorder that follows the user; absent in a recorder that does not. */
export interface Observer {
  documentOpened?(path: string, text: string, isDirty: boolean): void;
  documentChanged?(path: string, text: string, author: 'agent' | 'user' | 'external'): void;
  isComparing?(path: string): boolean;
  documentClosed?(path: string): void;
  savedByUser?(path: string, text?: string): void;
  userChanged?(path: string, what: 'created' | 'deleted' | 'renamed', oldPath?: string): void;
  userCommand?(from: number, to: number, cwd?: string): void;
  agentRuns?(toolCallId: string, isOpen: boolean): void;
  userGit?(top: string, at: number): void;
  userRestored?(paths: readonly string[]): void;
}

export interface FollowerDependencies {
  readonly recorder: ChangeRecorder;
  readonly review: Review;
  documents(): Documents;
  /** The running turn. */
  turnId(): string | undefined;
  /** True for a path that an undo or a restore writes. */
  isUserWriting(path: string): boolean;
  /** The text that the review compares. */
  presentText(path: string): Promise<string | undefined>;
}

export class ModelFollower implements DocumentListener {
  private readonly followed = new FollowedTexts();
  /** Documents that were typed into since the recorder last received their text. */
  private readonly typed = new Set<FakeDocument>();

  constructor(private readonly deps: FollowerDependencies) {}

  get observer(): Observer {
    return this.deps.recorder as unknown as Observer;
  }

  opened({ path, text, isDirty }: FakeDocument): void {
    if (this.deps.turnId() !== undefined) {
      this.observer.documentOpened?.(path, text, isDirty);
    }
  }

  async closed(document: FakeDocument): Promise<void> {
    const { review, presentText } = this.deps;
    this.typed.delete(document);
    this.observer.documentClosed?.(document.path);
    if (document.isDirty) {
      const text = review.file(document.path)?.hunks && (await presentText(document.path));
      if (text !== undefined && review.file(document.path)?.hunks?.text !== text) {
        review.documentIs(document.path, text, [], { type: 'user' });
      }
    }
  }

  changed(document: FakeDocument, _before: string, edits: readonly DocumentEdit[], isReload: boolean): void {
    const { review, turnId, isUserWriting } = this.deps;
    const { path } = document;
    const running = turnId();
    if (!isReload) {
      this.followed.typed(review, path, {
        eol: eolOf(document),
        edits,
        text: () => document.text,
        wasOnDisk: (text) => document.clean === text,
      });
      if (running !== undefined) {
        this.typed.add(document);
      }
      return;
    }
    if (realOf(path) !== path) {
      // The window's follower drops the reload of a document whose name now leads through a link to another file.
      return;
    }
    const isUsers = isUserWriting(path);
    const isByAgent = !isUsers && running !== undefined && this.observer.isComparing?.(path) !== true;
    const author = isByAgent ? ({ type: 'agent', by: running } as const) : ({ type: isUsers ? 'user' : 'external' } as const);
    if (review.file(path)?.hunks) {
      review.documentIs(path, document.text, edits, author);
      this.followed.same(review, path, eolOf(document));
    }
    if (running !== undefined) {
      this.observer.documentChanged?.(path, document.text, author.type);
    }
  }

  saved(document: FakeDocument): void {
    const { review, turnId } = this.deps;
    this.typed.delete(document);
    if (review.file(document.path)?.hunks) {
      review.savedByUser(document.path, document.text);
      this.followed.same(review, document.path, eolOf(document));
    }
    if (turnId() !== undefined) {
      this.observer.savedByUser?.(document.path, document.text);
    }
  }

  turnStarted(): void {
    this.deps.documents().all.forEach((document) => this.opened(document));
  }

  turnEnding(): void {
    for (const document of this.typed) {
      this.observer.documentChanged?.(document.path, document.text, 'user');
    }
    this.typed.clear();
  }

  /** Prepares the recording of a turn. @param textOf the text of a file's earlier state */
  async beforeRecorded(
    { files }: RecordedTurn,
    textOf: (file: RecordedTurn['files'][number]) => Promise<string | undefined>,
  ): Promise<void> {
    const { review, documents } = this.deps;
    for (const file of files) {
      const document = documents().get(file.path);
      if (document?.isDirty && document.text === review.file(file.path)?.hunks?.text) {
        const before = await textOf(file);
        if (before !== undefined && before === document.clean) {
          review.documentIs(file.path, before, [], { type: 'user' });
        }
      }
    }
  }

  recorded({ files }: RecordedTurn): void {
    const { review, documents } = this.deps;
    for (const { path } of files) {
      const document = documents().get(path);
      if (document?.isDirty && review.file(path)?.hunks?.text === document.clean) {
        review.savedByUser(path, document.text);
        this.followed.same(review, path, eolOf(document));
      }
    }
  }
}

function eolOf({ text }: FakeDocument): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
