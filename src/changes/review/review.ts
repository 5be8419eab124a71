/**
 * The changes of a session that wait for the user, by file. The review has no editor and writes no user file: the window reports typed and saved
 * texts to it, and applies the edits that it returns. Its state is stored beside the session's earlier versions, and survives a reload.
 */
import { setImmediate } from 'node:timers/promises';
import { EditBatch } from '../../core/fileChanges/editBatch';
import type { TextEdit } from '../../core/fileChanges/hunks';
import { type FileRecord, type FileState, sameState } from '../../core/fileChanges/records';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { type Author, LiveHunks } from '../hunks/liveHunks';
import type { RecordedChanges } from '../hunks/recordedChanges';
import type { ObjectStore } from '../store/objectStore';
import type { StoreFolder } from '../store/storeFolder';
import { earlierVersion, isUnclearReturn, mayMissWrites } from './earlierVersion';
import { DebouncedWriter } from './debouncedWriter';
import { DroppedRows } from './droppedRows';
import { KeptAway, type KeptFile } from './keptAway';
import { canReplay, hasOtherLineEnds, replayInSteps, stepsAfter, type TextStep } from '../hunks/replayTurn';
import { type AcceptedWrite, isCreation, isEmptyCreation, isPending, type ReviewFile, sharedOf } from './reviewFile';
import { ReviewStorage } from './reviewStorage';
import { SortedFiles } from './sortedFiles';

export interface ReviewDependencies {
  readonly store: Pick<ObjectStore, 'get'>;
  readonly folder: Pick<StoreFolder, 'readAll' | 'replace' | 'remove'>;
  readonly clock: Clock;
  /** Returns the file's present text, unsaved changes included; undefined when the file does not exist, or is not text. */
  text(path: string): Promise<string | undefined>;
  /** True when a file or a link exists. When absent, a deleted file never counts as created again. */
  exists?(path: string): Promise<boolean>;
  /** True when it is certain that nothing exists at the path. When absent, a created file waits after it was deleted, too. */
  isMissing?(path: string): Promise<boolean>;
  /** Returns the text of a file's bytes, as the editor reads them; undefined when they are not text. */
  decode(path: string, bytes: Uint8Array): Promise<string | undefined>;
  /** Called for the first failed write after a successful one. The next change is written again. */
  onFailed?(error: unknown): void;
}

export { type AcceptedWrite, isPending, type ReviewFile };

/** ms after which a change is on disk. */
const KEEP_MS = 500;
const AGENT_STEP = { author: 'agent' } as const;
const USER_STEP = { author: 'user' } as const;

export class Review implements Disposable {
  private readonly byPath = new SortedFiles();
  private readonly listeners = new Set<() => void>();
  private readonly storage: ReviewStorage;
  private readonly writer: DebouncedWriter;
  private readonly dropped = new DroppedRows();
  private readonly keptAway = new KeptAway();
  /** By path, while a document has unsaved text that the hunks follow: the hunks of the text on disk. */
  private readonly onDisk = new Map<string, LiveHunks>();
  private disposed = false;

  constructor(private readonly deps: ReviewDependencies) {
    this.storage = new ReviewStorage(deps);
    this.writer = new DebouncedWriter(
      deps.clock,
      KEEP_MS,
      () => this.storage.write(this.files, this.dropped.rows, this.keptAway.files),
      (error) => deps.onFailed?.(error),
    );
  }

  /** The files in the order of their paths. */
  get files(): readonly ReviewFile[] {
    return this.byPath.sorted;
  }

  file(path: string): ReviewFile | undefined {
    return this.byPath.get(path);
  }

  /** Deletions that the user has kept: the content may be in a file that still waits. */
  get awayFiles(): readonly KeptFile[] {
    return this.keptAway.files;
  }

  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Restores the review of the last window. Files that were written meanwhile count as written by another program. */
  async load(): Promise<void> {
    for await (const { file, from } of this.storage.load()) {
      void (from ? this.dropped.add({ file, from }) : this.byPath.set(file.path, file));
      await this.fileChanged(file.path);
      await setImmediate();
    }
    (await this.storage.keptAway()).forEach((file) => this.keptAway.add(file));
    this.changed();
  }

  /**
   * Adds the changes of a turn that has ended, or of its beginning. Pauses between files.
   * @param accepted writes of the turn that the user has reviewed already, in order: they do not wait
   * @param steps by real path: the texts of a file in the turn, as the editor saw them, oldest first. They separate the user's edits from the agent's
   */
  async recorded(
    turnId: string,
    files: readonly FileRecord[],
    accepted: readonly AcceptedWrite[] = [],
    steps: ReadonlyMap<string, readonly TextStep[]> = new Map(),
  ): Promise<void> {
    for (const record of files.flatMap((each) => this.partsOf(each))) {
      const writes = accepted.filter(({ path }) => path === record.path);
      const written = writes.flatMap(({ proposed, text }): TextStep[] => [
        { ...AGENT_STEP, text: proposed },
        { ...USER_STEP, text },
      ]);
      await this.add(turnId, record, steps.get(record.path) ?? written);
      await setImmediate();
      for (const { text } of writes) {
        this.byPath.get(record.path)?.hunks?.keepCommitted(text);
        await setImmediate();
      }
    }
    this.changed();
  }

  /** The open document of a file has changed. Each edit refers to the text that the edit before it left. */
  documentChanged(path: string, edits: readonly TextEdit[], author: Author): void {
    this.follow(path, (hunks) => hunks.edit(edits, author));
  }

  /**
   * Like {@link documentChanged}, for a document that is reloaded after the file was read. The known text may be older or newer than the text before
   * the edits. @param text of the document now
   */
  documentIs(path: string, text: string, edits: readonly TextEdit[], author: Author): void {
    if (this.byPath.get(path)?.hunks?.text === text) {
      return;
    }
    this.follow(path, (hunks) => {
      const batch = EditBatch.ofSequence(edits);
      const isKnown = (batch?.edits.at(-1)?.end ?? 0) <= hunks.text.length && batch?.applyTo(hunks.text) === text;
      return isKnown ? hunks.edit(edits, author) : hunks.replace(text, author);
    });
  }

  /** A file had these bytes before the turn, and its document shows an older text. The later reload of the document is then no news. */
  async wasOnDisk(path: string, bytes: Uint8Array): Promise<void> {
    const text = this.byPath.get(path)?.hunks && (await this.deps.decode(path, bytes));
    if (text !== undefined) {
      this.documentIs(path, text, [], { type: 'external' });
    }
  }

  /** The user begins to write into a document that equals the file on disk. The disk has the undone changes until the document is saved. */
  typingBegins(path: string): void {
    const hunks = this.byPath.get(path)?.hunks;
    void (hunks && this.onDisk.set(path, hunks.copy()));
  }

  /** The text that the file had on disk when the hunks began to follow unsaved text; undefined where they do not. */
  textOnDisk(path: string): string | undefined {
    return this.byPath.get(path)?.hunks && this.onDisk.get(path)?.text;
  }

  /** The document of a file was saved. */
  typingSaved(path: string): void {
    this.onDisk.delete(path);
  }

  /** The unsaved text of a document is gone, or the agent wrote the file behind it: the changes wait again that are undone only in that text. */
  typingGone(path: string): void {
    const earlier = this.onDisk.get(path);
    this.onDisk.delete(path);
    void (earlier && this.follow(path, (hunks) => (hunks.returnTo(earlier), true)));
  }

  /** The user saved the document of a file, or had typed into it before the hunks began. Where it is not their text, it replaced the agent's. */
  savedByUser(path: string, text: string): void {
    if (this.byPath.get(path)?.hunks && this.byPath.get(path)!.hunks!.text !== text) {
      this.follow(path, (hunks) => hunks.savedOver(text));
    }
  }

  /** Our own undo has written the file, or another command on the user's behalf: `after` is its state now. */
  settle(path: string, after: FileState): void {
    const file = this.byPath.get(path);
    if (file) {
      this.byPath.set(path, { ...file, after });
      this.changed();
    }
  }

  /** Removes a file that is as before. @param from the state that an undo or a restore has replaced: see {@link DroppedRow} */
  drop(path: string, from?: FileState): void {
    const file = this.byPath.get(path);
    void (file && from && this.dropped.add({ file, from }));
    if (this.byPath.delete(path)) {
      this.changed();
    }
  }

  /** A file without an open document was written by another program, such as a checkout. See also {@link checkExistence}. */
  async fileChanged(path: string): Promise<void> {
    await this.checkExistence(path);
    const file = this.byPath.get(path);
    if (file?.isDeleted || file?.isGone) {
      return;
    }
    const text = this.byPath.get(path)?.hunks && (await this.deps.text(path));
    if (text !== undefined) {
      this.follow(path, (hunks) => hunks.replace(text, { type: 'external' }));
    }
  }

  /** Returns the row of a file as it is now, for {@link restored}. */
  rowOf(path: string): ReviewFile | undefined {
    const file = this.byPath.get(path);
    return file?.hunks ? { ...file, hunks: file.hunks.copy() } : file;
  }

  /**
   * Called when a restore, or the reversal of a restore or an undo, has replaced `from` with `to`. Its rows come back.
   * @param row the row before the write. The reversal brings it back
   * @returns true when a row has come back
   */
  async restored(path: string, from: FileState, to: FileState, row?: ReviewFile): Promise<boolean> {
    const isBack = this.dropped.fits(path, to);
    if (isBack) {
      this.byPath.delete(path);
      await this.bringBack(path, this.dropped.take(path, to));
      this.changed();
    } else {
      await this.follows(path, from, to);
    }
    void (row && this.dropped.add({ file: row, from }));
    return isBack;
  }

  private async follows(path: string, from: FileState, to: FileState): Promise<void> {
    if (this.byPath.get(path)?.hunks && to.kind === 'file') {
      await this.fileChanged(path);
    }
    const file = this.byPath.get(path);
    if (file && sameState(file.before, to) && (to.kind !== 'file' || isPending(file))) {
      this.drop(path, from);
    } else if (!file) {
      this.dropped.forget(path);
    }
  }

  /** Adds the agent's changes that a restore has brought back. @param after the restored state */
  bringBackChanges(path: string, after: FileState, { hunks, shared, turns, ...recorded }: RecordedChanges): void {
    const known = this.byPath.get(path);
    if (known && (!hunks || known.hunks?.text !== hunks.text)) {
      return;
    }
    const followed = known?.hunks ?? (hunks && LiveHunks.of(hunks.text));
    followed?.bringBack(hunks!.hunks);
    this.byPath.set(path, {
      ...(known ?? { path, ...recorded }),
      after,
      isDeleted: after.kind === 'none',
      turns: [...new Set([...(known?.turns ?? []), ...turns])],
      ...(shared && { shared }),
      ...(followed && { hunks: followed }),
    });
    this.changed();
  }

  /** Removes the rows that the reversal of a restore or an undo would bring back. */
  forgetDropped(): void {
    this.dropped.clear();
    this.changed();
  }

  /** A commit has this text of the file. It keeps the hunks that the text contains, and a new file that is empty in both. */
  committed(path: string, text: string): void {
    const file = this.byPath.get(path);
    if (text === '' && file && isEmptyCreation(file)) {
      this.keep(path);
      return;
    }
    file?.hunks?.keepCommitted(text);
    this.onDisk.get(path)?.keepCommitted(text);
    this.changed();
  }

  /** Keeps hunks. @param hunkIds all when absent; the file then waits no longer */
  keep(path: string, hunkIds?: readonly number[]): void {
    const hunks = this.byPath.get(path)?.hunks;
    const ids = hunkIds ?? hunks?.hunks.map(({ hunkId }) => hunkId) ?? [];
    hunks?.keep(ids);
    this.onDisk.get(path)?.keep(ids);
    const file = this.byPath.get(path);
    if (file && !hunkIds) {
      this.keptAway.keep(file);
      this.byPath.delete(path);
      if (hunks && hunks.setAside.length > 0) {
        const { oldPath: _, shared: __, sharedWith: ___, ...kept } = file;
        this.byPath.set(path, kept);
      }
    }
    this.changed();
  }

  /** Returns the edits that undo hunks, for the editor to apply in this order. @param hunkIds all when absent */
  undoEdits(path: string, hunkIds?: readonly number[]): readonly TextEdit[] {
    const hunks = this.byPath.get(path)?.hunks;
    return hunks?.undoEdits(hunkIds ?? hunks.hunks.map(({ hunkId }) => hunkId)) ?? [];
  }

  setReviewed(path: string, hunkIds: readonly number[], reviewed: boolean): void {
    this.byPath.get(path)?.hunks?.setReviewed(hunkIds, reviewed);
    this.onDisk.get(path)?.setReviewed(hunkIds, reviewed);
    this.changed();
  }

  /** Hashes of the objects in the store without which a pending file could not be undone as a whole, or would be without care for a kept deletion. */
  get objects(): ReadonlySet<string> {
    return new Set(
      [...this.files.filter(isPending), ...this.awayFiles].flatMap(({ before }) => (before.kind === 'file' ? before.hash : [])),
    );
  }

  /** Resolves when all changes are on disk. */
  async flush(): Promise<void> {
    await this.writer.flush();
  }

  dispose(): void {
    this.disposed = true;
    this.writer.dispose();
    this.listeners.clear();
  }

  private async bringBack(path: string, file: ReviewFile | undefined): Promise<void> {
    const isSure = file?.hunks ? (await this.deps.text(path)) === file.hunks.text : file?.after.kind !== 'unknown';
    if (file && !this.byPath.has(path)) {
      // Another author may have written the file since.
      this.byPath.set(path, isSure ? file : { ...file, shared: true });
      await this.fileChanged(path);
    }
  }

  /** A deleted file may exist again. A created one may be gone, and may return. */
  async checkExistence(path: string): Promise<void> {
    const known = this.byPath.get(path);
    if (known?.isDeleted) {
      await this.checkDeleted(path);
    } else if (known && isCreation(known)) {
      const { isMissing } = this.deps;
      // The user's unsaved document may have the only text.
      const isGone = (await isMissing?.(path)) === true && (!known.hunks || (await this.deps.text(path)) === undefined);
      const file = this.byPath.get(path);
      if (file && isCreation(file) && isGone !== (file.isGone === true)) {
        const { isGone: _, ...created } = file;
        this.byPath.set(path, { ...created, ...(isGone && { isGone }) });
        this.changed();
      }
    }
  }

  private async checkDeleted(path: string): Promise<void> {
    const exists = (await this.deps.exists?.(path)) === true;
    const file = this.byPath.get(path);
    if (file?.isDeleted && exists !== (file.isBack === true)) {
      const { isBack: _, ...deleted } = file;
      this.byPath.set(path, { ...deleted, ...(exists && { isBack: true }) });
      this.changed();
    }
  }

  private async add(turnId: string, record: FileRecord, steps: readonly TextStep[]): Promise<void> {
    const { path, oldPath, before, after, binary } = record;
    const isText = !binary && after.kind !== 'link' && after.kind !== 'none';
    const earlier = this.knownOf(record);
    const hasHunks = isText && earlier?.hunks !== undefined;
    const textOf = (state: FileState): Promise<string | undefined> => this.textOf(path, state);
    const version = !earlier || (hasHunks && earlier.hunks!.hunks.length > 0) ? undefined : await earlierVersion(earlier, before, textOf);
    const isBegun = !isText || hasHunks || earlier?.isLarge;
    const begun = isBegun ? undefined : await this.begin(path, version && version.kind !== 'unknown' ? version : before);
    const isUnclear = !canReplay(steps);
    const isMixed =
      (hasHunks && mayMissWrites(earlier, before, await this.deps.text(path))) ||
      (earlier !== undefined && isUnclearReturn(earlier, before));
    const start = isText && before.kind === 'file' ? await textOf(before) : undefined;
    const put = (replayed?: LiveHunks | 'too many'): void => {
      // The user may have kept or changed it meanwhile.
      const known = this.knownOf(record);
      if (oldPath !== undefined) {
        this.byPath.delete(oldPath);
      }
      this.dropped.forget(path, oldPath);
      const from = known?.oldPath ?? oldPath;
      const isLarge = known?.isLarge || replayed === 'too many';
      // Hunks do not show changed line ends, so the file is reviewed as a whole when nothing else has changed.
      const isLineEnds = replayed instanceof LiveHunks && steps.length === 0 && hasOtherLineEnds(replayed, start);
      const hasFollowed = hasHunks && !isLineEnds && (replayed instanceof LiveHunks || sameState(known?.after ?? before, before));
      this.byPath.set(path, {
        path,
        ...(from !== undefined && from !== path && { oldPath: from }),
        before: known ? (hasFollowed ? known.before : (version ?? before)) : before,
        after,
        isDeleted: after.kind === 'none',
        turns: [...new Set([...(known?.turns ?? []), turnId])],
        ...((known?.relinked || record.relinked) && { relinked: true }),
        ...sharedOf(known, record, isUnclear, isMixed),
        ...(isLarge ? { isLarge } : replayed instanceof LiveHunks && !isLineEnds && { hunks: replayed }),
      });
    };
    if (!isText) {
      put();
      return;
    }
    await this.replay(path, turnId, () => this.knownOf(record)?.hunks ?? begun, isUnclear ? [] : steps, put, start);
  }

  /** Splits a move to a path that has a row already into a deletion and a change, because one row cannot bring both earlier files back. */
  private partsOf(record: FileRecord): readonly FileRecord[] {
    const { oldPath, ...moved } = record;
    if (oldPath === undefined || !this.byPath.has(record.path)) {
      return [record];
    }
    const none: FileState = { kind: 'none' };
    const shared = sharedOf(undefined, record, false, false);
    return [
      { path: oldPath, before: record.before, after: none, ...shared },
      { ...moved, before: none },
    ];
  }

  private knownOf({ path, oldPath }: FileRecord): ReviewFile | undefined {
    return this.byPath.get(path) ?? (oldPath === undefined ? undefined : this.byPath.get(oldPath));
  }

  /**
   * Replays a turn in a copy of the hunks, with pauses between the steps. When the user changes the hunks in one, it starts again without pauses.
   * @param start the text before the turn: the hunks may have missed what another program wrote until then
   */
  private async replay(
    path: string,
    turnId: string,
    present: () => LiveHunks | undefined,
    steps: readonly TextStep[],
    put: (replayed?: LiveHunks | 'too many') => void,
    start?: string,
  ): Promise<void> {
    for (let canPause = steps.length > 0; ; canPause = false) {
      const text = await this.deps.text(path);
      const original = present();
      if (!original || text === undefined) {
        return put();
      }
      const hunks = canPause ? original.copy() : original;
      const { text: before, hunks: pending, setAside } = original;
      const isFollowed = pending.some(({ by }) => by.includes(turnId));
      const hasMissed = start !== undefined && start !== before && !isFollowed;
      const all = hasMissed ? [{ author: 'external', text: start } as const, ...steps] : isFollowed ? stepsAfter(steps, before) : steps;
      // Open documents have notified the hunks of the turn already.
      const replay = replayInSteps(hunks, turnId, before === text ? [] : all, text);
      let step = replay.next();
      while (!step.done) {
        if (canPause) {
          await setImmediate();
        }
        step = replay.next();
      }
      const isSame = present() === original && original.text === before && original.hunks === pending && original.setAside === setAside;
      if (!canPause || isSame) {
        return put(step.value ? hunks : 'too many');
      }
    }
  }

  /** Applies an edit to the hunks of a file. If they cannot follow, the file can only be reviewed as a whole from then on. */
  private follow(path: string, edit: (hunks: LiveHunks) => boolean): void {
    const file = this.byPath.get(path);
    if (!file?.hunks) {
      return;
    }
    if (!edit(file.hunks)) {
      const { hunks: _, ...whole } = file;
      this.byPath.set(path, { ...whole, isLarge: true });
    }
    this.changed();
  }

  /** Returns undefined when no earlier text is known. */
  private async begin(path: string, before: FileState): Promise<LiveHunks | undefined> {
    const text = await this.textOf(path, before);
    return text === undefined ? undefined : LiveHunks.of(text);
  }

  /** Returns the text of a state, empty where there was no file; undefined where it is not known. */
  async textOf(path: string, state: FileState): Promise<string | undefined> {
    if (state.kind === 'none') {
      return '';
    }
    const bytes = state.kind === 'file' ? await this.deps.store.get(state.hash) : undefined;
    return bytes && this.deps.decode(path, bytes);
  }

  private changed(): void {
    if (this.disposed) {
      return;
    }
    // A dropped row may come back.
    if (this.byPath.sorted.length === 0 && this.dropped.rows.length === 0) {
      this.keptAway.clear();
    }
    this.listeners.forEach((listener) => listener());
    this.writer.changed();
  }
}
