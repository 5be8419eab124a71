/**
 * The files and folders of a folder, to be found by a few letters. Filled and searched in short slices, so that with a hundred thousand files neither a
 * keystroke nor a list of git's holds up the extension host.
 */
import { lettersOf, prepare, type PreparedPath, scorePath } from './fuzzyPath';

/** ms of work until everybody else gets their turn. */
const SLICE_MS = 8;
/** Paths between two looks at the clock. */
const STRIDE = 512;
/** What a preferred path has before others that fit: less than what separates a whole name from a part of one. */
const PREFERRED = 90;
/** Paths that are kept of a folder. */
const MAX_PATHS = 500_000;

export interface PathMatch {
  readonly path: string;
  readonly isFolder: boolean;
  readonly score: number;
}

export interface PathQuery {
  readonly text: string;
  readonly limit: number;
  /** Paths that come before others that fit as well, the first of them first: what the user has open, or has mentioned before. */
  readonly preferred?: readonly string[];
  /** True when nobody wants the answer any more. */
  readonly isOver?: () => boolean;
}

export class PathIndex {
  private readonly all: PreparedPath[] = [];
  private readonly folders = new Set<string>();
  /** Paths that were removed. */
  private readonly removed = new Set<string>();
  /** What fitted last: what fits with more letters is among it. */
  private last: { readonly typed: string; readonly of: number; readonly fits: readonly number[] } | undefined;

  get size(): number {
    return this.all.length;
  }

  /** Takes paths with "/" from the folder on, each once, and the folders that they are in. One that ends with "/" is a folder. */
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

  /** As {@link add}, some milliseconds at a time. */
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

  /** The paths of `wanted` that are known, in no order. */
  those(wanted: ReadonlySet<string>): string[] {
    const found: string[] = [];
    for (const { path } of this.all) {
      if (wanted.has(path) && !this.removed.has(path) && found.push(path) === wanted.size) {
        break;
      }
    }
    return found;
  }

  /** The paths that are called so, in no order. */
  *called(isName: (name: string) => boolean): Generator<string> {
    for (const { path, name } of this.all) {
      if (isName(path.slice(name)) && !this.removed.has(path)) {
        yield path;
      }
    }
  }

  /** The best, the best first; undefined when nobody wants them any more. */
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

  /** What runs for the first time runs slowly, and the first keystroke should not be that. */
  async warmUp(): Promise<void> {
    for (const text of ['e', 'er']) {
      await this.search({ text, limit: 1 });
    }
    this.last = undefined;
  }

  private addFolder(folder: string): void {
    // Its parents are known when it is.
    for (let path = folder; path !== '' && !this.folders.has(path); path = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)) {
      this.folders.add(path);
      this.all.push(prepare(path));
    }
  }
}

/** The few best of many. */
class BestMatches {
  private readonly kept: PathMatch[] = [];
  /** What is not more is not among the best. */
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
