/**
 * Renames and deletions that wait for other programs. Windows refuses to replace, rename or delete a file while any program has it open. Virus
 * scanners, search indexers and other windows do that for a moment, so a refusal is tried again for a limited time.
 */
import { lstat, rename, rm } from 'node:fs/promises';

/** ms for all attempts together. Scanners keep a file for less than a second; a file that stays open longer is an error to report. */
const LIMIT_MS = 5000;
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 100;

/** For tests. */
export interface RetryDependencies {
  readonly platform?: NodeJS.Platform;
  readonly limitMs?: number;
}

export interface RenameDependencies extends RetryDependencies {
  /** Default: Node's. */
  rename?(from: string, to: string): Promise<void>;
  /**
   * Called right before each attempt, because the program that has the file open may write it until the next one. An error of it ends the attempts.
   */
  check?(): Promise<void> | void;
}

/** Renames `from` to `to`, and replaces a file there. @throws the last error of the system, or that of `check` */
export async function renameOver(from: string, to: string, deps: RenameDependencies = {}): Promise<void> {
  // A folder in the way stays there.
  await whileInUse(
    async () => {
      await deps.check?.();
      await (deps.rename ?? rename)(from, to);
    },
    deps,
    async () => !(await isFolder(to)),
  );
}

/** Deletes a file, if it exists. @throws the last error of the system */
export async function removeFile(file: string, deps: RetryDependencies = {}): Promise<void> {
  await whileInUse(() => rm(file, { force: true }), deps);
}

/**
 * Repeats `act` while Windows reports that a program has a file open. Elsewhere it runs once.
 * @param canChange false when the same error is certain the next time
 */
export async function whileInUse(
  act: () => Promise<void>,
  { platform = process.platform, limitMs = LIMIT_MS }: RetryDependencies = {},
  canChange: () => Promise<boolean> = async () => true,
): Promise<void> {
  const end = performance.now() + limitMs;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      await act();
      return;
    } catch (error) {
      if (platform !== 'win32' || !isInUse(error) || performance.now() > end || !(await canChange())) {
        throw error;
      }
    }
    // Several writers of one file would otherwise collide again at the same moment.
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
  }
}

/** True for the errors with which Windows refuses an open file. They also mean missing permissions. */
function isInUse(error: unknown): boolean {
  return /^(?:EPERM|EACCES|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '');
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
