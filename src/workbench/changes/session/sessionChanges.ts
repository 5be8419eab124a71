/** The changes of one session: recorded, reviewed, undone and restored. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { type FileState, sameState } from '../../../core/fileChanges/records';
import type { SessionEvent } from '../../../core/model/event';
import { shortPath } from '../../../core/toolCalls/titles';
import type { Clock } from '../../../core/platform/clock';
import type { Disposable } from '../../../core/platform/disposable';
import type { Log } from '../../../core/platform/log';
import { diskFiles } from '../../../changes/disk/diskFiles';
import type { RunGit } from '../../../changes/disk/git';
import { batchedGitReader } from '../../../changes/disk/gitReader';
import { FileTransaction } from '../../../changes/fileTransaction';
import { Restore, type RestoreTarget } from '../../../changes/restore';
import { AutoKeeper } from '../../../changes/review/autoKeep';
import { ChangeReport } from '../../../changes/review/changeReport';
import { PendingSource } from '../../../changes/review/pendingSource';
import { type AcceptedWrite, Review } from '../../../changes/review/review';
import { ChangeLog } from '../../../changes/store/changeLog';
import { DiskStoreFolder } from '../../../changes/store/diskStoreFolder';
import { ObjectStore, type StoreTrouble } from '../../../changes/store/objectStore';
import type { Attribution } from '../../../changes/turns/attribution';
import { ChangeRecorder, type OpenText, type RecordedTurn } from '../../../changes/turns/changeRecorder';
import { FileStates, unknown } from '../../../changes/turns/fileStates';
import { StoredBaseline } from '../../../changes/turns/storedBaseline';
import type { Trouble } from '../../../changes/turns/filesSnapshot';
import { recordsOfRows } from '../../../changes/turns/ownFiles';
import { Undo } from '../../../changes/undo/undo';
import { ChangeTracking } from '../../../session/changeTracker';
import type { LazyListener } from '../../../session/listenLazily';
import { publishPending } from '../../../session/pendingPublisher';
import { RunningFiles } from '../../../session/runningFiles';
import { hasReport, publishReport } from '../../../session/reportPublisher';
import { OverwriteWatch } from '../../../application/changes/overwrites/overwriteWatch';
import { followFile } from '../documents/followFile';
import { watchUnsaved } from '../documents/unsavedWatch';
import { ReadAccess } from '../../../policy/readAccess';
import type { Session } from '../../../session/session';
import { realPathOf, remembering } from '../../../util/realPath';
import { RootCheck } from '../../../util/roots';
import { readProtectedPaths } from '../../settings/agentSettings';
import { type ChangeSettings, readAutoKeep } from '../../settings/changeSettings';
import type { DocumentFollower } from '../documents/documentFollower';
import { decodeText, displayText, textCodec } from '../files/fileTexts';
import type { TurnObserver } from '../../../application/changes/documents/turnObserver';
import { DocumentEditor } from '../files/documentEditor';
import { recoverRestores } from '../files/recoverRestore';
import type { ChangeReportDependencies } from '../../../changes/review/changeReport';

export interface SessionChangesDependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: ChangeSettings;
  readonly attribution: Attribution;
  /** Where the session's changes are kept. */
  readonly folder: string;
  /** Where the report is read and written, if not in that folder. */
  readonly reports?: ChangeReportDependencies['folder'];
  readonly git: RunGit | undefined;
  readonly target: RestoreTarget;
  /** Called when earlier versions cannot be stored. */
  readonly onTrouble: (trouble: StoreTrouble | Trouble) => void;
  readonly documents: DocumentFollower;
  /** True while another window has the session. Absent: never. */
  isLiveElsewhere?(key: string): Promise<boolean>;
  openTexts(): readonly OpenText[];
  /** Files were written for the user: for other sessions these are the user's changes. */
  userWrote(paths: readonly string[]): void;
}

/** ms after a prompt in which what is open cannot have been written by the agent and read again. */
const OPEN_TEXTS_MS = 200;

export class SessionChanges implements LazyListener {
  readonly store: ObjectStore;
  readonly recorder: ChangeRecorder;
  /** Absent: changes are not reviewed. */
  readonly review: Review | undefined;
  /** Absent: nothing is gone back to. */
  readonly restore: Restore | undefined;
  /** The user's actions on the agent's changes, for the next prompt. */
  readonly report: ChangeReport;
  readonly log: ChangeLog;
  /** Undoes changes; absent: changes are not reviewed. */
  readonly undo: Undo | undefined;
  /** The recorder, as it follows the user while a turn runs. */
  readonly observer: TurnObserver;
  /** Finds saved lines that the agent's writes remove. */
  readonly overwrites: OverwriteWatch;
  /** The open documents, for edits on the user's behalf. */
  readonly editor: DocumentEditor;
  /** Where a path leads; undefined where the session has nothing to do. */
  readonly resolve: (file: string) => Promise<string | undefined>;
  private readonly states: FileStates;
  /** The turn that runs. */
  turnId: string | undefined;
  /** True while a restore writes files: its versions must stay in the store. */
  isRestoring = false;
  private readonly folder: DiskStoreFolder;
  /** Writes the files of undos. */
  private readonly transaction: FileTransaction;
  /** Whether text of a file may be sent to the agent. */
  private readonly access: ReadAccess;
  private readonly tracking: ChangeTracking;
  /** Shows the files that the running turn has changed so far. */
  private readonly runningFiles: RunningFiles | undefined;
  /** The real paths of the session's folders, by their names. */
  private readonly realRoots = new Map<string, string>();
  private readonly keeper: AutoKeeper | undefined;
  /** Writes that the user has accepted before they were made, until the turn is in the review. */
  private accepted: readonly AcceptedWrite[] = [];
  private turnAt = 0;
  private publishing: readonly Disposable[] = [];
  private disposed = false;
  private reviewing: Promise<void>;
  /** The number of ended turns whose changes are not in the review yet. */
  private unsettled = 0;

  constructor(
    readonly session: Session,
    private readonly deps: SessionChangesDependencies,
  ) {
    const { clock, settings } = deps;
    const now = (): number => clock.now();
    const folder = (this.folder = new DiskStoreFolder(deps.folder));
    const store = (this.store = new ObjectStore(folder, settings.storeBytes, deps.onTrouble));
    const states = (this.states = new FileStates(diskFiles, store, settings.limits, now));
    const log = (this.log = new ChangeLog(folder));
    const check = new RootCheck(session.roots);
    const resolve = (this.resolve = (file: string): Promise<string | undefined> => check.resolve(file).catch(() => undefined));
    this.recorder = new ChangeRecorder({
      sessionKey: session.key,
      roots: () => this.roots,
      resolver: () => {
        const check = new RootCheck(session.roots, remembering());
        return (file) => check.resolve(file).catch(() => undefined);
      },
      states,
      git: deps.git,
      log,
      attribution: deps.attribution,
      baseline: new StoredBaseline(folder),
      outlives: () => session.connection?.kept !== undefined,
      now,
      onTrouble: deps.onTrouble,
      // A document may have been read again by the time that this is loaded, with what the agent wrote.
      onStaleDocument: (real, bytes) => void this.review?.wasOnDisk(real, bytes),
      openTexts: () => (now() - this.turnAt < OPEN_TEXTS_MS ? deps.openTexts() : []),
    });
    void (deps.git && store.useGit(batchedGitReader(deps.git)));
    this.observer = this.recorder;
    this.review = settings.review
      ? new Review({
          store,
          folder,
          clock,
          text: (file) => this.presentText(file),
          exists: (file) => this.exists(file),
          isMissing: (file) => this.isMissing(file),
          decode: (file, bytes) => decodeText(file, bytes),
        })
      : undefined;
    const contains = async (file: string): Promise<boolean> => (await resolve(file)) === file;
    const files = { states, log, contains, now, mintId: () => randomUUID(), unrecordedTurn: () => this.recorder.unrecordedTurn };
    this.transaction = new FileTransaction(files);
    this.restore = settings.checkpoints ? new Restore({ ...files, target: deps.target }) : undefined;
    const { review } = this;
    this.keeper = review && new AutoKeeper({ clock, review, setting: readAutoKeep });
    const nameOf = (real: string): string => this.uriOf(real).fsPath;
    const { key: sessionKey, roots, consents } = session;
    const access = (this.access = new ReadAccess({ roots, consents, setting: readProtectedPaths, nameOf, now }));
    const wasSent = (uri: string): boolean => hasReport(session, uri);
    this.report = new ChangeReport({ sessionKey, folder: deps.reports ?? folder, clock, review, nameOf, access, wasSent });
    const { documents } = deps;
    this.editor = new DocumentEditor({
      documentOf: (real) => documents.documentOf(real),
      uriOf: (real) => this.uriOf(real),
      writing: (paths) => documents.userWriting(paths),
      maxBytes: settings.limits.fileBytes,
    });
    this.undo =
      review &&
      new Undo({
        review,
        report: this.report,
        states,
        store,
        writer: this.transaction,
        editor: this.editor,
        codec: textCodec,
        clock,
        resolve,
        records: () => log.records(),
        nameOf,
        isWorking: () => this.turnId !== undefined,
        onWritten: (paths) => deps.userWrote(paths),
      });
    this.overwrites = new OverwriteWatch({
      clock,
      store: session.store,
      agentName: session.agentName,
      resolve,
      nameOf: (real) => shortPath(nameOf(real), session.roots.cwd),
      read: (real) => this.savedText(real),
      follow: (real, changed) => followFile(this.uriOf(real), changed),
      steps: (real) => this.recorder.running(real)?.steps,
    });
    this.reviewing = this.load().catch((error: unknown) => this.failed(error));
    const recorded = (turn: RecordedTurn): void => {
      turn.files.forEach(({ path: file, oldPath }) => oldPath !== undefined && this.report.moved(file, oldPath));
      this.report.written(turn.files.flatMap(({ path: file, oldPath }) => (oldPath === undefined ? [file] : [file, oldPath])));
      this.reviewing = this.reviewing.then(() => this.recorded(turn)).catch((error: unknown) => this.failed(error));
    };
    const isAccepted = (file: string): boolean => this.accepted.some((write) => nameOf(write.path) === file);
    this.runningFiles = review && new RunningFiles(session.store, clock, isAccepted);
    this.tracking = new ChangeTracking(session.store, clock, this.recorder, recorded, nameOf, this.runningFiles);
  }

  get isRecording(): boolean {
    return this.unsettled > 0;
  }

  get key(): string {
    return this.session.key;
  }

  /** The real paths of the session's folders. */
  get roots(): readonly string[] {
    const { cwd, additionalDirectories } = this.session.roots;
    return [cwd, ...additionalDirectories].map((folder) => this.realRoots.get(folder) ?? folder);
  }

  /** True for a path in one of the session's folders. */
  holds(real: string): boolean {
    return this.roots.some((root) => real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep));
  }

  /**
   * Returns the text that the review compares: of the open document while the review's changes follow its unsaved text, else of the disk. Undefined
   * where there is none.
   */
  async presentText(real: string): Promise<string | undefined> {
    const document = this.deps.documents.documentOf(real);
    const known = this.review?.file(real)?.hunks?.text;
    return document?.isDirty && document.getText() === known ? known : this.savedText(real);
  }

  /** Returns the text on disk; undefined where there is none. */
  private async savedText(real: string): Promise<string | undefined> {
    const bytes = (await this.isInPlace(real))
      ? await this.states.files.read(real, this.deps.settings.limits.fileBytes).catch(() => undefined)
      : undefined;
    return bytes && decodeText(real, bytes);
  }

  private async exists(real: string): Promise<boolean> {
    return (await this.isInPlace(real)) && (await this.states.files.stat(real).catch(() => undefined)) !== undefined;
  }

  /** False also where it cannot be known, such as in a folder that leads elsewhere. */
  private async isMissing(real: string): Promise<boolean> {
    return (await this.isInPlace(real)) && (await this.states.files.stat(real).catch(() => null)) === undefined;
  }

  /** The present state of a file, stored so that it can be shown and reported. A path that leads elsewhere is not read. */
  async stateOf(real: string): Promise<FileState> {
    return (await this.isInPlace(real)) ? (await this.states.of(real, true)).state : unknown('unreadable');
  }

  async isNow(real: string, state: FileState): Promise<boolean> {
    return (await this.isInPlace(real)) && sameState((await this.states.of(real, false)).state, state);
  }

  /** True for a path whose folders lead where they say, in the session's folders and in no `.git`. */
  private async isInPlace(real: string): Promise<boolean> {
    const folder = path.dirname(real);
    return !real.split(path.sep).includes('.git') && (await this.resolve(folder)) === folder;
  }

  /** Returns the text of a state; undefined when its bytes are not stored, or are no text. */
  async textOf(real: string, state: FileState): Promise<string | undefined> {
    const bytes = state.kind === 'file' ? await this.store.get(state.hash) : undefined;
    return state.kind === 'none' ? '' : bytes && (await displayText(real, bytes));
  }

  /** Resolves when the session's folders and its review are known. */
  async ready(): Promise<void> {
    await Promise.all([this.learnRoots(), this.reviewing]);
  }

  /** Records the turn on that an earlier window has begun. Call it before the first event, with the folders known. */
  continues({ turnId, startedAt }: NonNullable<Session['adoptedTurn']>): void {
    this.turnId = turnId;
    this.tracking.continues(turnId, startedAt);
    this.deps.documents.turnStarted(this);
  }

  onEvents(events: readonly SessionEvent[], whole: boolean): void {
    // The recorder forgets the texts of a turn at its end.
    this.overwrites.onEvents(events, whole);
    let hasEnded = false;
    const { turnId } = this;
    if (!whole) {
      const next = events.reduce(turnAfter, turnId);
      hasEnded = turnId !== undefined && next !== turnId;
      if (hasEnded) {
        this.deps.documents.turnEnding();
      }
      this.turnId = next;
      if (this.turnId !== undefined && this.turnId !== turnId) {
        // Changes of earlier turns may not be in the review yet.
        this.reviewing = this.reviewing.then(() => this.keeper?.turnStarted());
      }
      this.turnAt = events.findLast(({ type }) => type === 'turn_started')?.at ?? this.turnAt;
    }
    this.tracking.onEvents(events, whole);
    if (hasEnded) {
      this.unsettled++;
      void this.settled().finally(() => {
        this.unsettled--;
        this.runningFiles?.recorded(turnId!);
      });
    }
    if (!whole && this.turnId !== undefined && events.some(({ type }) => type === 'turn_started')) {
      this.deps.documents.turnStarted(this);
    }
    void this.learnRoots();
  }

  /** As the session calls it, so that VS Code opens the file that the user knows. @param real a path in one of the session's folders */
  uriOf(real: string): vscode.Uri {
    for (const [folder, at] of this.realRoots) {
      if (real === at || real.startsWith(at + path.sep)) {
        return vscode.Uri.file(folder + real.slice(at.length));
      }
    }
    return vscode.Uri.file(real);
  }

  /** A change is written as the user has accepted it. */
  accept(write: AcceptedWrite): void {
    this.accepted = [...this.accepted, write];
  }

  /** True while a restore or an undo writes files. */
  get isWriting(): boolean {
    return this.isRestoring || this.undo?.order.isBusy === true;
  }

  /** Deletes earlier versions except those that undo a pending file. An undo that begins meanwhile waits. */
  async deleteCheckpoints(): Promise<void> {
    await this.reviewing;
    const remove = async (): Promise<void> => {
      this.review?.forgetDropped();
      await this.flush();
      await this.log.keepOnly((records) => recordsOfRows(records, this.review?.files ?? []));
      await this.store.keepOnly(this.review?.objects ?? new Set());
    };
    await (this.undo ? this.undo.order.run(remove) : remove());
  }

  /** Resolves when the review has all changes of the turns that have ended. */
  async settled(): Promise<void> {
    await this.tracking.settled();
    await this.reviewing;
  }

  /** Resolves when everything is on disk. After {@link dispose} nothing is written later. */
  async flush(): Promise<void> {
    await Promise.all([this.review?.flush(), this.report.flush()]);
  }

  dispose(): void {
    this.disposed = true;
    this.overwrites.dispose();
    this.tracking.dispose();
    this.runningFiles?.dispose();
    this.publishing.forEach((publisher) => publisher.dispose());
    this.keeper?.dispose();
    const flushed = this.flush().finally(() => this.folder.close());
    this.report.dispose();
    this.access.dispose();
    this.review?.dispose();
    void flushed;
  }

  private async load(): Promise<void> {
    await this.learnRoots();
    await this.recover().catch((error: unknown) => this.failed(error));
    await this.review?.load();
    await this.report.load();
    // An undo that was interrupted may be complete by now.
    for (const { path: real, hunks, oldPath, before } of this.review?.files ?? []) {
      if (!hunks && oldPath === undefined && (await this.isNow(real, before))) {
        this.review?.drop(real);
      }
    }
    this.keeper?.recorded();
    if (!this.disposed) {
      const { session, report, review, deps } = this;
      const nameOf = (real: string): string => this.uriOf(real).fsPath;
      const isUnsaved = (real: string): boolean => deps.documents.documentOf(real)?.isDirty === true;
      const pending = review && new PendingSource({ review, nameOf, isUnsaved, textOf: (real, state) => this.textOf(real, state) });
      this.publishing = [
        publishReport(session, report, deps.clock),
        ...(pending ? [publishPending(session, pending, deps.clock), watchUnsaved(() => pending.refresh())] : []),
      ];
    }
  }

  private async recover(): Promise<void> {
    const { deps, states, log, resolve } = this;
    await recoverRestores({
      states,
      log,
      target: deps.target,
      contains: async (file) => (await resolve(file)) === file,
      now: () => deps.clock.now(),
      mintId: () => randomUUID(),
      isWorking: () => this.turnId !== undefined,
      isLiveElsewhere: async () => (await deps.isLiveElsewhere?.(this.key)) === true,
    });
  }

  private async recorded({ turnId, files, steps }: RecordedTurn): Promise<void> {
    const { review } = this;
    const written = this.accepted.filter((write) => files.some((file) => file.path === write.path));
    this.accepted = this.accepted.filter((write) => !written.includes(write));
    const { documents } = this.deps;
    // Read together what the review reads one by one.
    await Promise.all(files.map(({ before }) => (before.kind === 'file' ? this.store.get(before.hash) : undefined)));
    await documents.beforeRecorded(this, files, (real, state) => this.textOf(real, state));
    await review?.recorded(turnId, files, written, steps);
    documents.recorded(this, files);
    // The user may have created a deleted file again in the turn, which is no change of the agent's. A created file may have been deleted since.
    await Promise.all((review?.files ?? []).map((file) => review!.checkExistence(file.path)));
    this.keeper?.recorded();
  }

  /** Resolves when {@link roots} are real. No turn may start before. */
  async learnRoots(): Promise<void> {
    const { cwd, additionalDirectories } = this.session.roots;
    for (const folder of [cwd, ...additionalDirectories]) {
      if (!this.realRoots.has(folder)) {
        this.realRoots.set(folder, await realPathOf(folder).catch(() => folder));
      }
    }
  }

  private failed(error: unknown): void {
    this.deps.log.warn(`Changes of session ${this.key}: ${String(error)}`);
  }
}

function turnAfter(turnId: string | undefined, event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'turn_started':
      return event.turnId;
    case 'turn_ended':
      return event.turnId === turnId ? undefined : turnId;
    case 'disconnected':
    case 'session_failed':
    case 'session_ended':
      return undefined;
    default:
      return turnId;
  }
}
