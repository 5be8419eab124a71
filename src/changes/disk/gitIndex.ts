/** The index at the beginning of a turn: each tracked file's object, flags, and the size and times that git saw on the disk. */
import path from 'node:path';
import type { Repository, RunGit } from './git';
import { IndexFile, type IndexEntry, type RawEntry, readIndexFile } from './indexFile';
import { Pace } from './pace';

export type { IndexEntry } from './indexFile';

/** Lines of a listed entry after its path. */
const LINES = 5;
const HEADER = /^(\S) (\d+) ([0-9a-f]+) (\d)\t([^]*)$/;
const DETAILS = /ctime: (\d+):(\d+)\n\s+mtime: (\d+):(\d+)\n\s+dev: (\d+)\s+ino: (\d+)\n[^]*?size: (\d+)/;

const TAB = 9;
const LINE_FEED = 10;
/** `H`: a file that git compares with the disk. */
const WATCHED = 72;

type Visit = (entry: RawEntry) => boolean | void;

/** The bytes from which an index is read: those of the index file, or a listing by git. */
export interface IndexSource {
  readonly kind: 'file' | 'listing';
  readonly bytes: Buffer;
  /** The folder from the top, with `/`, whose entries count; '' for all of them. */
  readonly below: string;
}

/** Decodes entries on demand: most turns need a few of many thousands. */
export class GitIndex {
  /** @param each stops when `visit` returns false */
  private constructor(
    readonly source: IndexSource,
    private readonly each: (visit: Visit) => Promise<unknown>,
  ) {}

  /**
   * Reads the tracked files below `folder`; undefined when git failed. The index file is read where its format is known. Git lists the others.
   * @param repository of the folder
   */
  static async of(run: RunGit, folder: string, { top, gitDir }: Pick<Repository, 'top' | 'gitDir'>): Promise<GitIndex | undefined> {
    const below = path.relative(top, folder).split(path.sep).join('/');
    const isInside = !/^\.\.(?:\/|$)/.test(below) && !path.isAbsolute(below);
    const file = gitDir === undefined || !isInside ? undefined : await readIndexFile(path.join(gitDir, 'index'));
    if (file) {
      return GitIndex.inFile(file, below);
    }
    const listing = await run(folder, ['ls-files', '-z', '-v', '--stage', '--debug', '--full-name']);
    return listing && GitIndex.listed(listing);
  }

  /** Returns the index of an earlier {@link source}; undefined when its bytes are not valid. */
  static async from({ kind, bytes, below }: IndexSource): Promise<GitIndex | undefined> {
    const file = kind === 'file' ? await IndexFile.of(bytes) : undefined;
    return kind === 'listing' ? GitIndex.listed(bytes) : file && GitIndex.inFile(file, below);
  }

  private static inFile(file: IndexFile, below: string): GitIndex {
    const source = { kind: 'file', bytes: file.bytes, below } as const;
    return new GitIndex(source, (visit) => file.each(below === '' ? visit : (entry) => !entry.isBelow(below) || visit(entry)));
  }

  private static listed(bytes: Buffer): GitIndex {
    return new GitIndex({ kind: 'listing', bytes, below: '' }, (visit) => eachListed(bytes, visit));
  }

  /** Returns the entries of these paths, from the top. Conflicts have none. */
  async find(paths: ReadonlySet<string>): Promise<Map<string, IndexEntry>> {
    const found = new Map<string, IndexEntry>();
    if (paths.size > 0) {
      await this.each((raw) => {
        const file = raw.path();
        const entry = paths.has(file) ? raw.decode() : undefined;
        if (entry) {
          found.set(file, entry);
        }
      });
    }
    return found;
  }

  /** Returns the entries that git does not compare with the disk, at most `most`. */
  async unwatched(most: number): Promise<IndexEntry[]> {
    const found: IndexEntry[] = [];
    await this.each((raw) => {
      const entry = raw.isWatched || found.length >= most ? undefined : raw.decode();
      if (entry?.unwatched) {
        found.push(entry);
      }
    });
    return found;
  }

  /** Returns the entries, at most `most`. */
  async all(most = Infinity): Promise<IndexEntry[]> {
    const found: IndexEntry[] = [];
    await this.each((raw) => {
      const entry = raw.decode();
      if (entry) {
        found.push(entry);
      }
      return found.length < most;
    });
    return found;
  }
}

async function eachListed(listing: Buffer, visit: Visit): Promise<void> {
  const pace = new Pace();
  for (let at = 0; at < listing.length; ) {
    const end = listing.indexOf(0, at);
    let next = end + 1;
    for (let line = 0; line < LINES && next > 0; line++) {
      next = listing.indexOf(LINE_FEED, next) + 1;
    }
    if (end < 0 || next <= 0 || visit(listedEntry(listing.subarray(at, end), listing.subarray(end + 1, next))) === false) {
      return;
    }
    at = next;
    await pace.step();
  }
}

function listedEntry(header: Buffer, details: Buffer): RawEntry {
  return {
    isWatched: header[0] === WATCHED,
    // Git has listed only the files of the folder.
    isBelow: () => true,
    path: () => header.toString('utf8', header.indexOf(TAB) + 1),
    decode: () => entryOf(header, details),
  };
}

function entryOf(header: Buffer, details: Buffer): IndexEntry | undefined {
  const [, tag, mode, oid, stage, file] = HEADER.exec(header.toString()) ?? [];
  const times = DETAILS.exec(details.toString('latin1'))?.slice(1).map(Number);
  if (file === undefined || stage !== '0' || !times) {
    return undefined;
  }
  const [ctime = 0, ctimeNs = 0, mtime = 0, mtimeNs = 0, dev = 0, ino = 0, size = 0] = times;
  const mtimeMs = mtime * 1000 + mtimeNs / 1e6;
  const ctimeMs = ctime * 1000 + ctimeNs / 1e6;
  return {
    path: file,
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
