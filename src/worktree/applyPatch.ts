/**
 * Applies a patch to a working tree completely or not at all. Git checks a patch as a whole, but stops halfway when the disk is full or a filter
 * fails.
 */
import { copyFile, lstat, mkdir, readFile, readlink, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { type Failure, failureOf, fault } from '../core/model/failure';
import type { Git } from '../util/git';
import { renameOver } from '../util/windows/renameOver';
import { named } from './obstacles';
import { Reader } from './reader';
import type { FileChange } from './snapshots';
import type { TemporaryStore } from './temporaryStore';

export interface Patch {
  /** The patch's file. */
  readonly file: string;
  readonly changes: readonly FileChange[];
  /** The tree that the patch results in. */
  readonly result: string;
}

/** ms */
const APPLY_MS = 5 * 60_000;
const APPLY = ['apply', '--whitespace=nowarn', '--no-ignore-whitespace', '--binary', '-p1'];

/**
 * @throws Fault `worktree.not_applied` when no file was changed; `worktree.partly_applied` with the names of files that another program wrote while
 * the changes were reverted
 */
export async function applyPatch(git: Git, root: string, { file, changes, result }: Patch, store: TemporaryStore): Promise<void> {
  const reader = await Reader.in(git, root, { filters: true });
  const options = { env: store.env, timeoutMs: APPLY_MS };
  await reader.run([...APPLY, '--check', file], options).catch((error: unknown) => {
    throw notApplied(failureOf(error));
  });
  const copies = new Map<string, string>();
  for (const { path: name, status } of changes) {
    const copy = status === 'added' ? undefined : store.file('copy');
    if (copy !== undefined) {
      await copyPlain(path.join(root, name), copy);
      copies.set(name, copy);
    }
  }
  try {
    await reader.run([...APPLY, file], options);
  } catch (error) {
    const left: string[] = [];
    for (const { path: name } of changes) {
      const written = await reader.run(['cat-file', '--filters', `${result}:${name}`], options).then(
        ({ stdout }) => stdout,
        // A filter that fails has written nothing.
        () => Buffer.alloc(0),
      );
      if (!(await takeBack(path.join(root, name), copies.get(name), written).catch(() => false))) {
        left.push(name);
      }
    }
    throw left.length > 0 ? fault('worktree.partly_applied', named(left)) : notApplied(failureOf(error));
  }
}

function notApplied({ code, detail }: Failure): Error {
  return code === 'git.failed' ? fault('worktree.not_applied', undefined, detail === undefined ? {} : { detail }) : fault(code);
}

/** Restores one file from its copy, or deletes a new one. False when its content is neither the copy's nor a beginning of the text that Git wrote. */
async function takeBack(file: string, copy: string | undefined, written: Buffer): Promise<boolean> {
  const now = await contentOf(file);
  const before = copy === undefined ? undefined : await contentOf(copy);
  if (now !== undefined && before?.equals(now)) {
    return true;
  }
  if (now !== undefined && !written.subarray(0, now.length).equals(now)) {
    return false;
  }
  if (copy === undefined) {
    if (now !== undefined) {
      await unlink(file);
    }
    return true;
  }
  await mkdir(path.dirname(file), { recursive: true });
  const beside = `${file}.acp-host-restore`;
  await copyPlain(copy, beside);
  const isChanged = async (): Promise<boolean> => {
    const present = await contentOf(file);
    return now === undefined ? present !== undefined : present === undefined || !present.equals(now);
  };
  try {
    // Windows refuses to replace the file while a program has it open, which may write it before the next attempt.
    await renameOver(beside, file, {
      check: async () => {
        if (await isChanged()) {
          throw new Error('written by another program');
        }
      },
    });
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
  return true;
}

async function copyPlain(from: string, to: string): Promise<void> {
  const found = await lstat(from);
  await (found.isSymbolicLink() ? symlink(await readlink(from), to) : copyFile(from, to));
}

/** Undefined when there is no file. @throws when the file can't be read */
async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    const found = await lstat(file);
    return found.isSymbolicLink() ? Buffer.from(await readlink(file)) : await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') {
      return undefined;
    }
    throw error;
  }
}
