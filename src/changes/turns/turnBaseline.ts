/** The state before a turn: copied when the turn begins, stored for a later window, and read back by that window. */
import { isBelow, type RunGit } from '../disk/git';
import type { ChangeLog } from '../store/changeLog';
import { hostWriteOf } from './agentReports';
import { type FileStates, isSameStat } from './fileStates';
import type { Since, Trouble } from './filesSnapshot';
import { SnapshotTaker } from './snapshotTaker';
import type { Baseline, StoredBaseline } from './storedBaseline';
import { textOf } from './textBefore';
import type { Turn } from './turn';
import type { UserFact } from './turnAuthors';
import { UnwatchedFiles } from './unwatchedFiles';

export interface TurnBaselineDependencies {
  readonly states: FileStates;
  /** Absent when git is not available. */
  readonly git?: RunGit | undefined;
  readonly log: Pick<ChangeLog, 'records' | 'append'>;
  /** Where the state before the running turn is stored for a later window. Absent: no later window continues a turn. */
  readonly baseline?: StoredBaseline | undefined;
  /** True while the agent outlives the window. Absent: never. */
  outlives?(): boolean;
  /** ms since the epoch */
  now(): number;
}

export class TurnBaseline {
  private readonly folders: SnapshotTaker;

  constructor(private readonly deps: TurnBaselineDependencies) {
    this.folders = new SnapshotTaker(deps.states, deps.git, () => deps.now());
  }

  /** Takes the copies. */
  async take(roots: readonly string[], moment: Since, troubles: Trouble[]): Promise<Baseline> {
    // The prompt is sent first.
    await new Promise((resolve) => setImmediate(resolve));
    const taken = await Promise.all(roots.map((root) => this.folders.snapshotsOf(root, moment, (trouble) => troubles.push(trouble))));
    return { snapshots: taken.flat(), copiedAt: this.deps.now(), announced: new Map(), writes: [], userFacts: [] };
  }

  /**
   * Reads what an earlier window has stored. Otherwise takes the copies now: a file that has not changed since the turn began is as it was, and any
   * other one has an unknown earlier state.
   */
  async readBack(turn: Turn): Promise<Baseline> {
    const { deps } = this;
    const known = await deps.baseline?.read(turn, deps.states, deps.git, turn.moment);
    // The clock was set back meanwhile: no time proves anything.
    if (!known || known.copiedAt > deps.now()) {
      return this.take(turn.roots, turn.moment, turn.troubles);
    }
    known.announced.forEach((announced, path) => turn.announced.set(path, Promise.resolve(announced)));
    known.userFacts.forEach((fact) => turn.authors.earlier(fact));
    known.writes.forEach(([path, write]) => turn.reports.write(path, write));
    turn.authors.unwatched = new UnwatchedFiles(changedSince(known, deps.states), turn.reports);
    return known;
  }

  /** Adds the checkpoint of a turn, unless it has one. */
  async addCheckpoint({ turnId, since, troubles, isContinued }: Turn): Promise<void> {
    const { log } = this.deps;
    try {
      const records = isContinued ? await log.records() : [];
      if (!records.some((record) => record.type === 'checkpoint' && record.turnId === turnId)) {
        await log.append({ type: 'checkpoint', turnId, at: since });
      }
    } catch (error) {
      troubles.push({ kind: 'store', detail: String(error) });
    }
  }

  /** Stores the baseline of a turn that a later window may continue. */
  async store(turn: Turn): Promise<void> {
    const { baseline, outlives } = this.deps;
    const snapshots = await turn.snapshots;
    if (baseline && outlives?.() && turn.copiedAt !== undefined) {
      const { turnId, since, roots, copiedAt } = turn;
      turn.dirty.forEach((path) => turn.userFacts.push({ kind: 'typed', path }));
      await baseline.write({ turnId, since, roots }, copiedAt, snapshots);
      await Promise.all([...turn.announced.keys()].map((path) => this.storeAnnounced(turn, path)));
      turn.userFacts.forEach((fact) => void baseline.userDid(turnId, fact));
      turn.reports.writes.forEach((writes, path) => writes.forEach((write) => void baseline.wrote(turnId, path, write)));
    }
  }

  /** Stores what the user did, unless it was outside of the session's folders. */
  storeUserFact(turn: Turn | undefined, fact: UserFact): void {
    const { baseline, outlives } = this.deps;
    const isOwn = !('path' in fact) || turn?.roots.some((root) => isBelow(fact.path, root));
    if (turn && baseline && isOwn && outlives?.()) {
      turn.userFacts.push(fact);
      void baseline.userDid(turn.turnId, fact);
    }
  }

  /** Stores that the user has typed in a file, before the first text of the user's in it is known. */
  storeTyping(turn: Turn | undefined, path: string): void {
    if (turn?.authors.edits.hasTyping(path) === false) {
      this.storeUserFact(turn, { kind: 'typed', path });
    }
  }

  /** Stores a write that the host is about to make for the agent. The agent may have read text that the user has typed, which it then writes, too. */
  async storeWrite(turn: Turn, path: string, content: string): Promise<void> {
    const { baseline, outlives, states } = this.deps;
    const isTyped = (): boolean => turn.dirty.has(path) || turn.authors.edits.hasTyping(path);
    if (!baseline || !outlives?.() || isTyped()) {
      return;
    }
    const stat = await states.files.stat(path);
    const present = stat ? textOf(await states.files.read(path, states.limits.fileBytes)) : null;
    if (present !== undefined && !isTyped()) {
      const write = hostWriteOf(present, content);
      turn.reports.write(path, write);
      void baseline.wrote(turn.turnId, path, write);
    }
  }

  /** Stores the copy of a file that the agent has named. */
  async storeAnnounced({ turnId, announced }: Turn, path: string): Promise<void> {
    const { baseline } = this.deps;
    const known = baseline && (await announced.get(path)?.catch(() => undefined));
    await (known && baseline.announced(turnId, path, known));
  }
}

/** Returns the files that differ now from a baseline; undefined where that cannot be found out. */
async function changedSince({ snapshots, announced }: Baseline, states: FileStates): Promise<ReadonlySet<string> | undefined> {
  try {
    const found = new Set<string>();
    for (const snapshot of snapshots) {
      for (const { path, oldPath } of await snapshot.changed()) {
        found.add(path).add(oldPath ?? path);
      }
    }
    for (const [path, { stat }] of announced) {
      const now = await states.files.stat(path);
      if (stat && now ? !isSameStat(stat, now) : stat !== now) {
        found.add(path);
      }
    }
    return found;
  } catch {
    return undefined;
  }
}
