/** The snapshot of a folder without a repository. Small files are copied. Changes of larger ones are detected without a copy. */
import path from 'node:path';
import { inPool } from '../../util/pool';
import { Pace } from '../disk/pace';
import { isBelow } from '../disk/git';
import { type CopiedFile, type FileStates, isSameStat, isSince, unknown } from './fileStates';
import {
  type BroughtFiles,
  type ChangedFile,
  type EarlierFile,
  type GoneFile,
  type Since,
  sinceNow,
  type FilesSnapshot,
  type Trouble,
} from './filesSnapshot';

/** Folders of tools, whose files can be installed or built again. */
const LEFT_OUT = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.cache',
  '.gradle',
  '.tox',
  '.next',
  '.nuxt',
]);
const MAX_PARALLEL = 16;

/** @param since the beginning of the turn, in ms since the epoch @param now ms since the epoch */
export async function snapshotOfFolder(
  states: FileStates,
  root: string,
  since: Since,
  now: () => number = Date.now,
): Promise<FilesSnapshot> {
  const { limits } = states;
  const listing = await walk(states, root, limits.plainFiles);
  const listedAt = now();
  const seen = new Map<string, CopiedFile>();
  const pace = new Pace();
  await inPool(listing.files, MAX_PARALLEL, async (file) => {
    seen.set(file, await copyOf(states, file, since));
    await pace.step();
  });
  const { isWhole, failed, isTrouble } = listing;
  return new FolderSnapshot(states, { type: 'folder', root, seen, listing: { isWhole, failed, isTrouble }, listedAt });
}

async function copyOf(states: FileStates, file: string, since: Since): Promise<CopiedFile> {
  try {
    const stat = await states.files.stat(file);
    if (!stat || isSince(stat, sinceNow(since))) {
      return { stat, state: unknown('late', stat?.size) };
    }
    return await states.copyOf(file, since, states.limits.plainFileBytes);
  } catch {
    return { stat: undefined, state: unknown('unreadable') };
  }
}

/** A folder without a repository at the beginning of a turn. */
export interface FolderFacts {
  readonly type: 'folder';
  /** Absolute. */
  readonly root: string;
  /** The files of the listing, by absolute path. */
  readonly seen: ReadonlyMap<string, CopiedFile>;
  readonly listing: Omit<Listing, 'files'>;
  /** The time of the listing in ms since the epoch. */
  readonly listedAt: number;
}

export class FolderSnapshot implements FilesSnapshot {
  readonly troubles: Trouble[] = [];

  constructor(
    private readonly states: FileStates,
    private readonly start: FolderFacts,
  ) {
    this.noteFailures(start.listing);
  }

  get root(): string {
    return this.start.root;
  }

  facts(): FolderFacts {
    return this.start;
  }

  async changed(): Promise<readonly ChangedFile[]> {
    const { states } = this;
    const { seen } = this.start;
    const listing = await walk(states, this.root, states.limits.plainFiles);
    this.noteFailures(listing);
    // A limit or a failed listing hides files that still exist.
    const files = new Set([...listing.files, ...seen.keys()]);
    const changed: ChangedFile[] = [];
    const pace = new Pace();
    await inPool([...files], MAX_PARALLEL, async (file) => {
      if (await hasChanged(states, file, seen.get(file))) {
        changed.push({ path: file });
      }
      await pace.step();
    });
    return changed;
  }

  async before(paths: readonly string[]): Promise<readonly (EarlierFile | undefined)[]> {
    return paths.map((file) => {
      const seen = this.start.seen.get(file);
      if (seen) {
        return { state: seen.state, ...(seen.stat && { ino: seen.stat.ino, size: seen.stat.size, stat: seen.stat }) };
      }
      return this.holds(file) ? { state: { kind: 'none' }, absentAt: this.start.listedAt } : undefined;
    });
  }

  async gone(): Promise<readonly GoneFile[]> {
    return [];
  }

  async brought(): Promise<readonly BroughtFiles[]> {
    return [];
  }

  /** True when the walk would have found the file. */
  private holds(file: string): boolean {
    const { isWhole, failed } = this.start.listing;
    const names = path.relative(this.root, file).split(path.sep);
    return (
      isWhole && names[0] !== '..' && !names.slice(0, -1).some((name) => LEFT_OUT.has(name)) && !failed.some((each) => isBelow(file, each))
    );
  }

  private noteFailures({ failed, isTrouble }: Pick<Listing, 'failed' | 'isTrouble'>): void {
    if (isTrouble) {
      this.troubles.push({ kind: 'files', detail: failed[0]! });
    }
  }
}

/** True when the file differs from the one that was copied, or when that is unclear. */
export async function hasChanged(states: FileStates, file: string, seen: CopiedFile | undefined): Promise<boolean> {
  const stat = await states.files.stat(file).catch(() => undefined);
  if (!seen) {
    return stat !== undefined;
  }
  const isLate = seen.state.kind === 'unknown' && seen.state.reason === 'late';
  return isLate || (seen.stat && stat ? !isSameStat(seen.stat, stat) : seen.stat !== stat || seen.state.kind === 'unknown');
}

export interface Listing {
  /** Files and links, absolute. */
  readonly files: readonly string[];
  /** True when the limit did not cut the listing. */
  readonly isWhole: boolean;
  /** Folders that could not be read, or vanished meanwhile. */
  readonly failed: readonly string[];
  /** True when one of these folders still exists. */
  readonly isTrouble: boolean;
}

/** Lists the files and links below a folder, at most `most`, without the folders of tools. Links are not followed. */
export async function walk({ files }: FileStates, root: string, most: number): Promise<Listing> {
  const found: string[] = [];
  const failed: string[] = [];
  let isTrouble = false;
  const pace = new Pace();
  for (let folders = [root]; folders.length > 0; ) {
    const below: string[] = [];
    await inPool(folders, MAX_PARALLEL, async (folder) => {
      try {
        for (const { name, kind } of await files.list(folder)) {
          const at = path.join(folder, name);
          if (kind === 'folder' && !LEFT_OUT.has(name)) {
            below.push(at);
          } else if (kind === 'file' || kind === 'link') {
            found.push(at);
          }
        }
      } catch {
        failed.push(folder);
        isTrouble ||= (await files.stat(folder).catch(() => true)) !== undefined;
      }
      await pace.step();
    });
    if (found.length > most) {
      return { files: found.slice(0, most), isWhole: false, failed, isTrouble };
    }
    folders = below;
  }
  return { files: found, isWhole: true, failed, isTrouble };
}
