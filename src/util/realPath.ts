import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import type { PlatformPath } from 'node:path';

/** Which directory or file a path leads to, whatever it is called. */
export interface Inode {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** What {@link realPathOf} asks the operating system; tests bring their own. */
export interface PathSystem {
  readonly path: PlatformPath;
  /** As `fs.realpath`: every symlink and `..` followed the way the system does. */
  realpath(path: string): Promise<string>;
  /** The link's text when `path` itself is a symlink, `null` when it is something else; rejects with ENOENT when it is nothing. */
  linkOf(path: string): Promise<string | null>;
  /** Follows symlinks. */
  inodeOf(path: string): Promise<Inode>;
}

export const nodePaths: PathSystem = {
  path: nodePath,
  realpath: (path) => realpath(path),
  linkOf: async (path) => ((await lstat(path)).isSymbolicLink() ? readlink(path) : null),
  inodeOf: (path) => stat(path, { bigint: true }),
};

/** More symlinks than this on the way to one file are taken for a loop; Linux's own limit. */
const MOST_LINKS = 40;

/**
 * The real path of a file that exists or not: real as far as something exists, the rest as given. A symlink that leads to
 * nothing yet counts as where it leads, because writing through it creates that. Rejects with the system's error when it
 * will not say (no permission, a loop).
 */
export async function realPathOf(path: string, system: PathSystem = nodePaths, links = 0): Promise<string> {
  if (links > MOST_LINKS) throw Object.assign(new Error('ELOOP: too many symbolic links'), { code: 'ELOOP' });
  try {
    return await system.realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const { dir, base, root } = system.path.parse(path);
  if (base === '') throw Object.assign(new Error(`ENOENT: ${root}`), { code: 'ENOENT' });
  const link = await system.linkOf(path).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  const parent = await realPathOf(dir, system, links);
  if (link !== null) return realPathOf(joinRaw(parent, link, system), system, links + 1);
  if (base === '.') return parent;
  // `..` after something that does not exist: the system would refuse it, creating parents would not. The parent is real
  // by now, so going up is exact; what is found there may be a symlink again.
  if (base === '..') return realPathOf(system.path.dirname(parent), system, links + 1);
  const joined = system.path.join(parent, base);
  // The parent's name may have changed on the way; the file may be there after all.
  return parent === dir ? joined : realPathOf(joined, system, links + 1);
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
