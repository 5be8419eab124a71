/** One session with its recorder, review and restore, wired to fake documents as `src/workbench/changes` wires them to VS Code's. */
import path from 'node:path';
import { diskFiles } from '../../../../src/changes/disk/diskFiles';
import { modeFor } from '../../../../src/changes/disk/inPlace';
import type { WriteOptions } from '../../../../src/changes/disk/wholeWrite';
import { readingGit } from '../../../../src/changes/disk/git';
import { FileTransaction } from '../../../../src/changes/fileTransaction';
import { Restore, type RestoreFile, type RestorePlan } from '../../../../src/changes/restore';
import { ChangeReport } from '../../../../src/changes/review/changeReport';
import { textChanges } from '../../../../src/changes/hunks/lineEdits';
import { Review } from '../../../../src/changes/review/review';
import { ChangeLog } from '../../../../src/changes/store/changeLog';
import { DiskStoreFolder } from '../../../../src/changes/store/diskStoreFolder';
import { ObjectStore } from '../../../../src/changes/store/objectStore';
import { Attribution } from '../../../../src/changes/turns/attribution';
import { ChangeRecorder } from '../../../../src/changes/turns/changeRecorder';
import { DEFAULT_CHANGE_LIMITS, DEFAULT_STORE_BYTES, FileStates } from '../../../../src/changes/turns/fileStates';
import { Undo } from '../../../../src/changes/undo/undo';
import type { TextEdit } from '../../../../src/core/fileChanges/hunks';
import type { FileState } from '../../../../src/core/fileChanges/records';
import { Git } from '../../../../src/util/git';
import { RootCheck } from '../../../../src/util/roots';
import { Documents, textIn } from './documents';
import { linesBy, textOf } from './lines';
import { ModelEditor } from './modelEditor';
import { ModelFollower, type Observer } from './modelFollower';
import type { World } from './world';
import { FILE_BYTES, PLAIN_FILE_BYTES } from './worldKinds';

/** The user's choice, and the result of an undo or a restore. */
export interface Outcome {
  /** Absolute paths that a question named and the user chose. */
  readonly chosen: readonly string[];
  /** Absolute paths that were requested but not written. */
  readonly left: readonly string[];
  /** True when something was written that an undo of the restore can revert. */
  readonly canUndo?: boolean;
  /** Earlier lines of other files that an undo can still bring back. */
  readonly pending?: ReadonlySet<string>;
}

const git = readingGit(new Git());
/** A clock without delays: everything is written at once. */
const clock = { now: Date.now, after: (_ms: number, _run: () => void) => ({ dispose: () => undefined }) };
/** Every file may be reported. */
const ALL_TEXTS = { maySend: () => true, refresh: () => undefined, onDidChange: () => ({ dispose: () => undefined }) };
/** A clock with short waits: documents are read again before an undo begins. */
const shortClock = {
  now: Date.now,
  after: (_ms: number, run: () => void) => {
    const timer = setTimeout(run, 1);
    return { dispose: () => clearTimeout(timer) };
  },
};
let ids = 0;
const mintId = (): string => `id-${ids++}`;

export class ModelSession {
  readonly documents: Documents;
  readonly recorder: ChangeRecorder;
  readonly review: Review;
  readonly restore: Restore;
  readonly undo: Undo;
  turnId: string | undefined;
  readonly turns: string[] = [];
  private readonly restores: string[] = [];
  /** The newer versions that undos have replaced. */
  private replaced: { readonly path: string; readonly to: FileState }[] = [];
  private readonly folder: DiskStoreFolder;
  private readonly store: ObjectStore;
  private readonly report: ChangeReport;
  private readonly editor: ModelEditor;
  private readonly follower: ModelFollower;
  /** Paths that a restore writes. */
  private readonly restoring = new Set<string>();
  private readonly resolve: (file: string) => Promise<string | undefined>;

  constructor(readonly world: World) {
    const folder = (this.folder = new DiskStoreFolder(path.join(world.storage, 'session')));
    const store = (this.store = new ObjectStore(folder, DEFAULT_STORE_BYTES));
    const log = new ChangeLog(folder);
    const limits = { ...DEFAULT_CHANGE_LIMITS, fileBytes: FILE_BYTES, plainFileBytes: PLAIN_FILE_BYTES };
    const states = new FileStates(diskFiles, store, limits, Date.now);
    const check = new RootCheck({ cwd: world.root, additionalDirectories: [] });
    const resolve = (this.resolve = (file: string): Promise<string | undefined> => check.resolve(file).catch(() => undefined));
    this.recorder = new ChangeRecorder({
      sessionKey: 'session',
      roots: () => [world.root],
      resolver: () => resolve,
      states,
      git,
      log,
      attribution: new Attribution(),
      now: Date.now,
      onStaleDocument: (file, bytes) => void this.review.wasOnDisk(file, bytes),
      openTexts: () =>
        this.documents.all.map((document) => {
          const { path: at, text, isDirty } = document;
          return { path: at, isDirty, bytes: async () => Buffer.from(text) };
        }),
    });
    this.review = new Review({
      store,
      folder,
      clock,
      text: (file) => this.presentText(file),
      isMissing: (file) => this.isMissing(file),
      decode: async (_, bytes) => textIn(bytes),
    });
    this.follower = new ModelFollower({
      recorder: this.recorder,
      review: this.review,
      documents: () => this.documents,
      turnId: () => this.turnId,
      isUserWriting: (file) => this.editor.written.has(file) || this.restoring.has(file),
      presentText: (file) => this.presentText(file),
    });
    this.documents = new Documents(this.follower);
    this.restore = new Restore({
      states,
      log,
      contains: async (file) => (await resolve(file)) === file,
      target: {
        write: (file, bytes, mode, options) => this.writeRestored(file, bytes, mode, options),
        link: async (file, target, options) => {
          this.refuseUnsaved(file);
          await diskFiles.link(file, target, options);
        },
        remove: async (file, options) => {
          this.refuseUnsaved(file);
          await diskFiles.remove(file, options);
        },
      },
      now: Date.now,
      mintId,
    });
    const names = { sessionKey: 'session', nameOf: (file: string) => file };
    const report = (this.report = new ChangeReport({
      ...names,
      folder,
      clock,
      access: ALL_TEXTS,
      review: this.review,
      wasSent: () => false,
    }));
    this.editor = new ModelEditor(this.documents);
    this.undo = new Undo({
      ...names,
      review: this.review,
      report,
      states,
      store,
      writer: new FileTransaction({ states, log, contains: async (file) => (await resolve(file)) === file, now: Date.now, mintId }),
      editor: this.editor,
      codec: { decode: async (_, bytes) => textIn(bytes), encode: async (_, text) => Buffer.from(text) },
      clock: shortClock,
      resolve,
      records: () => log.records(),
      isWorking: () => this.turnId !== undefined,
      onWritten: () => undefined,
    });
  }

  /** True when the product learns of the user's actions on files outside editors. */
  get hearsOfUser(): boolean {
    return this.follower.observer.userChanged !== undefined || process.env['ACP_HOST_MODEL_ALL'] !== undefined;
  }

  /** The part of the recorder that follows the user. */
  get observer(): Observer {
    return this.follower.observer;
  }

  turnStarted(): string {
    const turnId = `turn-${this.turns.length}`;
    this.turns.push(turnId);
    this.turnId = turnId;
    this.recorder.turnStarted(turnId, Date.now());
    this.follower.turnStarted();
    return turnId;
  }

  async turnEnded(): Promise<void> {
    const { turnId } = this;
    this.follower.turnEnding();
    this.turnId = undefined;
    const turn = turnId === undefined ? undefined : await this.recorder.turnEnded(turnId);
    if (turn) {
      this.report.written(turn.files.flatMap(({ path: file, oldPath }) => (oldPath === undefined ? [file] : [file, oldPath])));
      await this.follower.beforeRecorded(turn, async ({ before }) => {
        const bytes = before.kind === 'file' ? await this.store.get(before.hash) : undefined;
        return before.kind === 'none' ? '' : bytes && textIn(bytes);
      });
      await this.review.recorded(turn.turnId, turn.files, [], turn.steps);
      this.follower.recorded(turn);
      for (const { path: file } of this.review.files) {
        await this.review.checkExistence(file);
      }
    }
  }

  /** Waits until VS Code would have noticed all changes on the disk. */
  async settle(): Promise<void> {
    this.documents.reload();
    if (this.turnId === undefined) {
      for (const { path: file } of this.review.files) {
        await (this.documents.get(file) ? this.review.checkExistence(file) : this.review.fileChanged(file));
      }
    }
  }

  /** Ends this window, and returns the session of the next one. Unsaved text comes back with the window. */
  async reloaded(late: boolean): Promise<ModelSession> {
    await this.review.flush();
    await this.report.flush();
    await this.dispose();
    const next = new ModelSession(this.world);
    next.turns.push(...this.turns);
    next.restores.push(...this.restores);
    void (late || next.documents.adopt(this.documents.all));
    await next.review.load();
    await next.report.load();
    void (late && next.documents.adopt(this.documents.all));
    return next;
  }

  /** Keeps changes like {@link undoChanges} undoes them. Returns the files that have no other changes. */
  keep(scope: 'all' | 'file' | 'hunk', nth: number): readonly string[] {
    const files = this.review.files.filter((file) => scope !== 'hunk' || (file.hunks?.hunks.length ?? 0) > 0);
    const wanted = scope === 'all' ? files : files.slice(nth % Math.max(1, files.length)).slice(0, 1);
    wanted.forEach(({ path: file, hunks }) =>
      this.review.keep(file, scope === 'hunk' ? [hunks!.hunks[nth % hunks!.hunks.length]!.hunkId] : undefined),
    );
    return scope === 'hunk' ? [] : wanted.map((file) => file.path);
  }

  /** @param nth the index of the file, and of its hunk, modulo their number */
  async undoChanges(scope: 'all' | 'file' | 'hunk', nth: number, choose: boolean): Promise<Outcome | undefined> {
    const files = this.review.files.filter((file) => scope !== 'hunk' || (file.hunks?.hunks.length ?? 0) > 0);
    const wanted = scope === 'all' ? files : files.slice(nth % Math.max(1, files.length)).slice(0, 1);
    if (wanted.length === 0) {
      return undefined;
    }
    const targets = wanted.map((file) => {
      const hunks = file.hunks?.hunks ?? [];
      return scope === 'hunk' ? { file, hunkIds: [hunks[nth % hunks.length]!.hunkId] } : { file };
    });
    const plans = await this.undo.plan(targets);
    const isAsked = (plan: (typeof plans)[number]): boolean => plan.action.type === 'leave' && plan.action.canForce !== undefined;
    const chosen = choose ? plans.filter(isAsked) : [];
    const { left } = await this.undo.perform(plans.map((plan) => (chosen.includes(plan) ? { ...plan, force: true as const } : plan)));
    this.documents.reload();
    this.replaced.push(...chosen.map(({ target, facts }) => ({ path: target.file.path, to: facts.now })));
    // The row of a shared file shows that, and its changes can be undone one by one.
    const named = scope === 'hunk' ? wanted.filter(({ shared }) => shared) : [];
    return {
      chosen: [...named.map((file) => file.path), ...chosen.map(({ target }) => target.file.path)],
      left: left.map((each) => each.path),
      ...(scope !== 'all' && { pending: await this.pendingLines(wanted[0]!.path) }),
    };
  }

  /** Applies all undone changes again. Those that remove lines remove them again. */
  async applyAgain(): Promise<Outcome> {
    const pending = new Set<string>();
    for (const file of this.report.paths) {
      const note = this.report.noteOf(file);
      const hunkIds = note ? [] : this.report.undoneOf(file);
      if (note?.whole === 'undone') {
        await this.undo.applyAgain(note);
      } else if (hunkIds.length > 0) {
        const live = this.review.file(file)?.hunks;
        live?.setAside.forEach(({ oldText }) => linesBy('u', oldText).forEach((line) => pending.add(line)));
        const edits = (): TextEdit[] => hunkIds.flatMap((hunkId) => live?.reapplyEdit(hunkId) ?? []);
        await this.undo.editText(file, () => edits().sort((one, other) => other.start - one.start));
      }
    }
    return { chosen: [], left: [], pending };
  }

  async putBack(): Promise<Outcome> {
    for (const { path: file, to } of this.replaced.splice(0)) {
      await this.undo.putBack(file, to);
    }
    this.documents.reload();
    return { chosen: [], left: [] };
  }

  /** @param nth the index of the turn before which the files are restored */
  async restoreTo(nth: number, choose: boolean): Promise<Outcome | undefined> {
    const turnId = this.turns[nth];
    const plan = turnId === undefined ? undefined : await this.restore.toCheckpoint(turnId);
    return plan && this.perform(plan, choose);
  }

  async undoRestore(choose: boolean): Promise<Outcome | undefined> {
    const restoreId = this.restores.pop();
    const plan = restoreId === undefined ? undefined : await this.restore.undoing(restoreId);
    const outcome = plan && (await this.perform(plan, choose));
    // The next undo is that of the restore before.
    void (outcome?.canUndo && this.restores.pop());
    return outcome;
  }

  async dispose(): Promise<void> {
    this.review.dispose();
    this.report.dispose();
    await this.folder.close();
  }

  private async perform(plan: RestorePlan, choose: boolean): Promise<Outcome> {
    const isNamed = (file: RestoreFile): boolean => isFlagged(file) || this.documents.isUnsaved(file.path);
    const wanted = plan.files.filter((file) => isChange(file) && (choose || !isNamed(file)));
    const chosen = wanted.filter(isNamed).map((file) => file.path);
    const ready: RestoreFile[] = [];
    const unsaved: string[] = [];
    for (const file of wanted) {
      const document = this.documents.get(file.path);
      if (!this.documents.isUnsaved(file.path)) {
        ready.push(file);
      } else if (document && (await this.store.put(Buffer.from(document.text))) !== undefined && this.documents.saveUnlessNewer(document)) {
        ready.push({ ...file, now: await this.restore.stateOf(file.path) });
      } else {
        unsaved.push(file.path);
      }
    }
    const paths = ready.map((file) => file.path);
    paths.forEach((file) => this.restoring.add(file));
    const { restoreId, restored, left } = await this.restore.perform({ ...plan, files: ready }, paths);
    this.documents.reload();
    this.restoring.clear();
    if (restoreId !== undefined) {
      this.restores.push(restoreId);
    }
    for (const file of ready.filter((each) => restored.includes(each.path))) {
      await this.review.restored(file.path, file.now, file.to);
    }
    return { chosen, left: [...unsaved, ...left], canUndo: restoreId !== undefined };
  }

  /** @param undone the file that was undone: its own lines must exist */
  private async pendingLines(undone: string): Promise<ReadonlySet<string>> {
    const lines = new Set<string>();
    for (const { before, path: file } of this.review.files) {
      const bytes = file !== undone && before.kind === 'file' ? await this.store.get(before.hash) : undefined;
      linesBy('u', bytes ? textOf(bytes) : '').forEach((line) => lines.add(line));
    }
    return lines;
  }

  /** Writes like the window's restore writer: through the document when the file is open, and never over unsaved changes. */
  private async writeRestored(file: string, bytes: Uint8Array, mode: number, options?: WriteOptions): Promise<void> {
    this.refuseUnsaved(file);
    const document = this.documents.get(file);
    const text = textIn(bytes);
    const isAt = document && this.documents.isAt(document) && (await diskFiles.stat(file))?.kind === 'file';
    if (!document || text === undefined || !isAt) {
      await diskFiles.write(file, bytes, mode, options);
      return;
    }
    if (text !== document.text) {
      // The same edits as those of the window's restore writer.
      const edits = textChanges(document.text, text).map(({ oldStart, oldText, start, end }) => {
        return { start: oldStart, end: oldStart + oldText.length, text: text.slice(start, end) };
      });
      this.documents.edit(document, edits);
    }
    this.documents.save(document);
    const now = await diskFiles.statAndRead(file, bytes.length);
    if (!now?.bytes || Buffer.compare(now.bytes, bytes) !== 0) {
      const expected = now?.stat ?? (await diskFiles.stat(file)) ?? null;
      await diskFiles.write(file, bytes, mode, { ...options, expected });
    } else if (modeFor(now.stat.mode, mode) !== now.stat.mode) {
      await diskFiles.chmod(file, mode, { expected: now.stat });
    }
  }

  private refuseUnsaved(file: string): void {
    if (this.documents.isUnsaved(file)) {
      throw Object.assign(new Error('Unsaved changes'), { code: 'ECHANGED' });
    }
  }

  /** The text of the document while the review follows its unsaved text, otherwise that of the disk. */
  private async isMissing(file: string): Promise<boolean> {
    const folder = path.dirname(file);
    return (await this.resolve(folder)) === folder && (await diskFiles.stat(file).catch(() => null)) === undefined;
  }

  private async presentText(file: string): Promise<string | undefined> {
    const document = this.documents.get(file);
    const known = this.review.file(file)?.hunks?.text;
    if (document?.isDirty && document.text === known) {
      return known;
    }
    const folder = path.dirname(file);
    const bytes = (await this.resolve(folder)) === folder ? await diskFiles.read(file, FILE_BYTES).catch(() => undefined) : undefined;
    return bytes && textIn(bytes);
  }
}

function isChange({ action }: RestoreFile): boolean {
  return action !== 'none' && action !== 'unavailable';
}

/** True for a file that the preview lists, and that is unchanged unless the user chooses it. */
function isFlagged(file: RestoreFile): boolean {
  const { changedSince, shared, losses } = file as RestoreFile & { readonly shared?: boolean; readonly losses?: unknown };
  return changedSince || shared === true || (losses !== undefined && losses !== false && losses !== 0);
}
