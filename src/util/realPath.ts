import { lstat, readlink, realpath, stat, statfs } from 'node:fs/promises';
import nodePath from 'node:path';
import type { PlatformPath } from 'node:path';

/** The identity of the directory or file at a path, independent of its name. */
export interface Inode {
  readonly dev: bigint;
  readonly ino: bigint;
  /** ns since the epoch; absent where there is none. `lastingOf` reports whether it is reliable. */
  readonly birth?: bigint;
}

/** The part of an {@link Inode} that does not change as long as the folder exists. */
export type Lasting = 'nothing' | 'inode' | 'birth';

/** The system calls of {@link realPathOf}. Tests replace them. */
export interface PathSystem {
  readonly path: PlatformPath;
  /** Works like `fs.realpath`: follows every symlink and `..` the way the system does. */
  realpath(path: string): Promise<string>;
  /** Returns the link's text when `path` itself is a symlink, and `null` when it is something else. Rejects with ENOENT when it does not exist. */
  linkOf(path: string): Promise<string | null>;
  /** Follows symlinks. */
  inodeOf(path: string): Promise<Inode>;
  /** Returns the lasting part for the file system of `path`; `inode` when the method is absent. */
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
    // On macOS, setting an earlier modification time changes the birth time, too.
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

/** Caches the results of `system` for each path, for many paths in the same folders. The cache is never refreshed. */
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

/** False where Node cannot read birth times and returns the change time instead, for every folder. */
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
/** Overlayfs copies a folder at its first change: the inode stays, the birth time does not. */
const OVERLAY = 0x794c7630;

/** The most symlinks on the way to one file. More count as a loop; Linux has the same limit. */
const MAX_LINKS = 40;

/**
 * Returns the real path of a file that may not exist: real as far as something exists, the rest unchanged. A symlink to a missing target resolves to
 * that target, because writing through it creates the target. Rejects with the system's error, such as a missing permission or a loop.
 */
export async function realPathOf(path: string, system: PathSystem = nodePaths, links = 0): Promise<string> {
  if (links > MAX_LINKS) {
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
  // `..` after a missing part: the system would refuse it, creating parents would not. The parent is real by now, so going up is exact. The result
  // may be a symlink again.
  if (base === '..') {
    return realPathOf(system.path.dirname(parent), system, links + 1);
  }
  const joined = system.path.join(parent, base);
  // The parent's name may have changed on the way, so the file may exist after all.
  return parent === dir ? joined : realPathOf(joined, system, links + 1);
}

/**
 * True when the path leads through a part for which `isForeign` is true, also by a symlink. Links are read one by one and never followed, so nothing
 * foreign is accessed. Also true when there are too many links.
 */
export async function leadsOver(path: string, isForeign: (path: string) => boolean, system: PathSystem = nodePaths): Promise<boolean> {
  const { parse, sep, join, dirname, isAbsolute, normalize } = system.path;
  // Windows resolves `..` before it reads anything.
  const wholeOf = (text: string): string => (sep === '\\' ? normalize(text) : text);
  const namesOf = (text: string): string[] => text.split(sep).reverse();
  let whole = wholeOf(path);
  // On other systems two slashes count as one.
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
    if (++links > MAX_LINKS) {
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

/** True when the file does not exist, or a parent folder is a file. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Joins without resolving `link/..`. `path.join` would resolve it before the link is followed; the system does not. */
function joinRaw(parent: string, link: string, { path: { isAbsolute, sep } }: PathSystem): string {
  return isAbsolute(link) ? link : parent + (parent.endsWith(sep) ? '' : sep) + link;
}
