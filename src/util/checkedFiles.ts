/** The identity of a file: a decision about one file does not hold for another file that takes its path. */
import { nodePaths, realPathOf } from './realPath';
import type { PathSystem } from './realPath';

/** A file or folder by its real path, device and inode. */
export interface FileIdentity {
  readonly real: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** Returns the identity of the file at `path`; undefined when it does not exist, or its file system has no inode numbers. Never rejects. */
export async function identityOf(path: string, system: PathSystem = nodePaths): Promise<FileIdentity | undefined> {
  try {
    const real = await realPathOf(path, system);
    const { dev, ino } = await system.inodeOf(real);
    return ino === 0n ? undefined : { real, dev, ino };
  } catch {
    return undefined;
  }
}

/** True when both are the same file at the same real path. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.real === other.real && one.dev === other.dev && one.ino === other.ino;
}
