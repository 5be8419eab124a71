/**
 * Records the file changes in the turns of one session, made by any program. No prompt waits for it: copies are taken during the turn, and a file
 * that may have changed before its copy was taken has an unknown earlier state.
 */
import type { FileRecord, FileState } from '../../core/fileChanges/records';
import { inPool } from '../../util/pool';
import { readBlob } from '../disk/gitBlobs';
import type { ChangeLog } from '../store/changeLog';
import { AgentReports } from './agentReports';
import type { Attribution } from './attribution';
import { unknown } from './fileStates';
import { withInodes } from './ownFiles';
import { isInGitFolder, isLinkName, OwnFolders } from './ownFolders';
import type { Trouble } from './filesSnapshot';
import { type RunningTexts, runningTexts } from './runningTexts';
import { type OpenText, ShownFiles } from './shownFiles';
import { type ReportedChange, textOf } from './textBefore';
import { type Announced, momentOf, type Turn } from './turn';
import { TurnBaseline, type TurnBaselineDependencies } from './turnBaseline';
import { TurnAuthors, type UserOperation } from './turnAuthors';
import type { TextStep } from '../hunks/replayTurn';
import { type FoundRecords, TurnRecords } from './turnRecords';

export type { OpenText } from './shownFiles';
export type { Trouble } from './filesSnapshot';
export type { TextStep } from '../hunks/replayTurn';

/** A tool call, or a write of ours, that names files. */
export interface AnnouncedChange {
  /** The name that the agent used. */
  readonly path: string;
  /** The changes that it reports so far, in order. */
  readonly reported?: readonly ReportedChange[];
  /** True for a file or folder whose deletion it reports. */
  readonly isDeleted?: true;
  /** The old path of a file or folder whose move it reports, as the agent named it. */
  readonly movedFrom?: string;
  /** The text that the host is about to write for the agent. */
  readonly writes?: string;
}

export type ResolvePath = (path: string) => Promise<string | undefined>;

export interface ChangeRecorderDependencies extends TurnBaselineDependencies {
  readonly sessionKey: string;
  /** Returns the session's present folders, as real paths. */
  roots(): readonly string[];
  /** Returns a function that resolves a path, to undefined for one outside of the session. It may answer from a cache. */
  resolver(): ResolvePath;
  readonly log: ChangeLog;
  readonly attribution: Attribution;
  /** Returns the texts that are open in the editor, unsaved changes included. */
  openTexts?(): readonly OpenText[];
  /**
   * Called when a document without unsaved changes shows an older text than the file has had since before the turn. Its reload is no change of the
   * agent. @param path real @param bytes of the file
   */
  onStaleDocument?(path: string, bytes: Uint8Array): void;
  /** Called at most once per turn and kind: copies were not stored, git failed, or files could not be read. */
  onTrouble?(trouble: Trouble): void;
}

export interface RecordedTurn {
  readonly turnId: string;
  readonly files: readonly FileRecord[];
  /** Real paths by the names that the agent used. */
  readonly named: ReadonlyMap<string, string>;
  /** The texts from before the turn to its end, by real path, where the user and the agent both wrote and each part is known. */
  readonly steps: ReadonlyMap<string, readonly TextStep[]>;
}

/** The most reported changes whose paths are resolved together. */
const PATHS_AT_ONCE = 100;
/** Few, because each disk access delays the reading of the agent's messages. */
const PATHS_IN_PARALLEL = 2;
/** The most documents that are remembered between turns. */
const MAX_DOCUMENTS = 200;

export class ChangeRecorder {
  private turn: Turn | undefined;
  /** The turn that runs, or that has ended and is not recorded yet. */
  private unrecorded: Turn | undefined;
  /** Changes whose paths are not resolved yet. */
  private readonly pathQueue: { readonly turn: Turn; readonly change: AnnouncedChange; done(): void }[] = [];
  private draining = false;
  private readonly baseline: TurnBaseline;
  /** The open documents, by real path. The one that changed last comes last. */
  private readonly documents = new Map<string, { readonly text: string; readonly isDirty: boolean }>();

  constructor(private readonly deps: ChangeRecorderDependencies) {
    const { states, git } = deps;
    this.baseline = new TurnBaseline(deps);
    if (git) {
      states.store.useGit((top, oid) => readBlob(git, top, oid));
    }
  }

  /** Starts a turn after the prompt was sent. Nothing waits for the copies. @param since ms since the epoch, not after the prompt was sent */
  turnStarted(turnId: string, since: number): void {
    const turn = this.begin(turnId, since, this.deps.openTexts?.() ?? [], false);
    void this.baseline.store(turn).catch(() => undefined);
  }

  /**
   * Continues a turn that an earlier window has begun, and whose agent has outlived that window. A file that changed without this window is shared,
   * or its earlier state unknown, unless the agent's reports explain it. @param since as for {@link turnStarted}
   */
  turnContinued(turnId: string, since: number): void {
    this.begin(turnId, since, [], true);
  }

  private begin(turnId: string, since: number, openTexts: readonly OpenText[], isContinued: boolean): Turn {
    const { deps } = this;
    const roots = deps.roots();
    const moment = momentOf(since, () => deps.now());
    const troubles: Trouble[] = [];
    const authors = new TurnAuthors(roots);
    // In the first turn, documents are only reported later.
    const dirty = [...[...this.documents].map(([path, { isDirty }]) => ({ path, isDirty })), ...openTexts].filter(({ isDirty }) => isDirty);
    this.documents.forEach(({ text, isDirty }, path) => authors.edits.documentOpened(path, text, isDirty));
    const shown = new ShownFiles(deps.states, moment, (path, bytes) => {
      const text = textOf(bytes);
      void (text !== undefined && authors.edits.documentWasBehind(path, text));
      deps.onStaleDocument?.(path, bytes);
    });
    shown.compare(openTexts, roots);
    const taken = Promise.resolve().then(() => (isContinued ? this.baseline.readBack(turn) : this.baseline.take(roots, moment, troubles)));
    const turn: Turn = (this.turn = {
      turnId,
      since,
      moment,
      roots,
      isContinued,
      snapshots: taken.then(({ snapshots, copiedAt, announced }) => {
        turn.copiedAt = copiedAt;
        announced.forEach(({ at }, path) => deps.attribution.touched(deps.sessionKey, path, at));
        return snapshots;
      }),
      announced: new Map(),
      reports: new AgentReports(),
      named: new Map(),
      authors,
      userFacts: [],
      open: new Map(openTexts.map((text) => [text.path, text])),
      shown,
      dirty: new Set(dirty.map(({ path }) => path)),
      naming: new Set(),
      troubles,
      ended: deps.attribution.turnStarted(deps.sessionKey, roots, since),
    });
    this.unrecorded = turn;
    void turn.snapshots.catch(() => undefined);
    void this.baseline.addCheckpoint(turn);
    return turn;
  }

  /** Called when a write of ours is about to change a file. Resolves when the copy is taken. */
  async announce(change: AnnouncedChange): Promise<void> {
    const { turn } = this;
    if (turn) {
      await this.naming(turn, this.name(turn, change, this.deps.resolver()));
    }
  }

  /** Called when a tool call names a file that it is about to change, or reports its change. Nothing waits for it. */
  reportChange(change: AnnouncedChange): void {
    const { turn } = this;
    if (turn) {
      void this.naming(turn, new Promise<void>((done) => this.pathQueue.push({ turn, change, done })));
      if (!this.draining) {
        void this.drain();
      }
    }
  }

  /** Must be called for each open document when a turn has begun, and when one is opened. @param path real @param isDirty has unsaved changes */
  documentOpened(path: string, text: string, isDirty: boolean): void {
    this.remember(path, text, isDirty);
    void (isDirty && this.baseline.storeTyping(this.turn, path));
    this.turn?.authors.edits.documentOpened(path, text, isDirty);
  }

  /** Called when the text of an open document has changed. @param path real @param text the whole text */
  documentChanged(path: string, text: string, author: TextStep['author']): void {
    this.remember(path, text, author === 'user');
    void (author === 'user' && this.baseline.storeTyping(this.turn, path));
    this.turn?.authors.edits.documentChanged(path, text, author);
  }

  /** True at the beginning of a turn, until the document was compared with the disk. A reload is then no change of the agent. @param path real */
  isComparing(path: string): boolean {
    return this.turn?.shown.isComparing(path) === true;
  }

  documentClosed(path: string): void {
    this.documents.delete(path);
  }

  /** Called when the user has saved a file. @param path real @param text the document's text; absent when only the file's content is known */
  savedByUser(path: string, text?: string): void {
    const { turn } = this;
    const known = text ?? this.documents.get(path)?.text;
    if (known !== undefined) {
      this.remember(path, known, false);
    }
    if (turn) {
      this.userMade(turn, path);
      turn.authors.edits.saved(path, text);
    }
  }

  /** Called when the user has created, deleted or renamed a file or a folder in the Explorer. @param path real; the new one of a rename */
  userChanged(path: string, what: UserOperation, oldPath?: string): void {
    const { turn, deps } = this;
    if (turn) {
      const operation = { what, path, oldPath, at: deps.now() };
      turn.authors.userOperation(operation);
      this.baseline.storeUserFact(turn, { kind: 'operation', operation });
      void (what === 'created' && this.userMade(turn, path));
    }
  }

  private userMade(turn: Turn, path: string): void {
    const state = this.stateOf(path);
    turn.authors.userState(path, state);
    void state.then((made) => this.baseline.storeUserFact(turn, { kind: 'made', path, state: made }));
  }

  /** Called when the user's command ran in a terminal. @param from ms since the epoch, like `to` @param cwd real; absent when it is not known */
  userCommand(from: number, to: number, cwd?: string): void {
    this.turn?.authors.userCommand(from, to, cwd);
    this.baseline.storeUserFact(this.turn, { kind: 'command', from, to, ...(cwd !== undefined && { cwd }) });
  }

  /** Called when VS Code reports the user's git operation. @param top the repository's folder, real @param at ms since the epoch */
  userGit(top: string, at: number): void {
    this.turn?.authors.userGit(top, at);
  }

  /** Called when the user's restore or undo, in any session of the window, has written files. Resolves when their states are known. */
  async userRestored(files: readonly (string | { readonly path: string; readonly state: FileState })[]): Promise<void> {
    const at = this.deps.now();
    await inPool(files, PATHS_IN_PARALLEL, async (file) => {
      const path = typeof file === 'string' ? file : file.path;
      const state = typeof file === 'string' ? await this.stateOf(file) : file.state;
      this.deps.attribution.restored(path, { at, state });
    });
  }

  /** Called when a tool call that can run commands, or a terminal of the agent, is opened or closed. */
  agentRuns(toolCallId: string, isOpen: boolean): void {
    this.turn?.authors.agentRuns(toolCallId, isOpen, this.deps.now());
  }

  /** Returns the texts of a file in the running turn, for display alone; undefined when none are known. @param path real */
  running(path: string): RunningTexts | undefined {
    return this.turn && runningTexts(this.turn, path);
  }

  private async drain(): Promise<void> {
    this.draining = true;
    while (this.pathQueue.length > 0) {
      const resolve = once(this.deps.resolver());
      await inPool(this.pathQueue.splice(0, PATHS_AT_ONCE), PATHS_IN_PARALLEL, async ({ turn, change, done }) => {
        // The copy is not awaited: the next file may change meanwhile.
        const path = await this.place(turn, change, resolve).catch(() => undefined);
        void Promise.resolve(path !== undefined && turn.announced.get(path)).then(done, done);
      });
    }
    this.draining = false;
  }

  private naming(turn: Turn, work: Promise<void>): Promise<void> {
    const named = work.catch(() => undefined);
    turn.naming.add(named);
    return named.finally(() => turn.naming.delete(named));
  }

  /** The id of the turn that runs, or that has ended and is not recorded yet. */
  get unrecordedTurn(): string | undefined {
    return this.unrecorded?.turnId;
  }

  /** Resolves when the copies of the running turn are taken. */
  async copied(): Promise<void> {
    await this.turn?.snapshots;
  }

  /** Resolves to the file changes of the turn; to undefined when no such turn runs. Never rejects because of a file, git or the store. */
  async turnEnded(turnId: string): Promise<RecordedTurn | undefined> {
    const { turn, deps } = this;
    if (turn?.turnId !== turnId) {
      return undefined;
    }
    this.turn = undefined;
    const to = deps.now();
    turn.ended(to);
    await Promise.all(turn.naming);
    const { files, steps, inodes } = await this.found(turn, to);
    if (files.length > 0) {
      await deps.log
        .append({ type: 'turn', turnId, at: to, files: withInodes(files, inodes) })
        .catch((error: unknown) => turn.troubles.push({ kind: 'store', detail: String(error) }));
    }
    this.unrecorded = this.unrecorded === turn ? undefined : this.unrecorded;
    await deps.baseline?.remove(turnId);
    this.report(turn);
    return { turnId, files, named: turn.named, steps };
  }

  private async found(turn: Turn, to: number): Promise<FoundRecords> {
    const snapshots = await turn.snapshots;
    try {
      return await new TurnRecords(this.deps, turn, snapshots, to).find();
    } catch (error) {
      turn.troubles.push({ kind: 'files', detail: String(error) });
      return { files: [], steps: new Map(), inodes: new Map() };
    } finally {
      this.deps.states.forgetContents();
      turn.troubles.push(...snapshots.flatMap(({ troubles }) => troubles));
    }
  }

  private report({ troubles }: Turn): void {
    const failure = this.deps.states.takeStoreFailure();
    const all: readonly Trouble[] = failure === undefined ? troubles : [...troubles, { kind: 'store', detail: failure }];
    const byKind = new Map([...all].reverse().map((trouble) => [trouble.kind, trouble]));
    byKind.forEach((trouble) => this.deps.onTrouble?.(trouble));
  }

  private async name(turn: Turn, change: AnnouncedChange, resolve: ResolvePath): Promise<void> {
    const path = await this.place(turn, change, resolve);
    await (path !== undefined && turn.announced.get(path));
    await (path !== undefined && change.writes !== undefined && this.baseline.storeWrite(turn, path, change.writes));
  }

  /** Resolves to the real path of a file whose copy has begun; to undefined for one outside of the session. */
  private async place(
    turn: Turn,
    { path: named, reported, isDeleted, movedFrom }: AnnouncedChange,
    resolve: ResolvePath,
  ): Promise<string | undefined> {
    const { deps } = this;
    const at = deps.now();
    // The copies of an earlier window have priority.
    await (turn.isContinued && turn.snapshots);
    const path = await resolve(named);
    if (path === undefined) {
      return undefined;
    }
    turn.named.set(named, path);
    deps.attribution.touched(deps.sessionKey, path, at);
    // A link may have replaced the file whose earlier text is reported.
    if (reported && !(await isLinkName(deps.states.files, named, path))) {
      turn.reports.change(path, reported);
    }
    const from = movedFrom === undefined ? undefined : await resolve(movedFrom);
    void (isDeleted && turn.reports.deleted.add(path));
    void (from !== undefined && turn.reports.movedFrom.set(path, from));
    if (!turn.announced.has(path) && !isInGitFolder(path)) {
      turn.announced.set(path, this.announced(turn, path));
      void this.baseline.storeAnnounced(turn, path);
    }
    return path;
  }

  private async announced({ moment, roots }: Turn, path: string): Promise<Announced> {
    const { states, now } = this.deps;
    const at = now();
    if (await new OwnFolders(states.files, roots).isBehindLink(path)) {
      return { at, state: unknown('late'), present: { kind: 'none' }, stat: undefined };
    }
    const { state, stat } = await states.copyOf(path, moment);
    const present = state.kind === 'unknown' && state.reason === 'late' ? (await states.of(path, false)).state : state;
    return { at, state, present, stat };
  }

  private async stateOf(path: string): Promise<FileState> {
    return (await this.deps.states.of(path, false)).state;
  }

  private remember(path: string, text: string, isDirty: boolean): void {
    this.documents.delete(path);
    this.documents.set(path, { text, isDirty });
    if (this.documents.size > MAX_DOCUMENTS) {
      this.documents.delete(this.documents.keys().next().value!);
    }
  }
}

/** Caches results, because agents name a file again with each status of a call. */
function once(resolve: ResolvePath): ResolvePath {
  const known = new Map<string, Promise<string | undefined>>();
  return (path) => {
    const resolved = known.get(path) ?? resolve(path);
    known.set(path, resolved);
    return resolved;
  };
}
