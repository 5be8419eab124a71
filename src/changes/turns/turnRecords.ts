/** Computes the records of an ended turn: each changed file with its earlier state, its author and its counts. */
import { type ChangeRecord, type FileRecord, type FileState, sameState, THE_USER, UNSEEN } from '../../core/fileChanges/records';
import { inPool } from '../../util/pool';
import { isBelow } from '../disk/git';
import type { FileStat } from '../disk/fileStat';
import { addTo, Pace } from '../disk/pace';
import type { ChangeLog } from '../store/changeLog';
import type { Attribution } from './attribution';
import { type ChangedState, Creations, INODE_BITS, inodeTest, type Origin, unrestorablePaths, withMoves, withOrigins } from './creations';
import { type FileStates, isLate, isSameStat, isUnknown, keptOr, type PresentFile, slackOf, unknown } from './fileStates';
import { lostFiles, newLineBytes, withLostContents } from './lostFiles';
import { MovedFiles } from './movedFiles';
import { withOtherFiles } from './ownFiles';
import { isInGitFolder, OwnFolders } from './ownFolders';
import type { BroughtFiles, EarlierFile, FilesSnapshot } from './filesSnapshot';
import { countedRecords } from './recordCounts';
import { textBefore, textOf } from './textBefore';
import type { Announced, Turn } from './turn';
import type { ChangedByTurn } from './turnAuthors';
import type { TextStep } from '../hunks/replayTurn';

/** Files that are read at the same time. Many, because the store writes the objects that arrive together at once. */
const MAX_PARALLEL = 64;
/** The most bytes of contents that stay in memory until they are counted. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;

export interface TurnRecordsDependencies {
  readonly sessionKey: string;
  readonly states: FileStates;
  readonly attribution: Attribution;
  readonly log: Pick<ChangeLog, 'records'>;
}

export interface FoundRecords {
  readonly files: readonly FileRecord[];
  readonly steps: ReadonlyMap<string, readonly TextStep[]>;
  /** The inodes of the files that the turn left, by path. */
  readonly inodes: ReadonlyMap<string, number>;
}

type StatesOfOthers = Pick<ChangedByTurn, 'stateBefore' | 'stateAfter'>;

interface Found extends ChangedState {
  readonly announced: Announced | undefined;
}

const NOTHING: PresentFile = { state: { kind: 'none' }, stat: undefined, binary: false };

export class TurnRecords {
  private readonly folders: OwnFolders;
  private readonly unchanged = new MovedFiles();
  /** The contents that were read, by hash, for the counts. */
  private readonly contents = new Map<string, Uint8Array>();
  private contentBytes = 0;
  /** Files whose document may have shown an older text than the disk: the user or the agent wrote the difference. */
  private readonly unclear = new Set<string>();
  private readonly moves = new Map<string, string>();
  private readonly steps = new Map<string, readonly TextStep[]>();

  /** @param to the end of the turn, in ms since the epoch */
  constructor(
    private readonly deps: TurnRecordsDependencies,
    private readonly turn: Turn,
    private readonly snapshots: readonly FilesSnapshot[],
    private readonly to: number,
  ) {
    this.folders = new OwnFolders(deps.states.files, turn.roots);
  }

  async find(): Promise<FoundRecords> {
    const paths = await this.candidates();
    const earlierFiles = await this.earlierFiles(paths);
    await this.unchanged.add(earlierFiles.values());
    const changes = new Map<string, Found | undefined>();
    const pace = new Pace();
    for (const path of paths) {
      changes.set(path, undefined);
      await pace.step();
    }
    await inPool(paths, MAX_PARALLEL, async (path) => {
      changes.set(path, await this.changeOf(path, earlierFiles.get(path)));
      await pace.heavyStep();
    });
    // Collects the changes in the order of the paths.
    const changed: Found[] = [];
    for (const found of changes.values()) {
      if (found) {
        changed.push(found);
      }
    }
    const creations = new Creations(this.deps.states, this.turn.since);
    const gone = (await Promise.all(this.snapshots.map((snapshot) => snapshot.gone().catch(() => [])))).flat();
    await creations.learn(changed, gone);
    const brought = (await Promise.all(this.snapshots.map((snapshot) => snapshot.brought().catch(() => [])))).flat();
    const others: StatesOfOthers = {
      stateBefore: (each) => earlierFiles.get(each)?.state,
      stateAfter: (each) => changes.get(each)?.after,
    };
    const records: FileRecord[] = [];
    const origins = new Map<string, Origin>();
    const sources = new Map<string, string>();
    for (const found of changed) {
      const earlier = await creations.before(found);
      // A repository that was made from an existing folder: neither state is known.
      if (found.stat?.kind === 'folder' && earlier.kind === 'unknown') {
        continue;
      }
      const record = await this.recordOf(found, earlier, brought, others);
      const origin = record && (await creations.origin(found));
      if (record) {
        records.push(record);
      }
      if (origin) {
        origins.set(found.path, origin);
        void (origin.path !== undefined && sources.set(found.path, origin.path));
      }
      await pace.step();
    }
    const earlier = await this.earlierTurns(origins.size > 0 || changed.some(({ after }) => after.kind === 'none'));
    const before = await this.earlierTurns(records.some((record) => record.before.kind !== 'none'));
    const own = await withOtherFiles(records, changed, before, this.deps.states);
    const moved = await withMoves(await withOrigins(own, origins, earlier), this.moves, sources);
    const lost = lostFiles(changed, gone, unrestorablePaths(earlier));
    const all = await withLostContents(moved, lost, (record) => this.newBytes(record));
    const files = await countedRecords(all, {
      turnId: this.turn.turnId,
      stepsOf: (path) => this.steps.get(path),
      before: (hash) => this.deps.states.contentOf(hash),
      after: async (path, hash) => this.contents.get(hash) ?? (await this.presentBytes(path)),
    });
    const inodes = new Map<string, number>();
    for (const { path, after, stat } of changed) {
      if (stat && after.kind === 'file') {
        inodes.set(path, stat.ino);
      }
    }
    return { files, steps: this.steps, inodes };
  }

  private async newBytes({ path, before, after }: FileRecord): Promise<number | undefined> {
    const earlier = before.kind === 'file' ? await this.deps.states.contentOf(before.hash) : undefined;
    const now = after.kind === 'file' ? (this.contents.get(after.hash) ?? (await this.presentBytes(path))) : undefined;
    return now && newLineBytes(earlier, now);
  }

  /** Returns the session's earlier records, if a moved or removed file needs them. */
  private async earlierTurns(isNeeded: boolean): Promise<readonly ChangeRecord[]> {
    return isNeeded ? this.deps.log.records().catch(() => []) : [];
  }

  /** Returns the files that may have changed, in order, without those of another session and of a repository itself. */
  private async candidates(): Promise<readonly string[]> {
    const { attribution, sessionKey } = this.deps;
    const { since } = this.turn;
    const paths = new Set<string>(this.turn.announced.keys());
    for (const snapshot of this.snapshots) {
      for (const { path, oldPath } of await snapshot.changed()) {
        paths.add(path);
        if (oldPath !== undefined) {
          this.moves.set(path, oldPath);
        }
      }
    }
    const roots = new Set(this.snapshots.map(({ root }) => root));
    const own: string[] = [];
    const pace = new Pace();
    for (const path of paths) {
      if (path.includes('\ufffd')) {
        // A name that is not UTF-8 cannot be read under the name that git prints.
        this.turn.troubles.push({ kind: 'files', detail: path });
      } else if (!roots.has(path) && !isInGitFolder(path) && attribution.of(sessionKey, path, since, this.to) !== 'other') {
        own.push(path);
      }
      await pace.step();
    }
    return own.sort();
  }

  private async earlierFiles(paths: readonly string[]): Promise<Map<string, EarlierFile>> {
    const found = new Map<string, EarlierFile>();
    // Only the innermost repository knows its files.
    const snapshots = [...this.snapshots].sort((one, other) => other.root.length - one.root.length);
    const byRoot = new Map<FilesSnapshot, string[]>();
    const pace = new Pace();
    for (const path of paths) {
      await pace.step();
      const snapshot = snapshots.find(({ root }) => isBelow(path, root));
      if (snapshot) {
        addTo(byRoot, snapshot, path);
      }
    }
    for (const [snapshot, below] of byRoot) {
      const files = await snapshot.before(below);
      for (const [index, path] of below.entries()) {
        if (files[index]) {
          found.set(path, files[index]);
        }
        await pace.step();
      }
    }
    const isKnownInode = inodeTest(found.values());
    for (const [path, pending] of this.turn.announced) {
      const { at, state, stat } = await pending;
      const known = found.get(path);
      // A file of a moved folder has an old time at its new path, too.
      if (known?.absentAt !== undefined && at > known.absentAt && stat && isKnownInode(stat.ino)) {
        continue;
      }
      if (known && (await this.isOfMovedFolder(path, known, { at, state, stat }))) {
        continue;
      }
      // A copy from the disk is certain; an object of git is only the result of a checkout.
      if (state.kind === 'none') {
        found.set(path, known?.state.kind === 'none' ? known : { state, absentAt: this.turn.since });
      } else if (state.kind !== 'unknown' || !known) {
        found.set(path, { state, ...(stat && { ino: stat.ino, size: stat.size, stat }) });
      }
    }
    const wanted = new Set(paths);
    for (const [path, open] of this.turn.open) {
      const known = found.get(path);
      if (wanted.has(path) && isLate(known?.state) && !this.turn.dirty.has(path)) {
        // Another file may have come to the path before the late copy, and its inode is no proof.
        const { isShown, disk } = await this.turn.shown.of(path);
        found.set(path, { state: disk ?? (await this.keep(await open.bytes())) });
        void (isShown || disk || this.unclear.add(path));
      }
    }
    return found;
  }

  /** True when a named file is another one than the snapshot has at its path: a folder above it was moved there, and its own times are old. */
  private async isOfMovedFolder(path: string, known: EarlierFile, { at, state, stat }: Omit<Announced, 'present'>): Promise<boolean> {
    const isOther =
      known.state.kind === 'unknown' ? isOtherInode(known, stat) : known.state.kind !== 'none' && !sameState(known.state, state);
    const isLater = at >= (this.turn.copiedAt ?? Infinity);
    return state.kind !== 'unknown' && isLater && isOther && this.folders.mayBeMoved(path, this.turn.since);
  }

  /** Returns undefined when the file has not changed. */
  private async changeOf(path: string, known: EarlierFile | undefined): Promise<Found | undefined> {
    const { states } = this.deps;
    const announced = await this.turn.announced.get(path);
    const pathKind = await this.folders.pathKindOf(path);
    const isOwn = pathKind !== 'link';
    // Another program's folder may be behind a link, so nothing is read through it.
    const isNothing = pathKind !== 'real';
    const moved = isNothing || announced || known?.state.kind !== 'none' ? undefined : await this.movedFile(path);
    const present = isNothing ? NOTHING : (moved ?? (await states.of(path, true)));
    const { state: after, stat, binary } = present;
    this.remember(after, present.bytes);
    const isUnwritten =
      announced?.stat && stat ? isSameStat(announced.stat, stat) && !isLate(announced.state) : known === undefined && after.kind === 'none';
    if (isUnwritten && (known === undefined || known.state.kind === 'unknown')) {
      return undefined;
    }
    const isUnreadable = after.kind === 'unknown' && stat === undefined && known?.state.kind === 'unknown';
    // The agent may have read unsaved text, and then reports it as the earlier one.
    const isTyped = this.turn.dirty.has(path) || this.turn.authors.edits.hasTyping(path);
    const reported = isUnknown(known?.state) && isOwn && !isTyped ? await this.reportedBefore(path) : undefined;
    const state = reported ?? known?.state ?? unknown(announced ? 'late' : 'unproven');
    if (isUnreadable || sameState(state, after)) {
      return undefined;
    }
    if (reported && stat && (await this.mayBeBrought(path, stat, known))) {
      this.unclear.add(path);
    }
    // The inode of a late copy may be that of a file that was moved here before the copy.
    const earlier = reported && isLate(known?.state) ? { state } : { ...known, state };
    return { path, earlier, after, stat, binary, announced };
  }

  /**
   * True for a file that is older than the turn and may be another one than was at its path. The agent may have brought it from outside of the folders
   * and report its text as written. That report does not prove who wrote the text.
   */
  private async mayBeBrought(path: string, stat: FileStat, known: EarlierFile | undefined): Promise<boolean> {
    const isNew = stat.birthtimeMs >= this.turn.since - slackOf(stat.birthtimeMs) && (await this.deps.states.knowsBirths(path, stat));
    // The inode of a late copy may already be that of the brought file.
    return !isNew && (isLate(known?.state) || known?.ino === undefined || isOtherInode(known, stat));
  }

  private remember(state: FileState, bytes: Uint8Array | undefined): void {
    if (state.kind === 'file' && bytes && this.contentBytes + bytes.length <= MAX_CONTENT_BYTES) {
      this.contentBytes += bytes.length;
      this.contents.set(state.hash, bytes);
    }
  }

  /** Returns undefined when the file must be read. */
  private async movedFile(path: string): Promise<PresentFile | undefined> {
    const stat = this.unchanged.isEmpty ? undefined : await this.deps.states.files.stat(path).catch(() => undefined);
    return stat && this.unchanged.presentOf(stat);
  }

  /** Returns undefined when the change is not the agent's. */
  private async recordOf(
    found: Found,
    before: FileState,
    brought: readonly BroughtFiles[],
    others: StatesOfOthers,
  ): Promise<FileRecord | undefined> {
    const { attribution, sessionKey, states } = this.deps;
    const { path, after, stat, binary, announced } = found;
    const { since } = this.turn;
    const { author, withUser, unseen, steps } = await this.turn.authors.of(
      {
        path,
        before,
        after,
        stat,
        named: announced !== undefined,
        ...(announced && timesOf(announced, before)),
        hasReported: await this.hasReported(path),
        restored: attribution.restoredIn(path, since, this.to)?.state,
        ...others,
        texts: async () => ({
          before: before.kind === 'file' ? textOf(await states.contentOf(before.hash)) : before.kind === 'none' ? '' : undefined,
          after: after.kind === 'file' ? textOf(await this.presentBytes(path)) : after.kind === 'none' ? '' : undefined,
        }),
      },
      brought,
    );
    if (author === 'user') {
      return undefined;
    }
    if (steps) {
      this.steps.set(path, steps);
    }
    const shared =
      author === 'shared' ||
      this.unclear.has(path) ||
      attribution.of(sessionKey, path, since, this.to) === 'shared' ||
      this.hasTwoWriters(found, before);
    const sessions = shared ? attribution.othersOn(sessionKey, path, since, this.to) : [];
    const sharedWith = [...(withUser ? [THE_USER] : []), ...sessions, ...(unseen ? [UNSEEN] : [])];
    return {
      path,
      before,
      after,
      ...(binary && { binary }),
      ...(shared && { shared }),
      ...(sharedWith.length > 0 && { sharedWith }),
      ...(steps && { userEdits: true as const }),
      ...(isRelinked(found) && { relinked: true }),
    };
  }

  /** True when another session was working, and the file had already changed when this session named it. */
  private hasTwoWriters({ path, announced }: Found, before: FileState): boolean {
    const { attribution, sessionKey } = this.deps;
    return (
      announced !== undefined &&
      attribution.hasOthers(sessionKey, path, this.turn.since, this.to) &&
      announced.present.kind !== 'unknown' &&
      !sameState(before, announced.present)
    );
  }

  /** True when the file has one of the texts that the agent reported; undefined when it reported none. */
  private async hasReported(path: string): Promise<boolean | undefined> {
    const reported = this.turn.reports.changes.get(path)?.filter(({ newText }) => newText !== '');
    const text = reported?.length ? textOf(await this.presentBytes(path)) : undefined;
    return text === undefined ? undefined : reported!.some(({ newText }) => text.includes(newText));
  }

  /** Returns the earlier state that the agent reports. Its report that the file did not exist is ignored. */
  private async reportedBefore(path: string): Promise<FileState | undefined> {
    const reported = this.turn.reports.changes.get(path);
    const bytes = reported && (await this.presentBytes(path));
    const text = reported && bytes && textBefore(Buffer.from(bytes).toString(), reported);
    return typeof text === 'string' ? this.keep(Buffer.from(text)) : undefined;
  }

  private async presentBytes(path: string): Promise<Uint8Array | undefined> {
    const { files, limits } = this.deps.states;
    return (await this.folders.isBehindLink(path)) ? undefined : files.read(path, limits.fileBytes).catch(() => undefined);
  }

  private async keep(bytes: Uint8Array): Promise<FileState> {
    const { states } = this.deps;
    const hash = bytes.length <= states.limits.fileBytes ? await states.keep(bytes) : undefined;
    return keptOr({ kind: 'file', hash: hash ?? '', size: bytes.length, mode: 0o644, kept: hash !== undefined });
  }
}

/** True when the file at the path has other names and is not certainly the earlier one at that path. */
function isRelinked({ earlier, stat }: Found): boolean {
  return stat?.kind === 'file' && stat.nlink > 1 && earlier.ino !== stat.ino && earlier.ino !== stat.ino % INODE_BITS;
}

function isOtherInode({ ino }: EarlierFile, stat: FileStat | undefined): boolean {
  return ino !== undefined && (!stat || (ino !== stat.ino && ino !== stat.ino % INODE_BITS));
}

/** Returns the times at which the naming of a file proves that it was unchanged, or changed. */
function timesOf({ at, present, stat }: Announced, before: FileState): Pick<ChangedByTurn, 'namedUnchangedAt' | 'changedBeforeNamed'> {
  return sameState(before, present) ? { namedUnchangedAt: at } : { changedBeforeNamed: stat?.ctimeMs };
}
