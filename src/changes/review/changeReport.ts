/**
 * What the user did with an agent's changes and the agent does not know: it goes with the next prompt, once. What was told, or taken out by the user, is
 * kept beside the review, so that nothing is told again after a reload.
 */
import { type ChangeReportSummary, type ReportedFile, reportUri } from '../../core/fileChanges/changeReport';
import { type FileState, sameState } from '../../core/fileChanges/records';
import type { ContentBlock } from '../../core/model/content';
import type { Clock, Disposable } from '../../core/model/ports';
import { unifiedDiff } from '../../text/diff/unified';
import type { LiveHunks } from '../hunks/liveHunks';
import type { StoreFolder } from '../store/storeFolder';
import { LateWriter } from './lateWriter';
import { believedText, type ReportItem, reportItems, type ReportedHunk } from './reportItems';
import { type ReportSection, reportText } from './reportText';
import type { Review } from './review';

export interface ChangeReportDependencies {
  readonly sessionKey: string;
  readonly folder: StoreFolder;
  readonly clock: Clock;
  /** Absent: changes are not reviewed. */
  readonly review: Review | undefined;
  /** The report could not be written, after it could be before. It is written again with the next change. */
  onFailed?(error: unknown): void;
  /** A file as the session names it. */
  nameOf(path: string): string;
  /** True when the conversation has a message with this resource: it was sent, whatever became of us after that. */
  wasSent(uri: string): boolean;
}

/** Something that was done to a file as a whole. */
export interface FileNote {
  /** Real. */
  readonly path: string;
  readonly whole: 'undone' | 'restored';
  /** For the agent. */
  readonly words: string;
  /** As the agent knows it, and as it is. */
  readonly believed: FileState;
  readonly actual: FileState;
  readonly diff: string;
  /** It has, or had, another path besides. */
  readonly moved?: true;
}

/** What goes with a prompt. */
export interface TakenReport {
  readonly content: readonly ContentBlock[];
  /** Nobody has got it: it goes with the next one. */
  markUnsent(): void;
}

interface Stored {
  readonly version: 1;
  readonly count: number;
  readonly told: readonly (readonly [path: string, hunks: readonly (readonly [hunkId: number, told: ReportedHunk])[]])[];
  readonly notes: readonly FileNote[];
}

const NAME = 'report.json';
/** UTF-16 units of texts that are compared for a report: about 40 ms, while the prompt waits. */
const MAX_COMPARED_UNITS = 4 * 1024 * 1024;
/** ms after which it is on disk. */
const KEEP_MS = 200;

export class ChangeReport implements Disposable {
  private readonly told = new Map<string, Map<number, ReportedHunk>>();
  private readonly notes = new Map<string, FileNote>();
  private readonly items = new Map<string, KnownItems>();
  /** Counts the changes of `told`. */
  private revision = 0;
  /** Reports taken so far. */
  private count = 0;
  private readonly listeners = new Set<() => void>();
  private readonly subscription: Disposable | undefined;
  private readonly writer: LateWriter;
  private disposed = false;

  constructor(private readonly ports: ChangeReportDependencies) {
    this.writer = new LateWriter(
      ports.clock,
      KEEP_MS,
      () => this.write(),
      (error) => ports.onFailed?.(error),
    );
    this.subscription = ports.review?.onDidChange(() => this.listeners.forEach((listener) => listener()));
  }

  /** After the review was loaded. */
  async load(): Promise<void> {
    const stored = storedIn(await this.ports.folder.readAll(NAME));
    if (stored) {
      this.count = Math.max(this.count, stored.count);
      this.revision++;
      stored.told.forEach(([path, hunks]) => this.told.set(path, new Map([...hunks, ...(this.told.get(path) ?? [])])));
      stored.notes.forEach((note) => this.notes.has(note.path) || this.notes.set(note.path, note));
    }
    // It left with a prompt, and a crash came before that could be kept.
    while (this.ports.wasSent(reportUri(this.ports.sessionKey, this.count + 1))) {
      this.count++;
      this.settle(this.paths);
    }
    this.changed();
  }

  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** The content of the next report. */
  get summary(): ChangeReportSummary {
    return this.sections(false).map(({ diff: _, words: __, isTooLong: ___, ...file }) => file);
  }

  /** Ids of the changes of a file that are undone and not told. */
  undoneOf(path: string): readonly number[] {
    return this.itemsOf(path).flatMap(({ what, hunkId }) => (what === 'undone' ? [hunkId] : []));
  }

  /** The files that the report is about, by their real paths. */
  get paths(): readonly string[] {
    return [...new Set([...(this.ports.review?.files ?? []).map(({ path }) => path), ...this.notes.keys()])].filter(
      (path) => this.notes.has(path) || this.itemsOf(path).length > 0,
    );
  }

  /** A file's text as the agent believes it to be; undefined where it is reported as a whole, or not at all. */
  believed(path: string): string | undefined {
    const hunks = this.ports.review?.file(path)?.hunks;
    return hunks && believedText(hunks.text, this.itemsOf(path));
  }

  noteOf(path: string): FileNote | undefined {
    return this.notes.get(path);
  }

  /** What was done to a file as a whole; what takes that back takes it out of the report. */
  note(note: FileNote): void {
    const before = this.notes.get(note.path);
    const believed = before?.believed ?? note.believed;
    this.notes.delete(note.path);
    this.settleHunks(note.path);
    if (!sameState(believed, note.actual)) {
      this.notes.set(note.path, { ...note, believed });
    }
    this.changed();
  }

  /** An agent's turn has written these: it knows what is in them. */
  written(paths: readonly string[]): void {
    if (paths.filter((path) => this.notes.delete(path)).length > 0) {
      this.changed();
    }
  }

  /** Returns the report for the prompt that is sent now, and marks it as sent; undefined when it would be empty. */
  take(): TakenReport | undefined {
    const sections = this.sections(true);
    if (sections.length === 0) {
      return undefined;
    }
    const uri = reportUri(this.ports.sessionKey, ++this.count);
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

  /** The user does not want it told. @param path absent: all of it */
  dismiss(path?: string): void {
    this.settle(path === undefined ? this.paths : [path]);
    this.changed();
  }

  /** All of it is on disk when this resolves. */
  async flush(): Promise<void> {
    await this.writer.flush();
  }

  dispose(): void {
    this.disposed = true;
    this.writer.dispose();
    this.subscription?.dispose();
    this.listeners.clear();
  }

  /** Computed once for each state of a file: the summary is read after every keystroke, and hundreds of files may wait. */
  private itemsOf(path: string): readonly ReportItem[] {
    const live = this.ports.review?.file(path)?.hunks;
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
    const items = reportItems(live, this.told.get(path) ?? NOTHING_REPORTED);
    this.items.set(path, { text, hunks, setAside, revision, items });
    return items;
  }

  private sections(withDiff: boolean): readonly ReportSection[] {
    const { review, nameOf } = this.ports;
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
          ...(note && { whole: note.whole }),
        };
        units -= withDiff && items.length > 0 ? 2 * text.length : 0;
        const isTooLong = units < 0;
        const diff = withDiff && items.length > 0 && !isTooLong ? unifiedDiff(believedText(text, items), text) : '';
        return {
          ...file,
          ...(isTooLong && { isTooLong }),
          ...(note && { words: note.words }),
          diff: [note?.diff ?? '', diff].filter((each) => each !== '').join('\n'),
        };
      })
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Marks the changes of these files as reported. Returns a function that undoes this for changes that were not reported again since. */
  private settle(paths: readonly string[]): () => void {
    const undo = paths.flatMap((path) => [this.settleHunks(path), this.settleNote(path)]);
    return () => undo.forEach((each) => each());
  }

  private settleHunks(path: string): () => void {
    const told = this.told.get(path) ?? new Map<number, ReportedHunk>();
    const settled = this.itemsOf(path).map((item) => ({ ...item, before: told.get(item.hunkId) }));
    settled.forEach((item) => told.set(item.hunkId, item.told));
    this.told.set(path, told);
    this.revision++;
    return () => {
      this.revision++;
      for (const { hunkId, before, told: now } of settled) {
        if (told.get(hunkId) === now) {
          told.delete(hunkId);
          void (before && told.set(hunkId, before));
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
    this.listeners.forEach((listener) => listener());
    this.writer.changed();
  }

  private async write(): Promise<void> {
    const told = [...this.told].flatMap(([path, hunks]): Stored['told'] => {
      // Of a hunk that is gone nobody asks any more.
      const live = this.ports.review?.file(path)?.hunks;
      const ids = new Set([...(live?.hunks ?? []), ...(live?.setAside ?? [])].map(({ hunkId }) => hunkId));
      const left = [...hunks].filter(([hunkId]) => ids.has(hunkId));
      return left.length > 0 ? [[path, left]] : [];
    });
    const stored: Stored = { version: 1, count: this.count, told, notes: [...this.notes.values()] };
    await this.ports.folder.replace(NAME, Buffer.from(JSON.stringify(stored)));
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

function storedIn(bytes: Uint8Array | undefined): Stored | undefined {
  try {
    const stored = bytes && (JSON.parse(Buffer.from(bytes).toString()) as Partial<Stored>);
    return stored?.version === 1 && Array.isArray(stored.told) && Array.isArray(stored.notes) ? (stored as Stored) : undefined;
  } catch {
    return undefined;
  }
}
