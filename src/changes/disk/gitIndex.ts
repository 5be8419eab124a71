/** The index as it was when a turn began: each tracked file's object, flags, and the size and times that git saw on the disk. */
import { Pace } from './pace';
import type { RunGit } from './git';

export interface IndexEntry {
  /** From the repository's top, with `/`. */
  readonly path: string;
  readonly oid: string;
  readonly mode: number;
  /** Git does not compare the file with the disk: skip-worktree, or assume-unchanged. */
  readonly unwatched: boolean;
  /** Bytes on the disk when git last compared the file; 0 when git does not know. */
  readonly size: number;
  /** ms since the epoch; the later one of the two times that git stores. */
  readonly changedMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** The lower 32 bits. */
  readonly ino: number;
  /** The lower 32 bits. */
  readonly dev: number;
}

/** Lines of a listed entry after its path. */
const LINES = 5;
const HEADER = /^(\S) (\d+) ([0-9a-f]+) (\d)\t([^]*)$/;
const DETAILS = /ctime: (\d+):(\d+)\n\s+mtime: (\d+):(\d+)\n\s+dev: (\d+)\s+ino: (\d+)\n[^]*?size: (\d+)/;

const LINE_FEED = 10;
/** `H`: a file that git compares with the disk. */
const WATCHED = 72;

/** A listing that is parsed when it is needed: most turns need a few entries of many thousands. */
export class GitIndex {
  private constructor(private readonly listing: Buffer) {}

  /** Lists the tracked files below `folder`; undefined when git failed. */
  static async of(run: RunGit, folder: string): Promise<GitIndex | undefined> {
    const listing = await run(folder, ['ls-files', '-z', '-v', '--stage', '--debug', '--full-name']);
    return listing && new GitIndex(listing);
  }

  /** Returns the entries of these paths, from the top. Conflicts have none. */
  async find(paths: ReadonlySet<string>): Promise<Map<string, IndexEntry>> {
    const found = new Map<string, IndexEntry>();
    await this.each((header, details) => {
      const tab = header.indexOf(9);
      const path = paths.size === 0 ? '' : header.toString('utf8', tab + 1);
      const entry = paths.has(path) ? entryOf(header, details) : undefined;
      if (entry) {
        found.set(path, entry);
      }
    });
    return found;
  }

  /** Returns the entries that git does not compare with the disk, at most `most`. */
  async unwatched(most: number): Promise<IndexEntry[]> {
    const found: IndexEntry[] = [];
    await this.each((header, details) => {
      const entry = header[0] !== WATCHED && found.length < most ? entryOf(header, details) : undefined;
      if (entry?.unwatched) {
        found.push(entry);
      }
    });
    return found;
  }

  /** Returns the entries, at most `most`. */
  async all(most = Infinity): Promise<IndexEntry[]> {
    const found: IndexEntry[] = [];
    await this.each((header, details) => {
      const entry = entryOf(header, details);
      if (entry) {
        found.push(entry);
      }
      return found.length < most;
    });
    return found;
  }

  /** Stops when `visit` returns false. */
  private async each(visit: (header: Buffer, details: Buffer) => boolean | void): Promise<void> {
    const { listing } = this;
    const pace = new Pace();
    for (let at = 0; at < listing.length; ) {
      const end = listing.indexOf(0, at);
      let next = end + 1;
      for (let line = 0; line < LINES && next > 0; line++) {
        next = listing.indexOf(LINE_FEED, next) + 1;
      }
      if (end < 0 || next <= 0) {
        return;
      }
      if (visit(listing.subarray(at, end), listing.subarray(end + 1, next)) === false) {
        return;
      }
      at = next;
      await pace.step();
    }
  }
}

function entryOf(header: Buffer, details: Buffer): IndexEntry | undefined {
  const [, tag, mode, oid, stage, path] = HEADER.exec(header.toString()) ?? [];
  const times = DETAILS.exec(details.toString('latin1'))?.slice(1).map(Number);
  if (path === undefined || stage !== '0' || !times) {
    return undefined;
  }
  const [ctime = 0, ctimeNs = 0, mtime = 0, mtimeNs = 0, dev = 0, ino = 0, size = 0] = times;
  const mtimeMs = mtime * 1000 + mtimeNs / 1e6;
  const ctimeMs = ctime * 1000 + ctimeNs / 1e6;
  return {
    path,
    oid: oid!,
    mode: Number.parseInt(mode!, 8),
    unwatched: tag !== 'H' && tag !== 'M',
    size,
    changedMs: Math.max(ctimeMs, mtimeMs),
    mtimeMs,
    ctimeMs,
    ino,
    dev,
  };
}

/**
 * Returns the tracked files below `folder`, from the top, whose bytes on the disk git cannot derive from its objects: those with a filter (LFS), an
 * encoding, or `ident`. Undefined when git failed.
 */
export async function filteredFiles(run: RunGit, folder: string): Promise<ReadonlySet<string> | undefined> {
  const listing = await run(folder, ['ls-files', '-z', '--full-name', '--', '.', ':(exclude,attr:!filter !ident !working-tree-encoding)']);
  if (!listing) {
    return undefined;
  }
  const found = new Set<string>();
  const pace = new Pace();
  for (let at = 0; at < listing.length; ) {
    const end = listing.indexOf(0, at);
    if (end < 0) {
      return undefined;
    }
    found.add(listing.toString('utf8', at, end));
    at = end + 1;
    await pace.step();
  }
  return found;
}
