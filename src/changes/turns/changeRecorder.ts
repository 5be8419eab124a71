/**
 * What the turns of one session do to files, whoever writes them. Nothing here is waited for by a prompt: copies are taken beside the turn, and a file
 * that may have been changed before its copy was taken is said to be so.
 */
import { lineCounts } from '../../core/fileChanges/lineCounts';
import { type FileRecord, type FileState, sameState } from '../../core/fileChanges/records';
import { inPool } from '../../util/pool';
import type { RunGit } from '../disk/git';
import type { ChangeLog } from '../store/changeLog';
import type { Attribution } from './attribution';
import { type FileStates, keptOr, unknown } from './fileStates';
import type { Snapshot } from './snapshot';
import { SnapshotTaker } from './snapshotTaker';
import { textBefore, type ReportedChange } from './textBefore';

/** A tool call, or a write of ours, that names files. */
export interface AnnouncedChange {
  /** As the agent named it. */
  readonly path: string;
  /** Told of it so far, in order. */
  readonly told?: readonly ReportedChange[];
}

export interface OpenText {
  /** Real. */
  readonly path: string;
  /** The bytes that saving it would write. */
  bytes(): Promise<Uint8Array>;
}

export type ResolvePath = (path: string) => Promise<string | undefined>;

export interface ChangeRecorderDependencies {
  readonly sessionKey: string;
  /** The folders of the session as they are now, real paths. */
  roots(): readonly string[];
  /** What says where a path leads, undefined where the session has nothing to do. Its answers are as old as it is, or younger. */
  resolver(): ResolvePath;
  readonly states: FileStates;
  /** Absent: there is no git. */
  readonly git?: RunGit | undefined;
  readonly log: ChangeLog;
  readonly attribution: Attribution;
  now(): number;
  /** Texts that the editor has open, unsaved changes included. */
  openTexts?(): readonly OpenText[];
}

export interface RecordedTurn {
  readonly turnId: string;
  readonly files: readonly FileRecord[];
  /** Where the paths that the agent named lead, by them. */
  readonly named: ReadonlyMap<string, string>;
}

interface Announced {
  /** As it was when it was first named. */
  readonly state: FileState;
}

interface Turn {
  readonly turnId: string;
  readonly since: number;
  readonly snapshots: Promise<readonly Snapshot[]>;
  /** By real path. */
  readonly announced: Map<string, Promise<Announced>>;
  readonly told: Map<string, readonly ReportedChange[]>;
  readonly named: Map<string, string>;
  /** What the user has saved, by real path. */
  readonly saved: Map<string, Promise<FileState>>;
  readonly open: ReadonlyMap<string, OpenText>;
  readonly naming: Set<Promise<void>>;
  readonly ended: (to: number) => void;
}

const AT_ONCE = 8;
/** Changes that were told in a row, which are looked at together. */
const PATHS_AT_ONCE = 100;
/** Few: each answer of the disk takes the host a turn away from reading what the agent says. */
const PATHS_IN_PARALLEL = 2;
/** Of all counts of a turn. */
const COUNTED_UNITS = 8 * 1024 * 1024;
const COUNTED_STEPS = 2_000_000;

export class ChangeRecorder {
  private turn: Turn | undefined;
  /** Told, and not yet looked at. */
  private readonly pathQueue: { readonly turn: Turn; readonly change: AnnouncedChange; done(): void }[] = [];
  private draining = false;
  private readonly folders: SnapshotTaker;

  constructor(private readonly ports: ChangeRecorderDependencies) {
    this.folders = new SnapshotTaker(ports.states, ports.git);
  }

  /** The prompt has been sent. Nothing of it is waited for. @param since ms since the epoch, not after the prompt was sent */
  turnStarted(turnId: string, since: number): void {
    const { ports } = this;
    const roots = ports.roots();
    this.turn = {
      turnId,
      since,
      snapshots: this.snapshots(roots, since),
      announced: new Map(),
      told: new Map(),
      named: new Map(),
      saved: new Map(),
      open: new Map((ports.openTexts?.() ?? []).map((text) => [text.path, text])),
      naming: new Set(),
      ended: ports.attribution.turnStarted(ports.sessionKey, roots, since),
    };
    void ports.log.append({ type: 'checkpoint', turnId, at: since }).catch(() => undefined);
  }

  /** A write of ours names a file that it is about to change. It is copied as it stands when this resolves. */
  async announce(change: AnnouncedChange): Promise<void> {
    const { turn } = this;
    if (turn) {
      await this.naming(turn, this.name(turn, change, this.ports.resolver()));
    }
  }

  /** A tool call names a file that it is about to change, or tells of what it did. Nothing waits for it. */
  tell(change: AnnouncedChange): void {
    const { turn } = this;
    if (turn) {
      void this.naming(turn, new Promise<void>((done) => this.pathQueue.push({ turn, change, done })));
      if (!this.draining) {
        void this.drain();
      }
    }
  }

  private async drain(): Promise<void> {
    this.draining = true;
    while (this.pathQueue.length > 0) {
      const resolve = once(this.ports.resolver());
      await inPool(this.pathQueue.splice(0, PATHS_AT_ONCE), PATHS_IN_PARALLEL, async ({ turn, change, done }) => {
        // Its copy is not waited for: what comes after it may be changed meanwhile.
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

  /** Resolves when the copies of the running turn are taken. */
  async copied(): Promise<void> {
    await this.turn?.snapshots;
  }

  /** The user has saved a file: that is no change of the agent's. @param path real */
  savedByUser(path: string): void {
    const { turn } = this;
    turn?.saved.set(
      path,
      this.ports.states.of(path, false).then(({ state }) => state),
    );
  }

  /** What the turn did to files, once that is known. Undefined where no such turn runs. */
  async turnEnded(turnId: string): Promise<RecordedTurn | undefined> {
    const { turn, ports } = this;
    if (turn?.turnId !== turnId) {
      return undefined;
    }
    this.turn = undefined;
    const to = ports.now();
    turn.ended(to);
    await Promise.all(turn.naming);
    const files = await this.filesOf(turn, to);
    if (files.length > 0) {
      await ports.log.append({ type: 'turn', turnId, at: to, files });
    }
    return { turnId, files, named: turn.named };
  }

  private async snapshots(roots: readonly string[], since: number): Promise<readonly Snapshot[]> {
    // The prompt leaves first.
    await new Promise((resolve) => setImmediate(resolve));
    const taken = await Promise.all(roots.map((root) => this.folders.snapshotsOf(root, since)));
    return taken.flat();
  }

  private async name(turn: Turn, change: AnnouncedChange, resolve: ResolvePath): Promise<void> {
    const path = await this.place(turn, change, resolve);
    await (path !== undefined && turn.announced.get(path));
  }

  /** The real path of a file whose copy has begun; undefined where the session has nothing to do. */
  private async place(turn: Turn, { path: named, told }: AnnouncedChange, resolve: ResolvePath): Promise<string | undefined> {
    const { ports } = this;
    const at = ports.now();
    const path = await resolve(named);
    if (path === undefined) {
      return undefined;
    }
    turn.named.set(named, path);
    ports.attribution.touched(ports.sessionKey, path, at);
    if (told) {
      turn.told.set(path, [...(turn.told.get(path) ?? []), ...told]);
    }
    if (!turn.announced.has(path)) {
      turn.announced.set(
        path,
        ports.states.asOf(path, turn.since).then((state) => ({ state })),
      );
    }
    return path;
  }

  private async filesOf(turn: Turn, to: number): Promise<readonly FileRecord[]> {
    const { ports } = this;
    const snapshots = await turn.snapshots;
    const moves = new Map<string, string>();
    const paths = new Set<string>(turn.announced.keys());
    for (const changed of await Promise.all(snapshots.map((snapshot) => snapshot.changed()))) {
      for (const { path, oldPath } of changed) {
        paths.add(path);
        if (oldPath !== undefined) {
          moves.set(path, oldPath);
        }
      }
    }
    const own = [...paths].filter((path) => ports.attribution.of(ports.sessionKey, path, turn.since, to) !== 'other').sort();
    const before = await this.statesBefore(turn, snapshots, own);
    const records: FileRecord[] = [];
    await inPool(own, AT_ONCE, async (path) => {
      const record = await this.recordOf(turn, path, before.get(path));
      if (record) {
        const shared = ports.attribution.of(ports.sessionKey, path, turn.since, to) === 'shared';
        records.push({ ...record, ...(shared && { shared }) });
      }
    });
    records.sort((one, other) => (one.path < other.path ? -1 : 1));
    return this.counted(withMoves(records, moves));
  }

  private async statesBefore(turn: Turn, snapshots: readonly Snapshot[], paths: readonly string[]): Promise<Map<string, FileState>> {
    const found = new Map<string, FileState>();
    // The deepest folder knows best.
    for (const snapshot of [...snapshots].sort((one, other) => one.root.length - other.root.length)) {
      const below = paths.filter((path) => path.startsWith(snapshot.root));
      const states = await snapshot.before(below);
      below.forEach((path, index) => states[index] && found.set(path, states[index]));
    }
    await inPool([...turn.announced], AT_ONCE, async ([path, announced]) => {
      const { state } = await announced;
      if (isUnknown(found.get(path)) && !isUnknown(state)) {
        found.set(path, state);
      }
    });
    for (const [path, open] of turn.open) {
      if (paths.includes(path) && isLate(found.get(path))) {
        const state = await this.keep(await open.bytes());
        found.set(path, state);
      }
    }
    return found;
  }

  /** Undefined when nothing of the agent's became of it. */
  private async recordOf(turn: Turn, path: string, known: FileState | undefined): Promise<FileRecord | undefined> {
    const { states } = this.ports;
    // What the next turn begins with, and what this one is shown by.
    const { state: after, binary } = await states.of(path, true);
    const before = isUnknown(known) ? ((await this.toldBefore(turn, path)) ?? known ?? unknown('late')) : known!;
    const isSame = sameState(before, after) || (before.kind === 'unknown' && after.kind === 'none' && known === undefined);
    if (isSame) {
      return undefined;
    }
    const saved = await turn.saved.get(path);
    if (saved && sameState(saved, after) && !turn.announced.has(path)) {
      return undefined;
    }
    return { path, before, after, ...(binary && { binary }) };
  }

  /** From what the agent has told of its changes. */
  private async toldBefore(turn: Turn, path: string): Promise<FileState | undefined> {
    const { states } = this.ports;
    const told = turn.told.get(path);
    const bytes = told && (await states.files.read(path, states.limits.fileBytes));
    const text = told && bytes && textBefore(Buffer.from(bytes).toString(), told);
    return text === undefined ? undefined : text === null ? { kind: 'none' } : this.keep(Buffer.from(text));
  }

  private async keep(bytes: Uint8Array): Promise<FileState> {
    const hash = bytes.length <= this.ports.states.limits.fileBytes ? await this.ports.states.store.put(bytes) : undefined;
    return keptOr({ kind: 'file', hash: hash ?? '', size: bytes.length, mode: 0o644, kept: hash !== undefined });
  }

  private async counted(records: readonly FileRecord[]): Promise<readonly FileRecord[]> {
    const budget = { units: COUNTED_UNITS, steps: COUNTED_STEPS };
    const counted: FileRecord[] = [];
    for (const record of records) {
      counted.push({ ...record, ...(await this.countsOf(record, budget)) });
    }
    return counted;
  }

  private async countsOf({ path, before, after, binary }: FileRecord, budget: Parameters<typeof lineCounts>[2]): Promise<object> {
    const { states } = this.ports;
    if (binary || before.kind === 'unknown' || after.kind === 'unknown' || before.kind === 'link' || after.kind === 'link') {
      return {};
    }
    const old = before.kind === 'file' ? await states.store.get(before.hash) : Buffer.alloc(0);
    const now = after.kind === 'file' ? await states.files.read(path, states.limits.fileBytes) : Buffer.alloc(0);
    return old && now ? (lineCounts(Buffer.from(old).toString(), Buffer.from(now).toString(), budget) ?? {}) : {};
  }
}

/** Agents name a file again with each status of a call. */
function once(resolve: ResolvePath): ResolvePath {
  const known = new Map<string, Promise<string | undefined>>();
  return (path) => {
    const resolved = known.get(path) ?? resolve(path);
    known.set(path, resolved);
    return resolved;
  };
}

function isUnknown(state: FileState | undefined): boolean {
  return state === undefined || state.kind === 'unknown';
}

function isLate(state: FileState | undefined): boolean {
  return state === undefined || (state.kind === 'unknown' && state.reason === 'late');
}

/** A file that went and one that came with the same content are one that was moved, as are those of which a repository says so. */
function withMoves(records: readonly FileRecord[], moves: ReadonlyMap<string, string>): readonly FileRecord[] {
  const gone = new Map(
    records.filter(({ before, after }) => before.kind === 'file' && after.kind === 'none').map((record) => [record.path, record]),
  );
  const moved = new Map<string, FileRecord>();
  for (const record of records) {
    const { before, after, path } = record;
    if (before.kind !== 'none' || after.kind !== 'file') {
      continue;
    }
    const told = moves.get(path);
    const from =
      (told === undefined ? undefined : gone.get(told)) ??
      [...gone.values()].find((each) => each.before.kind === 'file' && each.before.hash === after.hash && after.size > 0);
    if (from) {
      gone.delete(from.path);
      moved.set(path, { ...record, oldPath: from.path, before: from.before });
    }
  }
  const oldPaths = new Set([...moved.values()].map(({ oldPath }) => oldPath));
  return records.filter(({ path }) => !oldPaths.has(path)).map((record) => moved.get(record.path) ?? record);
}
