/** Reads the facts that an undo needs about a file: where its path leads, and its state on disk, in the store and in the editor. */
import path from 'node:path';
import { type ChangeRecord, type FileState, statesAfter } from '../../core/fileChanges/records';
import type { Clock } from '../../core/platform/clock';
import type { Review, ReviewFile } from '../review/review';
import type { ObjectStore } from '../store/objectStore';
import type { FileStates } from '../turns/fileStates';
import { OwnFilesReader } from '../turns/ownFiles';
import type { FileStat } from '../disk/fileStat';
import type { UndoFacts } from './undoPlan';
import type { TextCodec, UndoEditor } from './undoDependencies';

export interface UndoFactDependencies {
  readonly review: Review;
  readonly states: FileStates;
  readonly store: ObjectStore;
  readonly editor: Pick<UndoEditor, 'look'>;
  readonly codec: Pick<TextCodec, 'decode'>;
  readonly clock: Clock;
  /** Returns the real path if the session may use it; otherwise undefined. */
  resolve(path: string): Promise<string | undefined>;
  /** Returns the session's records. */
  records(): Promise<readonly ChangeRecord[]>;
  /** True while the session's agent works. */
  isWorking(): boolean;
}

/** The most ms that a clean document may take to show the content on disk. */
const RELOAD_MS = 3000;
const RELOAD_STEP_MS = 50;
const NOT_READ: FileState = { kind: 'unknown', reason: 'unreadable' };

export class UndoFactReader {
  /** @param places cached results for folders */
  constructor(
    private readonly deps: UndoFactDependencies,
    private readonly places?: Map<string, Promise<string | undefined>>,
    private readonly own = new OwnFilesReader(() => deps.records()),
  ) {}

  /** Returns a reader for many files in the same folders, which caches its results about folders. */
  remembering(): UndoFactReader {
    return new UndoFactReader(this.deps, new Map(), this.own);
  }

  /** Reads the disk and the editor. Waits until a clean document shows the content on disk. */
  async of(file: ReviewFile): Promise<UndoFacts> {
    const { deps } = this;
    const { path: real, oldPath, before } = file;
    const inPlace = await this.isInPlace(real);
    const isStored = before.kind === 'file' && (await deps.store.verify(before.hash));
    const after = file.after.kind === 'unknown' ? statesAfter(await deps.records()).get(real) : file.after;
    if (!inPlace) {
      return { inPlace, now: NOT_READ, after, isStored, editor: (await deps.editor.look(real)).state };
    }
    let { state: now, stat } = await deps.states.of(real, true);
    let look = await deps.editor.look(real);
    if (now.kind === 'none') {
      await deps.review.checkExistence(real);
    }
    let diskText = file.hunks && (await this.textOf(real, now));
    if (file.hunks && diskText !== undefined && diskText !== file.hunks.text && !deps.isWorking() && look.state === 'closed') {
      await deps.review.fileChanged(real);
    }
    const isBehind = (): boolean => file.hunks !== undefined && look.state === 'clean' && look.text !== file.hunks.text;
    for (let waited = 0; isBehind() && waited < RELOAD_MS; waited += RELOAD_STEP_MS) {
      await new Promise<void>((resolve) => void deps.clock.after(RELOAD_STEP_MS, resolve));
      look = await deps.editor.look(real);
      ({ state: now, stat } = await deps.states.of(real, true));
      diskText = await this.textOf(real, now);
    }
    return {
      inPlace,
      now,
      names: stat?.nlink,
      inode: stat?.ino,
      isOther: await this.isOther(real, stat),
      diskText,
      after,
      isStored,
      beforeText: file.hunks && isStored ? await this.textOf(real, before) : undefined,
      editor: look.state,
      ...(deps.isWorking() && look.state !== 'clean' && { isRunning: true }),
      documentText: look.text,
      ...(oldPath !== undefined && {
        oldInPlace: await this.isInPlace(oldPath),
        atOldPath: await this.atOldPath(oldPath),
      }),
    };
  }

  /** True where another file was moved to the path of the one that the session left. @param stat of the file at the path */
  async isOther(real: string, stat: FileStat | undefined): Promise<boolean> {
    return (await this.own.read()).hasOther(real, stat, this.deps.states);
  }

  /** Returns the state at the old path of a moved file. A document there may have the only copy of text that the user has typed. */
  private async atOldPath(oldPath: string): Promise<FileState> {
    const { state } = await this.deps.editor.look(oldPath);
    const isTyped = state === 'unsaved' || state === 'unsavedOther';
    return !isTyped && (await this.isInPlace(oldPath)) ? (await this.deps.states.of(oldPath, false)).state : NOT_READ;
  }

  /** True for a path whose folders are real, in the session's folders and not in a `.git`. The file itself may be a link. */
  async isInPlace(real: string): Promise<boolean> {
    const folder = path.dirname(real);
    const place = this.places?.get(folder) ?? this.deps.resolve(folder);
    this.places?.set(folder, place);
    return !real.split(path.sep).includes('.git') && (await place) === folder;
  }

  /** Returns the text of a state, as the editor reads it; undefined where it has none. */
  async textOf(real: string, state: FileState): Promise<string | undefined> {
    const bytes = state.kind === 'file' ? await this.bytesOf(real, state) : undefined;
    return bytes && this.deps.codec.decode(real, bytes);
  }

  /** Returns the bytes of a state, from the store, or from the file while it has them. */
  async bytesOf(real: string, state: FileState & { readonly kind: 'file' }): Promise<Uint8Array | undefined> {
    const { store, states } = this.deps;
    return (await store.get(state.hash)) ?? states.files.read(real, states.limits.fileBytes);
  }
}
