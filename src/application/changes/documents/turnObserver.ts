/** A session as the documents and the user's actions are reported to it. */
import type { Review } from '../../../changes/review/review';
import type { OverwriteWatch } from '../overwrites/overwriteWatch';

/** The recorder's view of what the user and the editor do while a turn runs. Paths are real, times in ms since the epoch. */
export interface TurnObserver {
  documentOpened(path: string, text: string, isDirty: boolean): void;
  /** The text of a document changed; typing is reported when it is saved, or when the turn ends. */
  documentChanged(path: string, text: string, author: 'agent' | 'user' | 'external'): void;
  /** True at the beginning of a turn, until the document was compared with the disk: a reload is then no change of the agent. */
  isComparing(path: string): boolean;
  documentClosed(path: string): void;
  savedByUser(path: string, text?: string): void;
  userChanged(path: string, what: 'created' | 'deleted' | 'renamed', oldPath?: string): void;
  /** A command ran in a terminal of the user's. */
  userCommand(from: number, to: number, cwd?: string): void;
  /** The user ran a Git operation in the repository at `top`. */
  userGit(top: string, at: number): void;
  /** An undo or a restore wrote files for the user; counts for the turns of all sessions. */
  userRestored(paths: readonly string[]): Promise<void>;
}

export interface ObservedSession {
  readonly key: string;
  /** The turn that runs. */
  readonly turnId: string | undefined;
  /** True until the changes of all ended turns are in the review. */
  readonly isRecording: boolean;
  /** Absent: changes are not reviewed. */
  readonly review: Review | undefined;
  readonly observer: TurnObserver;
  readonly overwrites: Pick<OverwriteWatch, 'userSaved'>;
  /** True for a real path in one of the session's folders. */
  holds(real: string): boolean;
  /** Resolves when the changes of all ended turns are in the review. */
  settled(): Promise<void>;
  /** The text that the review compares; undefined where there is none. */
  presentText(real: string): Promise<string | undefined>;
}
