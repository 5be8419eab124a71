/** The facts about a repository at the beginning of a turn: its status, its index, and copies of the files that git cannot restore exactly. */
import path from 'node:path';
import { inPool } from '../../util/pool';
import type { FileStat } from '../disk/diskFiles';
import { isBelow, type GitStatus, type Repository, type RunGit } from '../disk/git';
import { filteredFiles, GitIndex, type IndexEntry } from '../disk/gitIndex';
import { markReflogs, type ReflogMark } from '../disk/gitOperations';
import { Pace } from '../disk/pace';
import { type CopiedFile, type FileStates, isSince, unknown } from './fileStates';
import { walk } from './folderSnapshot';
import { isInGitFolder, OwnFolders } from './ownFolders';
import { type Since, sinceNow } from './filesSnapshot';

/** Files that are read at the same time. Many, because the store flushes the objects that arrive together once. */
const MAX_PARALLEL = 64;
/** The most files that git does not compare with the disk. A sparse checkout has many, nearly all of them absent. */
const MAX_UNWATCHED = 5000;
/** The most copies of files with a filter, an encoding or `ident`, and their bytes. */
const MAX_FILTERED = 500;
const MAX_FILTERED_BYTES = 16 * 1024 * 1024;
/** The most ignored files whose inode and size are recorded. */
const MAX_IGNORED = 2000;
/** The tracked files that are compared with the index, and the most whose inodes are read if one differs. */
const COMPARED = 16;
const MAX_INODES = 20_000;
const INODE_BITS = 2 ** 32;

export interface RepositoryStart {
  readonly status: GitStatus;
  /** ms since the epoch when the status was complete: a file that it does not list was absent at that moment. */
  readonly listedAt: number;
  /** The index; undefined when git failed. */
  readonly index: GitIndex | undefined;
  /** Paths from the top whose bytes git cannot derive from its objects; undefined when git failed. */
  readonly filtered: ReadonlySet<string> | undefined;
  readonly reflogs: ReflogMark;
  /** Copies by path from the top. */
  readonly copies: ReadonlyMap<string, CopiedFile>;
  /** The known ignored files, by absolute path. */
  readonly ignored: ReadonlyMap<string, FileStat>;
  /** The known inodes of tracked files, by path from the top; undefined where the index has them. */
  readonly inodes: ReadonlyMap<string, number> | undefined;
}

export interface RepositoryPlace {
  readonly run: RunGit;
  readonly states: FileStates;
  /** The session's folder: the repository's top, or a folder in it. Absolute. */
  readonly root: string;
  readonly repository: Repository;
}

/** Reads the facts that do not need the status. Started in parallel with it, because each process takes time. */
export function indexFacts(
  run: RunGit,
  root: string,
  repository: Repository,
): Promise<[GitIndex | undefined, ReadonlySet<string> | undefined]> {
  return Promise.all([GitIndex.of(run, root, repository), filteredFiles(run, root)]);
}

export async function repositoryStart(
  place: RepositoryPlace,
  status: GitStatus,
  listedAt: number,
  facts: ReturnType<typeof indexFacts>,
  since: Since,
): Promise<RepositoryStart> {
  const { states, repository } = place;
  const reflogs = await markReflogs(repository);
  const copies = new Map<string, CopiedFile>();
  const pace = new Pace();
  const folders = new OwnFolders(states.files, [place.root]);
  const copy = async (file: string): Promise<void> => {
    const at = path.join(repository.top, file);
    const isForeign = isInGitFolder(at) || (await folders.isBehindLink(at));
    copies.set(file, isForeign ? { state: unknown('late'), stat: undefined } : await states.copyOf(at, since));
    await pace.step();
  };
  const dirty = pathsOf(status);
  await inPool(dirty, MAX_PARALLEL, copy);
  const [index, filtered] = await facts;
  const unwatched = (await index?.unwatched(MAX_UNWATCHED)) ?? [];
  await inPool(
    unwatched.map(({ path: file }) => file).filter((file) => !copies.has(file)),
    MAX_PARALLEL,
    copy,
  );
  const entries = index && filtered && filtered.size > 0 ? await index.find(filtered) : new Map<string, IndexEntry>();
  await inPool(affordable(entries.values(), copies, states.limits.fileBytes), MAX_PARALLEL, copy);
  const inodes = index && (await inodesOf(place, index, copies, since));
  return { status, listedAt, index, filtered, reflogs, copies, ignored: await ignoredFiles(place, status), inodes };
}

/** Reads inodes, because a copied folder, or one that a container shares, has other inodes than its index until the user's git updates that. */
async function inodesOf(
  { states, repository }: RepositoryPlace,
  index: GitIndex,
  copies: ReadonlyMap<string, CopiedFile>,
  since: Since,
): Promise<Map<string, number> | undefined> {
  const statOf = async ({ path: file }: IndexEntry): Promise<FileStat | undefined> => {
    const stat = await states.files.stat(path.join(repository.top, file)).catch(() => undefined);
    return stat && stat.kind !== 'folder' && !isSince(stat, sinceNow(since)) ? stat : undefined;
  };
  const compared = (await index.all(COMPARED)).filter(({ path: file, ino, unwatched }) => ino > 0 && !unwatched && !copies.has(file));
  const stats = await Promise.all(compared.map(statOf));
  if (stats.every((stat, at) => !stat || stat.ino % INODE_BITS === compared[at]!.ino)) {
    return undefined;
  }
  const found = new Map<string, number>();
  const pace = new Pace();
  await inPool(await index.all(MAX_INODES), MAX_PARALLEL, async (entry) => {
    const stat = await statOf(entry);
    if (stat) {
      found.set(entry.path, stat.ino);
    }
    await pace.step();
  });
  return found;
}

/** Returns the paths that a status lists, from the top. */
export function pathsOf({ entries }: GitStatus): string[] {
  const found = new Set<string>();
  for (const { path: file, oldPath } of entries) {
    found.add(file);
    if (oldPath !== undefined) {
      found.add(oldPath);
    }
  }
  return [...found];
}

function affordable(entries: Iterable<IndexEntry>, copies: ReadonlyMap<string, CopiedFile>, maxBytes: number): string[] {
  const found: string[] = [];
  let bytes = 0;
  for (const { path: file, size } of entries) {
    if (!copies.has(file) && size <= maxBytes && found.length < MAX_FILTERED && bytes + size <= MAX_FILTERED_BYTES) {
      bytes += size;
      found.push(file);
    }
  }
  return found;
}

async function ignoredFiles({ states, root, repository }: RepositoryPlace, { ignored }: GitStatus): Promise<Map<string, FileStat>> {
  const found = new Map<string, FileStat>();
  const files: string[] = [];
  for (const name of ignored ?? []) {
    const at = path.join(repository.top, name);
    if (files.length >= MAX_IGNORED) {
      break;
    }
    if (!name.endsWith('/')) {
      files.push(at);
    } else if (isBelow(at, root) && !/(?:^|\/)node_modules\/$/.test(name)) {
      files.push(...(await walk(states, at.replace(/[/\\]$/, ''), MAX_IGNORED - files.length)).files);
    }
  }
  await inPool(files, MAX_PARALLEL, async (file) => {
    const stat = await states.files.stat(file).catch(() => undefined);
    if (stat?.kind === 'file') {
      found.set(file, stat);
    }
  });
  return found;
}
