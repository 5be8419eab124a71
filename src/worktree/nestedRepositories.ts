/** Copies repositories that are in a worktree without being its submodules. No tree object holds them, so they are copied as folders. */
import { randomUUID } from 'node:crypto';
import { cp, lstat, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { renameOver } from '../util/windows/renameOver';
import { isRealFolder, isRepository, isSafeParent } from './realFolders';

export interface NestedCopies {
  /** Copied completely, with their Git folder. */
  readonly copied: readonly string[];
  /** Not copied, because the target path exists or their Git folder is elsewhere. */
  readonly left: readonly string[];
  /** Moves the copies to their target paths. @throws when one exists by now: the copies are deleted then */
  finish(): Promise<void>;
  /** Deletes copies that were not moved. */
  discard(): Promise<void>;
}

/** True when the folder is a repository whose Git folder lies inside of it. */
export async function isWholeRepository(root: string, inside: string): Promise<boolean> {
  return (await isRepository(root, inside)) && (await isRealFolder(root, `${inside}/.git`));
}

/** Copies into a temporary folder of `to`; {@link NestedCopies.finish} moves them. */
export async function copyNested(from: string, to: string, names: readonly string[]): Promise<NestedCopies> {
  const waiting = path.join(to, `.acp-host-${randomUUID()}`);
  const copied: string[] = [];
  const left: string[] = [];
  for (const [index, name] of names.entries()) {
    const isFree = (await lstat(path.join(to, name)).catch(() => undefined)) === undefined && (await isSafeParent(to, name));
    if (!isFree || !(await isWholeRepository(from, name))) {
      left.push(name);
      continue;
    }
    try {
      await mkdir(waiting, { recursive: true });
      await cp(path.join(from, name), path.join(waiting, String(index)), COPY);
      copied.push(name);
    } catch {
      await rm(path.join(waiting, String(index)), { recursive: true, force: true });
      left.push(name);
    }
  }
  const discard = (): Promise<void> => rm(waiting, { recursive: true, force: true });
  return {
    copied,
    left,
    discard,
    finish: async () => {
      try {
        for (const name of copied) {
          const target = path.join(to, name);
          await mkdir(path.dirname(target), { recursive: true });
          await renameOver(path.join(waiting, String(names.indexOf(name))), target);
        }
      } finally {
        await discard();
      }
    },
  };
}

/** Keeps links as links and never replaces an existing file. */
export const COPY = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, errorOnExist: true, force: false } as const;
