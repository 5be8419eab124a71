/**
 * An index of the files and folders in a folder, searched by a few letters. It is filled and searched in short slices: with a hundred thousand
 * files, neither a keystroke nor a list from git blocks the extension host.
 */
import { lettersOf, prepare, type PreparedPath, scorePath } from './fuzzyPath';

/** ms of work before other work can run. */
const SLICE_MS = 8;
/** Paths between two checks of the clock. */
const STRIDE = 512;
/** Added to the score of a preferred path: less than the difference between a whole name and a part of one. */
const PREFERRED = 90;
/** Paths that the index holds. */
const MAX_PATHS = 500_000;

export interface PathMatch {
  readonly path: string;
  readonly isFolder: boolean;
  readonly score: number;
}

export interface PathQuery {
  readonly text: string;
  readonly limit: number;
  /** Paths that are listed before equally good ones, in this order: open or recently mentioned files. */
  readonly preferred?: readonly string[];
  /** True when the query was cancelled. */
  readonly isOver?: () => boolean;
}

export class PathIndex {
  private readonly all: PreparedPath[] = [];
  private readonly folders = new Set<string>();
  /** Paths that were removed. */
  private readonly removed = new Set<string>();
  /** The last matches. A longer text that begins the same matches only among them. */
  private last: { readonly typed: string; readonly of: number; readonly fits: readonly number[] } | undefined;

  get size(): number {
    return this.all.length;
  }

  /** Adds paths relative to the folder, with "/", each once, and their folders. A path that ends with "/" is a folder. */
  add(paths: Iterable<string>): void {
    for (const path of paths) {
      if (this.all.length >= MAX_PATHS) {
        return;
      }
      if (path.endsWith('/')) {
        this.addFolder(path);
      } else if (path !== '') {
        this.all.push(prepare(path));
        this.addFolder(path.slice(0, path.lastIndexOf('/') + 1));
      }
    }
  }

  /** Removes paths whose files no longer exist: no query finds them, not even as preferred ones. */
  remove(paths: Iterable<string>): void {
    for (const path of paths) {
      this.removed.add(path);
    }
  }

  /** Like {@link add}, some milliseconds at a time. */
  async addInSlices(paths: readonly string[]): Promise<void> {
    let since = performance.now();
    for (let at = 0; at < paths.length; at += STRIDE) {
      this.add(paths.slice(at, at + STRIDE));
      if (performance.now() - since > SLICE_MS) {
        await pause();
        since = performance.now();
      }
    }
  }

  /** The paths in `folder`, which ends with "/" or is empty, in no order. */
  *within(folder: string): Generator<string> {
    for (const { path } of this.all) {
      if (path.startsWith(folder) && path !== folder && !path.endsWith('/') && !this.removed.has(path)) {
        yield path;
      }
    }
  }

  /** The paths of `wanted` that the index has, in no order. */
  those(wanted: ReadonlySet<string>): string[] {
    const found: string[] = [];
    for (const { path } of this.all) {
      if (wanted.has(path) && !this.removed.has(path) && found.push(path) === wanted.size) {
        break;
      }
    }
    return found;
  }

  /** The paths with a matching name, in no order. */
  *called(isName: (name: string) => boolean): Generator<string> {
    for (const { path, name } of this.all) {
      if (isName(path.slice(name)) && !this.removed.has(path)) {
        yield path;
      }
    }
  }

  /** The best matches, the best first; undefined when the query was cancelled. */
  async search({ text, limit, preferred = [], isOver }: PathQuery): Promise<PathMatch[] | undefined> {
    const typed = text.toLowerCase().replaceAll('\\', '/').replace(/^\.\//, '');
    const wanted = lettersOf(typed);
    const best = new BestMatches(limit);
    preferred.forEach((path, place) => {
      const score = typed === '' ? 1 : scorePath(prepare(path), typed);
      if (score > 0 && !this.removed.has(path)) {
        best.add(path, score + PREFERRED + preferred.length - place);
      }
    });
    const isPreferred = new Set(preferred);
    const narrowed = this.last && this.last.of === this.all.length && typed.startsWith(this.last.typed) ? this.last.fits : undefined;
    const fits: number[] = [];
    const count = narrowed?.length ?? this.all.length;
    let since = performance.now();
    for (let step = 0; step < count; step++) {
      if (step % STRIDE === STRIDE - 1 && performance.now() - since > SLICE_MS) {
        await pause();
        if (isOver?.()) {
          return undefined;
        }
        since = performance.now();
      }
      const index = narrowed ? narrowed[step]! : step;
      const prepared = this.all[index]!;
      if ((prepared.letters & wanted) === wanted) {
        const score = typed === '' ? 1 : scorePath(prepared, typed, best.least);
        if (score >= 0) {
          fits.push(index);
        }
        if (score > best.least && !isPreferred.has(prepared.path) && !this.removed.has(prepared.path)) {
          best.add(prepared.path, score);
        }
      }
    }
    this.last = { typed, of: this.all.length, fits };
    return best.sorted();
  }

  /** Runs two searches, so that the code is compiled before the first keystroke. */
  async warmUp(): Promise<void> {
    for (const text of ['e', 'er']) {
      await this.search({ text, limit: 1 });
    }
    this.last = undefined;
  }

  private addFolder(folder: string): void {
    // The parents of a known folder are known, too.
    for (let path = folder; path !== '' && !this.folders.has(path); path = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)) {
      this.folders.add(path);
      this.all.push(prepare(path));
    }
  }
}

/** Collects the best matches. */
class BestMatches {
  private readonly kept: PathMatch[] = [];
  /** The score that a path must exceed to be among the best. */
  least = 0;

  constructor(private readonly limit: number) {}

  add(path: string, score: number): void {
    this.kept.push({ path, isFolder: path.endsWith('/'), score });
    if (this.kept.length >= this.limit * 2) {
      this.cut();
    }
  }

  sorted(): PathMatch[] {
    this.cut();
    return this.kept;
  }

  private cut(): void {
    this.kept.sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    this.kept.length = Math.min(this.kept.length, this.limit);
    this.least = this.kept.length < this.limit ? 0 : this.kept.at(-1)!.score;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
