/**
 * The report to the agent about the user's actions on its changes. The next prompt carries it, once. Reported and dismissed changes are stored beside
 * the review, so that a reload does not report them again.
 */
import type { ChangeReportSummary, ReportedFile } from '../../core/fileChanges/changeReport';
import { reportUri } from '../../core/model/reportAddress';
import { sameState } from '../../core/fileChanges/records';
import type { ContentBlock } from '../../core/model/content';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { unifiedDiff } from '../../text/diff/unified';
import type { LiveHunks } from '../hunks/liveHunks';
import type { StoreFolder } from '../store/storeFolder';
import { DebouncedWriter } from './debouncedWriter';
import { believedText, type ReportItem, reportItems, type ReportedHunk } from './reportItems';
import { type FileNote, restoredHunk, type StoredReport, storedReport, withoutText } from './reportStorage';
import { type ReportSection, reportText } from './reportText';
import type { Review } from './review';

export type { FileNote } from './reportStorage';

export interface ChangeReportDependencies {
  readonly sessionKey: string;
  readonly folder: Pick<StoreFolder, 'readAll' | 'replace'>;
  readonly clock: Clock;
  /** Absent when changes are not reviewed. */
  readonly review: Review | undefined;
  /** Called for the first failed write after a successful one. The next change is written again. */
  onFailed?(error: unknown): void;
  /** Returns the session's name of a file. */
  nameOf(path: string): string;
  readonly access: TextAccess;
  /** True when the conversation has a message with the report at this address, with any summary: it was sent, even if we crashed after that. */
  wasSent(uri: string): boolean;
}

/** Decides whether text of files may be sent to the agent. The report is taken synchronously, so the results are prepared. */
export interface TextAccess {
  /** True only when a finished check allows it for all of these real paths. */
  maySend(paths: readonly string[]): boolean;
  /** Checks these paths again, because they have changed. */
  refresh(paths: readonly string[]): void;
  onDidChange(listener: () => void): Disposable;
}

/** The report that a prompt carries. */
export interface TakenReport {
  readonly content: readonly ContentBlock[];
  /** Puts the report back after a prompt that was not sent. The next prompt carries it. */
  markUnsent(): void;
}

const NAME = 'report.json';
/** The most UTF-16 units of texts that are compared for a report: about 40 ms, while the prompt waits. */
const MAX_COMPARED_UNITS = 4 * 1024 * 1024;
/** ms after which a change of the report is on disk. */
const KEEP_MS = 200;
/** The interval in ms, and the number of changed access checks in it that run at once. */
const ACCESS_MS = 50;
const MAX_CHECKS = 8;

export class ChangeReport implements Disposable {
  private readonly reported = new Map<string, Map<number, ReportedHunk>>();
  private readonly notes = new Map<string, FileNote>();
  private readonly items = new Map<string, KnownItems>();
  /** Counts the changes of `told`. */
  private revision = 0;
  /** The number of reports so far. */
  private count = 0;
  private readonly listeners = new Set<() => void>();
  /** The other real paths of moved files, even after the review has removed them. */
  private readonly otherPaths = new Map<string, Set<string>>();
  private readonly subscriptions: readonly (Disposable | undefined)[];
  private readonly writer: DebouncedWriter;
  /** The timer of the interval in which access checks are counted. */
  private accessTimer: Disposable | undefined;
  private accessChecks = 0;
  private isAccessChanged = false;
  private disposed = false;

  constructor(private readonly deps: ChangeReportDependencies) {
    this.writer = new DebouncedWriter(
      deps.clock,
      KEEP_MS,
      () => this.write(),
      (error) => deps.onFailed?.(error),
    );
    this.subscriptions = [
      deps.review?.onDidChange(() => {
        this.accessChanged();
        this.listeners.forEach((listener) => listener());
      }),
      deps.access.onDidChange(() => void (!this.disposed && this.writer.changed())),
    ];
  }

  /** Must be called after the review was loaded. */
  async load(): Promise<void> {
    const stored = storedReport(await this.deps.folder.readAll(NAME));
    if (stored) {
      this.count = Math.max(this.count, stored.count);
      this.revision++;
      for (const [path, hunks] of stored.told) {
        const reported = hunks.map(([hunkId, hunk]) => [hunkId, restoredHunk(this.deps.review?.file(path)?.hunks, hunkId, hunk)] as const);
        this.reported.set(path, new Map([...reported, ...(this.reported.get(path) ?? [])]));
      }
      stored.moves?.forEach(([path, others]) => others.forEach((other) => this.moved(path, other)));
      stored.notes.forEach((note) => this.notes.has(note.path) || this.notes.set(note.path, note));
    }
    // The report was sent with a prompt, and a crash came before that was stored.
    while (this.deps.wasSent(reportUri(this.deps.sessionKey, this.count + 1))) {
      this.count++;
      this.settle(this.paths);
    }
    this.changed();
  }

  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** The files that the next prompt would report. */
  get summary(): ChangeReportSummary {
    return this.sections(false).map(({ diff: _, words: __, withheld: ___, isTooLong: ____, ...file }) => file);
  }

  /** Ids of the changes of a file that are undone and not reported yet. */
  undoneOf(path: string): readonly number[] {
    return this.itemsOf(path).flatMap(({ what, hunkId }) => (what === 'undone' ? [hunkId] : []));
  }

  /** The files that the report is about, by their real paths. */
  get paths(): readonly string[] {
    return [...new Set([...(this.deps.review?.files ?? []).map(({ path }) => path), ...this.notes.keys()])].filter(
      (path) => this.notes.has(path) || this.itemsOf(path).length > 0,
    );
  }

  /** Returns a file's text as the agent believes it to be; undefined where it is reported as a whole, or not at all. */
  believed(path: string): string | undefined {
    const hunks = this.deps.review?.file(path)?.hunks;
    return hunks && believedText(hunks.text, this.itemsOf(path));
  }

  noteOf(path: string): FileNote | undefined {
    return this.notes.get(path);
  }

  /** Reports an action on a file as a whole. A note that reverses an earlier one removes it from the report. */
  note(note: FileNote): void {
    const before = this.notes.get(note.path);
    const believed = before?.believed ?? note.believed;
    this.notes.delete(note.path);
    this.settleHunks(note.path);
    if (!sameState(believed, note.actual)) {
      const otherPaths = [...new Set([...(note.otherPaths ?? []), ...(this.otherPaths.get(note.path) ?? [])])];
      this.notes.set(note.path, { ...note, believed, ...(otherPaths.length > 0 && { otherPaths }) });
    }
    this.changed();
  }

  /** Called when an agent's turn has written these files, so that it knows their content. */
  written(paths: readonly string[]): void {
    if (paths.filter((path) => this.notes.delete(path)).length > 0) {
      this.changed();
    }
  }

  /** Called when a turn has moved a file: a read protection of its other path also protects the file in the report. Both are real paths. */
  moved(path: string, oldPath: string): void {
    // A chain of moves leads back to the first path.
    const others = [oldPath, ...(this.otherPaths.get(oldPath) ?? [])];
    this.otherPaths.set(path, new Set([...(this.otherPaths.get(path) ?? []), ...others]));
  }

  /** Returns the report for the prompt that is sent now, and marks it as sent; undefined when it would be empty. */
  take(): TakenReport | undefined {
    this.checkChangedAccess();
    const sections = this.sections(true);
    if (sections.length === 0) {
      return undefined;
    }
    const uri = reportUri(this.deps.sessionKey, ++this.count, this.summary);
    const unsettle = this.settle(this.paths);
    this.changed();
    void this.flush();
    return {
      content: [{ type: 'resource', uri, mimeType: 'text/markdown', text: reportText(sections) }],
      markUnsent: () => {
        unsettle();
        this.changed();
      },
    };
  }

  /** Drops changes that the user does not want to report. @param path all changes when absent */
  dismiss(path?: string): void {
    this.settle(path === undefined ? this.paths : [path]);
    this.changed();
  }

  /** Resolves when all changes are on disk. */
  async flush(): Promise<void> {
    await this.writer.flush();
  }

  dispose(): void {
    this.disposed = true;
    this.writer.dispose();
    this.accessTimer?.dispose();
    this.subscriptions.forEach((each) => each?.dispose());
    this.listeners.clear();
  }

  /** Cached for each state of a file: the summary is read after every keystroke, and hundreds of files may wait. */
  private itemsOf(path: string): readonly ReportItem[] {
    const live = this.deps.review?.file(path)?.hunks;
    if (!live) {
      this.items.delete(path);
      return [];
    }
    const { text, hunks, setAside } = live;
    const { revision } = this;
    const known = this.items.get(path);
    if (known?.hunks === hunks && known.setAside === setAside && known.revision === revision && known.text === text) {
      return known.items;
    }
    const items = reportItems(live, this.reported.get(path) ?? NOTHING_REPORTED);
    this.items.set(path, { text, hunks, setAside, revision, items });
    return items;
  }

  private sections(withDiff: boolean): readonly ReportSection[] {
    const { review, nameOf } = this.deps;
    let units = MAX_COMPARED_UNITS;
    return this.paths
      .map((path): ReportSection => {
        const items = this.itemsOf(path);
        const note = this.notes.get(path);
        const count = (what: ReportItem['what']): number => items.filter((item) => item.what === what).length;
        const [undone, changed, applied] = [count('undone'), count('changed'), count('applied')];
        const text = review?.file(path)?.hunks?.text ?? '';
        const file: ReportedFile = {
          path: nameOf(path),
          ...(undone > 0 && { undone }),
          ...(changed > 0 && { changed }),
          ...(applied > 0 && { applied }),
          ...(note && { whole: note.whole === 'restored' && note.actual.kind === 'none' ? 'deleted' : note.whole }),
        };
        if (!withDiff) {
          return { ...file, diff: '' };
        }
        const isWithheld = !this.maySend(path);
        const hasDiff = !isWithheld && items.length > 0;
        units -= hasDiff ? 2 * text.length : 0;
        const isTooLong = hasDiff && units < 0;
        const diff = hasDiff && !isTooLong ? unifiedDiff(believedText(text, items), text) : '';
        return {
          ...file,
          ...(isTooLong && { isTooLong }),
          ...(note && { words: note.words }),
          ...(isWithheld && { withheld: true }),
          diff: isWithheld ? '' : [note?.diff ?? '', diff].filter((each) => each !== '').join('\n'),
        };
      })
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** True when the text of this file may be sent, under each path that it has or had. */
  private maySend(path: string): boolean {
    const { access } = this.deps;
    const note = this.notes.get(path);
    const others = this.otherPathsOf(path);
    return (note?.moved === undefined || others.length > 0) && access.maySend([path, ...others]);
  }

  /** Returns the other real paths that a file has or had. */
  otherPathsOf(path: string): readonly string[] {
    return [...new Set([...(this.otherPaths.get(path) ?? []), ...(this.notes.get(path)?.otherPaths ?? [])])];
  }

  /**
   * Checks access immediately, but only a few times in {@link ACCESS_MS}: each check reads the state of all files, and an undo changes hundreds one
   * by one.
   */
  private accessChanged(): void {
    this.accessTimer ??= this.deps.clock.after(ACCESS_MS, () => {
      this.accessTimer = undefined;
      this.accessChecks = 0;
      this.checkChangedAccess();
    });
    this.isAccessChanged = true;
    if (++this.accessChecks <= MAX_CHECKS) {
      this.checkChangedAccess();
    }
  }

  private checkChangedAccess(): void {
    if (this.isAccessChanged && !this.disposed) {
      this.checkAccess();
    }
  }

  /** Starts the access checks of these files, because their text may be sent with the next prompt. */
  private checkAccess(): void {
    this.isAccessChanged = false;
    const files = this.deps.review?.files ?? [];
    for (const { path, oldPath } of files) {
      if (oldPath !== undefined) {
        this.moved(path, oldPath);
      }
    }
    const paths = [...files.map(({ path }) => path), ...this.notes.keys(), ...this.reported.keys()];
    this.deps.access.refresh([...new Set(paths.flatMap((path) => [path, ...this.otherPathsOf(path)]))]);
  }

  /** Marks the changes of these files as reported. Returns a function that undoes this for changes that were not reported again since. */
  private settle(paths: readonly string[]): () => void {
    const undo = paths.flatMap((path) => [this.settleHunks(path), this.settleNote(path)]);
    return () => undo.forEach((each) => each());
  }

  private settleHunks(path: string): () => void {
    const reported = this.reported.get(path) ?? new Map<number, ReportedHunk>();
    const settled = this.itemsOf(path).map((item) => ({ ...item, before: reported.get(item.hunkId) }));
    settled.forEach((item) => reported.set(item.hunkId, item.reported));
    this.reported.set(path, reported);
    this.revision++;
    return () => {
      this.revision++;
      for (const { hunkId, before, reported: now } of settled) {
        if (reported.get(hunkId) === now) {
          reported.delete(hunkId);
          void (before && reported.set(hunkId, before));
        }
      }
    };
  }

  private settleNote(path: string): () => void {
    const note = this.notes.get(path);
    this.notes.delete(path);
    return () => void (note && !this.notes.has(path) && this.notes.set(path, note));
  }

  private changed(): void {
    if (this.disposed) {
      return;
    }
    this.accessChanged();
    this.listeners.forEach((listener) => listener());
    this.writer.changed();
  }

  private async write(): Promise<void> {
    if (this.isAccessChanged) {
      this.checkAccess();
    }
    const reported = [...this.reported].flatMap(([path, hunks]): StoredReport['told'] => {
      // A hunk that no longer exists needs no record.
      const live = this.deps.review?.file(path)?.hunks;
      const ids = new Set([...(live?.hunks ?? []), ...(live?.setAside ?? [])].map(({ hunkId }) => hunkId));
      const left = [...hunks].filter(([hunkId]) => ids.has(hunkId));
      const isWithheld = !this.maySend(path);
      const kept = left.map(([hunkId, hunk]) => [hunkId, isWithheld ? withoutText(hunk) : hunk] as const);
      return kept.length > 0 ? [[path, kept]] : [];
    });
    const notes = [...this.notes.values()].map((note) => (this.maySend(note.path) ? note : { ...note, diff: '' }));
    const moves = [...this.otherPaths].map(([path, others]) => [path, [...others]] as const);
    const stored: StoredReport = { version: 1, count: this.count, told: reported, notes, ...(moves.length > 0 && { moves }) };
    await this.deps.folder.replace(NAME, Buffer.from(JSON.stringify(stored)));
  }
}

/** The items of a file, and the state that they were computed from. */
interface KnownItems {
  readonly text: string;
  readonly hunks: LiveHunks['hunks'];
  readonly setAside: LiveHunks['setAside'];
  readonly revision: number;
  readonly items: readonly ReportItem[];
}

const NOTHING_REPORTED: ReadonlyMap<number, ReportedHunk> = new Map();
