/** The changes of all sessions of the window. Loaded with the first turn, or with a conversation that is read back. */
import * as vscode from 'vscode';
import type { SessionEvent } from '../../core/model/event';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Log } from '../../core/platform/log';
import { isReadOnlyHere } from '../../core/model/select';
import type { Roots } from '../../core/model/roots';
import { Attribution } from '../../changes/turns/attribution';
import type { OpenText } from '../../changes/turns/changeRecorder';
import type { AcceptedWrite } from '../../changes/review/review';
import type { FileGuard } from '../../fs/fileService';
import { copyingBefore } from '../../session/changeTracker';
import type { Session } from '../../session/session';
import { readingGit } from '../../changes/disk/git';
import { windowGit } from '../git/gitProgram';
import { DisposableStore } from '../../util/disposable';
import { Listeners } from '../../core/platform/listeners';
import { readChangeSettings } from '../settings/changeSettings';
import { followCommits } from './commits';
import { isInReview, targetOfDocument } from './review/documentTargets';
import { DocumentFollower, type DocumentFollowerDependencies } from './documents/documentFollower';
import { type PendingFile, type PendingFiles, pendingOf } from './session/pendingFiles';
import { RestoreWriter } from './files/restoreWriter';
import { SessionChanges } from './session/sessionChanges';
import { RunningChanges, type RunningFile } from './documents/runningChanges';
import { RecordingWarnings } from './recordingWarnings';
import { writingForUser } from './documents/userTarget';
import { changeCommands } from '../../application/shared/changeCommandIds';
import { followUserActions } from './documents/userActions';

export interface ChangesDependencies extends Pick<DocumentFollowerDependencies, 'clock' | 'cleanTexts'> {
  readonly clock: Clock;
  readonly log: Log;
  /** Where a session's changes are kept; undefined where nothing may be kept of it. */
  folderOf(key: string): Promise<string | undefined>;
  /** True while another window has the session. Absent: never. */
  isLiveElsewhere?(key: string): Promise<boolean>;
}

/** The listener of a session's events, with its end. */
export interface FollowedSession extends Disposable {
  onEvents(events: readonly SessionEvent[], whole: boolean): void;
  flush(): Promise<void>;
}

/** ms in which a change of a file may come in parts. */
const SETTLE_MS = 150;

export class Changes implements PendingFiles, Disposable {
  private readonly owned = new DisposableStore();
  private readonly followed = new Map<string, { readonly session: Session; readonly begun: Promise<FollowedSession> }>();
  private readonly open = new Map<string, SessionChanges>();
  private readonly attribution = new Attribution();
  private readonly listeners = new Listeners<[]>();
  private readonly git = readingGit(windowGit());
  private readonly writers = new Map<string, string>();
  /** Keys of the sessions whose review is loaded. */
  private readonly loaded = new Set<string>();
  private readonly watchers = new Map<string, Disposable>();
  private readonly documents: DocumentFollower;
  private readonly running: RunningChanges<SessionChanges>;

  constructor(private readonly deps: ChangesDependencies) {
    const { owned } = this;
    this.documents = owned.add(
      new DocumentFollower({
        ...deps,
        sessions: () => this.sessions,
        isInReview: ({ uri }) => isInReview(uri),
        onPathLearned: () => this.listeners.call(),
      }),
    );
    this.running = owned.add(
      new RunningChanges({
        clock: deps.clock,
        sessions: () => this.sessions,
        realPathOf: (name) => this.documents.realPathOf(name),
        onDidChange: () => this.listeners.call(),
      }),
    );
    owned.add(
      followUserActions({
        sessions: () => this.sessions,
        now: () => deps.clock.now(),
      }),
    );
    owned.add(followCommits(this, this.git));
  }

  /** In the order in which they were followed. */
  get sessions(): readonly SessionChanges[] {
    return [...this.open.values()];
  }

  /** All files that wait, session by session. */
  get pending(): readonly PendingFile[] {
    return this.sessions.flatMap((changes) => pendingOf(changes).map((file) => ({ changes, file })));
  }

  /** The pending files of a document, the oldest session first. An earlier version that the extension shows counts as its file. */
  pendingAt(uri: vscode.Uri): readonly PendingFile[] {
    const place = targetOfDocument(uri);
    if (place) {
      return this.pending.filter(({ changes, file }) => changes.key === place.sessionKey && file.path === place.path);
    }
    if (uri.scheme !== 'file' || this.open.size === 0) {
      return [];
    }
    const real = this.documents.realPathOf(uri.fsPath);
    return this.pending.filter(({ file }) => file.path === real);
  }

  runningAt(uri: vscode.Uri): readonly RunningFile<SessionChanges>[] {
    return uri.scheme === 'file' && this.running.isAny ? this.running.at(this.documents.realPathOf(uri.fsPath)) : [];
  }

  get isRunning(): boolean {
    return this.running.isAny;
  }

  /** The sessions whose review is loaded. */
  get reviewed(): readonly { readonly key: string; readonly isPending: boolean }[] {
    return this.sessions
      .filter(({ key }) => this.loaded.has(key))
      .map((changes) => ({ key: changes.key, isPending: pendingOf(changes).length > 0 }));
  }

  onDidChange(listener: () => void): Disposable {
    return this.listeners.add(listener);
  }

  get(key: string): SessionChanges | undefined {
    return this.open.get(key);
  }

  /** The same for the same session until it is disposed. */
  follow(session: Session): Promise<FollowedSession> {
    const known = this.followed.get(session.key);
    if (known?.session === session) {
      return known.begun;
    }
    // A session that this window could only read has no owner that disposes it. Another one takes its place when the window takes it over.
    const begin = known ? known.begun.then((earlier) => (earlier.dispose(), this.begin(session))) : this.begin(session);
    const begun = begin.catch((error: unknown) => {
      this.deps.log.warn(`Changes of session ${session.key} are not kept: ${String(error)}`);
      return NOBODY;
    });
    this.followed.set(session.key, { session, begun });
    return begun;
  }

  /** Has what a session's agent is about to write copied first. @param roots of that session */
  copying(roots: Roots, guard: FileGuard): FileGuard {
    const changes = (): SessionChanges | undefined => this.sessions.find(({ session }) => session.roots === roots);
    const copying = copyingBefore(guard, () => changes()?.recorder);
    return async (operation, signal) => {
      const wasAsked = await copying(operation, signal);
      const key = changes()?.key;
      if (operation.access === 'write' && key !== undefined) {
        this.writers.set(operation.path, key);
      }
      return wasAsked;
    };
  }

  /** An open document is written for an agent from here on, until what comes back is called. @param real its path */
  writes(real: string): () => void {
    const key = this.writers.get(real);
    return key === undefined ? () => undefined : this.documents.writes(real, key);
  }

  /** A session's change is written as the user has accepted it. @param roots of that session */
  accept(roots: Roots, write: AcceptedWrite): void {
    this.sessions.find(({ session }) => session.roots === roots)?.accept(write);
  }

  documentOf(real: string): vscode.TextDocument | undefined {
    return this.documents.documentOf(real);
  }

  dispose(): void {
    this.owned.dispose();
    this.watchers.forEach((watcher) => watcher.dispose());
    this.watchers.clear();
  }

  private async begin(session: Session): Promise<FollowedSession> {
    const wanted = readChangeSettings();
    // The window that has the session reviews and restores its files, and writes the state of the review.
    const isReadOnly = isReadOnlyHere(session.store.state);
    const settings = isReadOnly ? { ...wanted, review: false, checkpoints: false } : wanted;
    const folder = wanted.review || wanted.checkpoints ? await this.deps.folderOf(session.key) : undefined;
    if (folder === undefined) {
      return NOBODY;
    }
    const userWrote = (paths: readonly string[]): void => void changes.observer.userRestored(paths).catch(() => undefined);
    const warnings = new RecordingWarnings(async () => vscode.commands.executeCommand(changeCommands.deleteCheckpoints));
    const changes: SessionChanges = new SessionChanges(session, {
      ...this.deps,
      settings,
      folder,
      ...(isReadOnly && { reports: { readAll: async () => undefined, replace: async () => undefined } }),
      attribution: this.attribution,
      git: this.git,
      target: writingForUser(new RestoreWriter((real) => this.documentOf(real)), this.documents, userWrote),
      onTrouble: (trouble) => void warnings.show(trouble),
      documents: this.documents,
      openTexts: () => this.openTexts(),
      userWrote,
    });
    this.open.set(session.key, changes);
    const subscription = changes.review?.onDidChange(() => this.changed());
    await changes.learnRoots();
    const { adoptedTurn } = session;
    if (adoptedTurn) {
      session.adoptedTurn = undefined;
      changes.continues(adoptedTurn);
    }
    void changes.ready().then(() => {
      if (this.open.get(session.key) === changes) {
        this.loaded.add(session.key);
        this.changed();
      }
    });
    return {
      onEvents: (events, whole) => {
        changes.onEvents(events, whole);
        this.running.look();
        // Titles of sessions are in labels and tabs.
        void (events.some(({ type }) => type === 'session_renamed') && this.listeners.call());
      },
      flush: () => changes.flush(),
      dispose: () => {
        if (this.open.get(session.key) !== changes) {
          return;
        }
        subscription?.dispose();
        changes.dispose();
        this.open.delete(session.key);
        this.loaded.delete(session.key);
        void (this.followed.get(session.key)?.session === session && this.followed.delete(session.key));
        this.changed();
      },
    };
  }

  private changed(): void {
    if (this.owned.disposed) {
      return;
    }
    const gone = this.sessions.flatMap((changes) => changes.review?.files.flatMap((file) => (file.isGone ? { changes, file } : [])) ?? []);
    this.watchFolders([...this.pending, ...gone]);
    this.listeners.call();
  }

  /** The texts that are open now. This code loads before the first changes of the first turn. */
  private openTexts(): readonly OpenText[] {
    const documents = vscode.workspace.textDocuments.filter(({ uri, isClosed }) => uri.scheme === 'file' && !isClosed);
    return documents.map((document) => {
      const text = document.getText();
      return {
        path: this.documents.realPathOf(document.uri.fsPath),
        isDirty: document.isDirty,
        bytes: async () => vscode.workspace.encode(text, { encoding: document.encoding }),
      };
    });
  }

  /** One watcher for each folder of a session in which something waits, and none where nothing does. */
  private watchFolders(pending: readonly PendingFile[]): void {
    const folders = new Set(
      pending.flatMap(({ changes, file }) =>
        changes.roots.filter((root) => file.path.startsWith(root)).map((root) => changes.uriOf(root).fsPath),
      ),
    );
    for (const [folder, watcher] of this.watchers) {
      if (!folders.has(folder)) {
        watcher.dispose();
        this.watchers.delete(folder);
      }
    }
    for (const folder of folders) {
      if (!this.watchers.has(folder)) {
        this.watchers.set(folder, this.watch(folder));
      }
    }
  }

  /** Another program has written a file. The end of a turn may be known before its changes are in the review, which would take them for that program's. */
  private async fileChanged(session: SessionChanges, real: string): Promise<void> {
    if (session.turnId === undefined) {
      await session.settled();
    }
    if (session.turnId !== undefined) {
      return;
    }
    // A document reports its own changes, but not that a deleted file exists again, or that a created one is gone.
    await (this.documentOf(real) ? session.review?.checkExistence(real) : session.review?.fileChanged(real));
  }

  private watch(folder: string): Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), '**'));
    const store = new DisposableStore();
    store.add(watcher);
    const timers = new Map<string, Disposable>();
    const changed = (uri: vscode.Uri): void => {
      const real = this.documents.realPathOf(uri.fsPath);
      timers.get(real)?.dispose();
      // A turn reports its changes at its end, and an open document reports its own.
      const reviews = this.sessions.filter(({ review }) => review?.file(real));
      if (reviews.length > 0) {
        timers.set(
          real,
          this.deps.clock.after(SETTLE_MS, () => {
            timers.delete(real);
            reviews.forEach((session) => void this.fileChanged(session, real));
          }),
        );
      }
    };
    store.add(watcher.onDidChange(changed));
    store.add(watcher.onDidCreate(changed));
    store.add(watcher.onDidDelete(changed));
    store.add({ dispose: () => timers.forEach((timer) => timer.dispose()) });
    return store;
  }
}

const NOBODY: FollowedSession = { onEvents: () => undefined, flush: async () => undefined, dispose: () => undefined };
