import { lstat, readlink, realpath, stat, statfs } from 'node:fs/promises';
import nodePath from 'node:path';
import type { PlatformPath } from 'node:path';

/** Which directory or file a path leads to, whatever it is called. */
export interface Inode {
  readonly dev: bigint;
  readonly ino: bigint;
  /** ns since the epoch; absent where there is none. What it is worth `lastingOf` says. */
  readonly birth?: bigint;
}

/** What of an {@link Inode} stays as long as the folder does. */
export type Lasting = 'nothing' | 'inode' | 'birth';

/** What {@link realPathOf} asks the operating system; tests bring their own. */
export interface PathSystem {
  readonly path: PlatformPath;
  /** As `fs.realpath`: every symlink and `..` followed the way the system does. */
  realpath(path: string): Promise<string>;
  /** The link's text when `path` itself is a symlink, `null` when it is something else; rejects with ENOENT when it is nothing. */
  linkOf(path: string): Promise<string | null>;
  /** Follows symlinks. */
  inodeOf(path: string): Promise<Inode>;
  /** Of the file system that holds `path`; absent: `inode`. */
  lastingOf?(path: string): Promise<Lasting>;
}

export const nodePaths: PathSystem = {
  path: nodePath,
  realpath: (path) => realpath(path),
  linkOf: async (path) => ((await lstat(path)).isSymbolicLink() ? readlink(path) : null),
  inodeOf: async (path) => {
    const { dev, ino, birthtimeNs } = await stat(path, { bigint: true });
    return { dev, ino, ...(birthtimeNs > 0n && { birth: birthtimeNs }) };
  },
  lastingOf: async (path) => {
    // On macOS an early time of change moves the time of birth, too.
    if (process.platform !== 'linux') {
      return 'inode';
    }
    const type = await statfs(path).then(
      ({ type }) => type >>> 0,
      () => 0,
    );
    return WITHOUT_INODES.has(type) ? 'nothing' : type !== OVERLAY && (await knowsBirths(path)) ? 'birth' : 'inode';
  },
};

/** Asks `system` once for each path, for many paths of the same folders in a row: its answers are as old as it is. */
export function remembering(system: PathSystem = nodePaths): PathSystem {
  const once = <Answer>(ask: (path: string) => Promise<Answer>): ((path: string) => Promise<Answer>) => {
    const known = new Map<string, Promise<Answer>>();
    return (path) => {
      const answer = known.get(path) ?? ask(path);
      known.set(path, answer);
      return answer;
    };
  };
  const { lastingOf } = system;
  return {
    path: system.path,
    realpath: once((path) => system.realpath(path)),
    linkOf: once((path) => system.linkOf(path)),
    inodeOf: once((path) => system.inodeOf(path)),
    ...(lastingOf && { lastingOf: once((path) => lastingOf(path)) }),
  };
}

/** Where Node cannot ask when a folder was made, it gives the time of the last change instead: for each and every folder. */
async function knowsBirths(path: string): Promise<boolean> {
  for (let at = path, above = ''; at !== above; above = at, at = nodePath.dirname(at)) {
    const { birthtimeNs, ctimeNs } = await stat(at, { bigint: true });
    if (birthtimeNs !== ctimeNs) {
      return true;
    }
  }
  return false;
}

/** Linux's numbers of file systems that may give a folder another inode or device while it is in use: FUSE, NFS, SMB, 9p, AFS, Ceph, VirtualBox. */
const WITHOUT_INODES = new Set([
  0x65735546, 0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x6b414653, 0x00c36400, 0x786f4256,
]);
/** Copies a folder at its first change: the inode stays, the time of birth does not. */
const OVERLAY = 0x794c7630;

/** More symlinks than this on the way to one file are taken for a loop; Linux's own limit. */
const MOST_LINKS = 40;

/**
 * The real path of a file that exists or not: real as far as something exists, the rest as given. A symlink that leads to
 * nothing yet counts as where it leads, because writing through it creates that. Rejects with the system's error when it
 * will not say (no permission, a loop).
 */
export async function realPathOf(path: string, system: PathSystem = nodePaths, links = 0): Promise<string> {
  if (links > MOST_LINKS) {
    throw Object.assign(new Error('ELOOP: too many symbolic links'), { code: 'ELOOP' });
  }
  try {
    return await system.realpath(path);
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
  }
  const { dir, base, root } = system.path.parse(path);
  if (base === '') {
    throw Object.assign(new Error(`ENOENT: ${root}`), { code: 'ENOENT' });
  }
  const link = await system.linkOf(path).catch((error: unknown) => {
    if (isMissing(error)) {
      return null;
    }
    throw error;
  });
  const parent = await realPathOf(dir, system, links);
  if (link !== null) {
    return realPathOf(joinRaw(parent, link, system), system, links + 1);
  }
  if (base === '.') {
    return parent;
  }
  // `..` after something that does not exist: the system would refuse it, creating parents would not. The parent is real
  // by now, so going up is exact; what is found there may be a symlink again.
  if (base === '..') {
    return realPathOf(system.path.dirname(parent), system, links + 1);
  }
  const joined = system.path.join(parent, base);
  // The parent's name may have changed on the way; the file may be there after all.
  return parent === dir ? joined : realPathOf(joined, system, links + 1);
}

/**
 * Whether the way to `path` leads over anything `isForeign`, be it by a symlink. Links are read one by one and none is followed, so nothing
 * foreign is asked for. True where there are too many of them.
 */
export async function leadsOver(path: string, isForeign: (path: string) => boolean, system: PathSystem = nodePaths): Promise<boolean> {
  const { parse, sep, join, dirname, isAbsolute, normalize } = system.path;
  // Windows folds `..` before it looks at anything.
  const wholeOf = (text: string): string => (sep === '\\' ? normalize(text) : text);
  const namesOf = (text: string): string[] => text.split(sep).reverse();
  let whole = wholeOf(path);
  // Two slashes are one elsewhere.
  if (sep === '\\' && isForeign(whole)) {
    return true;
  }
  let at = parse(whole).root;
  const rest = namesOf(whole.slice(at.length));
  for (let links = 0; rest.length > 0; ) {
    const name = rest.pop()!;
    if (name === '' || name === '.') {
      continue;
    }
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    if (isForeign(next)) {
      return true;
    }
    const link = await system.linkOf(next).catch(() => null);
    if (link === null) {
      at = next;
      continue;
    }
    if (++links > MOST_LINKS) {
      return true;
    }
    whole = wholeOf(link);
    if (isAbsolute(whole)) {
      if (sep === '\\' && isForeign(whole)) {
        return true;
      }
      at = parse(whole).root;
      whole = whole.slice(at.length);
    }
    rest.push(...namesOf(whole));
  }
  return false;
}

/** Nothing is there (or what should be a folder is a file). */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** `path.join` folds `link/..` before the link is followed; the system does not. */
function joinRaw(parent: string, link: string, { path: { isAbsolute, sep } }: PathSystem): string {
  return isAbsolute(link) ? link : parent + (parent.endsWith(sep) ? '' : sep) + link;
}
