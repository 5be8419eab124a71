/** The problems of the files that agents write, before and after: for `edit_result`, for the answers of other tools, and for the next prompt. */
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { FileProblems, Problem, ProblemsPort } from './language';
import { type ProblemChanges, problemChanges, problemKey } from './problemChanges';

/** The state of the problems before an edit. */
interface Baseline {
  /** ms since the epoch. */
  readonly at: number;
  /** Problems of all files, by path: an edit may break others. */
  readonly all: ReadonlyMap<string, FileProblems>;
  /** The open files whose problems were known. */
  readonly wasAnalysed: ReadonlySet<string>;
}

interface WrittenFile {
  readonly before: Baseline;
  /** ms since the epoch; undefined until the file was written. */
  writtenAt: number | undefined;
  /** True when its result was reported, so that the next write begins a new comparison. */
  isReported: boolean;
  /** False until it is known that the session's agent may read the messages of its problems. */
  mayName: boolean;
}

export interface EditResult {
  readonly writtenAt: number;
  /** False when the file's problems before the edit are not known, because nothing had analysed it. Then `changes` compares with none. */
  readonly isKnown: boolean;
  readonly changes: ProblemChanges;
}

export interface NewProblems {
  readonly path: string;
  readonly added: readonly Problem[];
}

/** The most files of a session that are followed. The oldest are forgotten. */
const MAX_FILES = 200;
/** ms between a write and the last moment at which its language server may begin to report. */
const FIRST_MS = 3000;
/** ms without a change of the problems after which they count as complete. */
const QUIET_MS = 1000;

export class AfterEdits implements Disposable {
  private readonly sessions = new Map<string, Map<string, WrittenFile>>();
  /** The new problems that each session has got, by path and key. */
  private readonly told = new Map<string, Set<string>>();
  /** ms since the epoch of the last change of the problems of a file. */
  private readonly changedAt = new Map<string, number>();
  private readonly subscription: Disposable;

  constructor(
    private readonly port: ProblemsPort,
    private readonly clock: Clock,
    /** See `mayNameProblems`. Undefined: for all files. */
    private readonly mayName?: (key: string, path: string) => Promise<boolean>,
  ) {
    this.subscription = port.onDidChange((paths) => {
      if (this.sessions.size > 0) {
        paths.forEach((path) => this.changedAt.set(path, clock.now()));
      }
    });
  }

  dispose(): void {
    this.subscription.dispose();
    this.sessions.clear();
    this.told.clear();
    this.changedAt.clear();
  }

  /** Remembers the problems before the session's agent writes these files. A later call before the result was reported changes nothing. */
  beforeWrite(key: string, paths: readonly string[]): void {
    const files = this.sessions.get(key) ?? new Map<string, WrittenFile>();
    this.sessions.set(key, files);
    const begun = paths.filter((path) => files.get(path)?.isReported !== false);
    this.forgetGone(key, paths);
    if (begun.length === 0) {
      return;
    }
    const before = this.baseline();
    for (const path of begun) {
      files.delete(path);
      const file = { before, writtenAt: undefined, isReported: false, mayName: !this.mayName };
      files.set(path, file);
      this.mayName?.(key, path).then(
        (mayName) => (file.mayName = mayName),
        () => undefined,
      );
      this.told.get(key)?.forEach((each) => each.startsWith(`${path}\0`) && this.told.get(key)!.delete(each));
    }
    while (files.size > MAX_FILES) {
      files.delete(files.keys().next().value!);
    }
  }

  /** Reports that the session's agent has written these files. */
  written(key: string, paths: readonly string[]): void {
    this.beforeWrite(key, paths);
    const now = this.clock.now();
    paths.forEach((path) => {
      const file = this.sessions.get(key)?.get(path);
      if (file) {
        file.writtenAt = now;
        file.isReported = false;
      }
    });
  }

  forget(key: string): void {
    this.sessions.delete(key);
    this.told.delete(key);
    if (this.sessions.size === 0) {
      this.changedAt.clear();
    }
  }

  /** True when the session's agent has written the file. */
  isWritten(key: string, path: string): boolean {
    return this.sessions.get(key)?.get(path)?.writtenAt !== undefined;
  }

  /**
   * Resolves to true when the language servers have probably reported the problems after the last write, to false after `limit` ms.
   * @param isJustOpened true when the file's document was opened for this call
   */
  async settled(key: string, path: string, isJustOpened: boolean, limit: number, signal: AbortSignal): Promise<boolean> {
    const opened = isJustOpened ? this.clock.now() : 0;
    const end = this.clock.now() + limit;
    while (!signal.aborted) {
      const now = this.clock.now();
      const changed = this.changedAt.get(path) ?? 0;
      const since = opened || this.textAt(key, path);
      const isSettled = changed >= since ? now - changed >= QUIET_MS : now - since >= FIRST_MS;
      if (isSettled) {
        return true;
      }
      if (now >= end) {
        return false;
      }
      await this.pause(Math.min(100, end - now), signal);
    }
    return false;
  }

  /** Returns the problems of a written file since before its edit. Undefined when the session's agent has not written it. */
  result(key: string, path: string): EditResult | undefined {
    const file = this.sessions.get(key)?.get(path);
    if (file?.writtenAt === undefined) {
      return undefined;
    }
    file.isReported = true;
    const { all, wasAnalysed } = file.before;
    const before = all.get(path)?.problems ?? [];
    const changes = problemChanges(before, this.port.of(path));
    changes.added.forEach((problem) => this.tell(key, path, problem));
    return { writtenAt: file.writtenAt, isKnown: wasAnalysed.has(path) || before.length > 0, changes };
  }

  /** Returns the new problems of other files since before the edit of `path`. */
  elsewhere(key: string, path: string): readonly NewProblems[] {
    const before = this.sessions.get(key)?.get(path)?.before;
    if (!before) {
      return [];
    }
    const changed = [...this.changedAt].flatMap(([other, at]) => (at >= before.at && other !== path ? [other] : []));
    return changed.flatMap((other) => {
      const old = before.all.get(other)?.problems;
      // A file that was neither open nor had problems may only have been opened since.
      if (old === undefined && !before.wasAnalysed.has(other)) {
        return [];
      }
      const { added } = problemChanges(old ?? [], this.port.of(other));
      return added.length === 0 ? [] : [{ path: other, added }];
    });
  }

  /** Takes the new problems of written files that the session's agent has not got yet. Problems of files that were not analysed before are left out. */
  take(key: string): readonly NewProblems[] {
    const files = [...(this.sessions.get(key) ?? [])];
    return files.flatMap(([path, { before, writtenAt, mayName }]) => {
      const old = before.all.get(path)?.problems;
      if (writtenAt === undefined || !mayName || (old === undefined && !before.wasAnalysed.has(path))) {
        return [];
      }
      const { added } = problemChanges(old ?? [], this.port.of(path));
      const unknown = added.filter(({ severity, ...rest }) => severity <= 2 && !this.isTold(key, path, { severity, ...rest }));
      unknown.forEach((problem) => this.tell(key, path, problem));
      return unknown.length === 0 ? [] : [{ path, added: unknown }];
    });
  }

  /** Gives back what {@link take} returned, because the agent has not received it. */
  untake(key: string, taken: readonly NewProblems[]): void {
    taken.forEach(({ path, added }) => added.forEach((problem) => this.told.get(key)?.delete(toldKey(path, problem))));
  }

  /** Returns ms since the epoch from which the problems are those of the new text: the editor reads a file again some time after it was written. */
  private textAt(key: string, path: string): number {
    const { before, writtenAt = 0 } = this.sessions.get(key)?.get(path) ?? {};
    const changed = this.port.textChangedAt(path);
    return before && changed !== undefined && changed >= before.at ? changed : writtenAt;
  }

  /** A problem that is gone before a write counts as new when it is there after it. */
  private forgetGone(key: string, paths: readonly string[]): void {
    const told = this.told.get(key);
    if (!told || told.size === 0) {
      return;
    }
    // While a text is checked, its problems are not known.
    const known = this.port.analysedPaths();
    for (const path of paths.filter((each) => known.has(each))) {
      const present = new Set(this.port.of(path).map((problem) => toldKey(path, problem)));
      told.forEach((each) => each.startsWith(`${path}\0`) && !present.has(each) && told.delete(each));
    }
  }

  private baseline(): Baseline {
    return {
      at: this.clock.now(),
      all: new Map(this.port.all().map((file) => [file.path, file])),
      wasAnalysed: this.port.analysedPaths(),
    };
  }

  private tell(key: string, path: string, problem: Problem): void {
    const told = this.told.get(key) ?? new Set<string>();
    this.told.set(key, told);
    told.add(toldKey(path, problem));
  }

  private isTold(key: string, path: string, problem: Problem): boolean {
    return this.told.get(key)?.has(toldKey(path, problem)) === true;
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        timer.dispose();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = this.clock.after(ms, end);
      signal.addEventListener('abort', end);
    });
  }
}

function toldKey(path: string, problem: Problem): string {
  return `${path}\0${problemKey(problem)}`;
}
