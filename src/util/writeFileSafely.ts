/**
 * Writes a file safely against interference by other programs. Its content becomes visible only when complete, no link is followed, and nothing is
 * replaced without consent. The content is written to a file with a random name beside the target, created exclusively and readable by the user only
 * (0600, where supported). That file then replaces the target.
 */

export interface WriteOptions {
  /** The user has agreed to replace an existing file. A link is replaced itself, never its target. */
  readonly overwrite: boolean;
  /** Called right before each attempt to replace the target. When it throws, the write ends with that error and leaves no file. */
  check?(): void;
}

/**
 * @param target absolute; its folder exists
 * @param pieces a text, a portion at a time, or bytes. Their errors are rethrown, and no file is left then
 * @throws `EEXIST` when the target exists and must not be replaced, even if it was created meanwhile; other errors of the disk
 */
export async function writeFileSafely(
  target: string,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  { overwrite, check }: WriteOptions,
): Promise<void> {
  const [{ link, lstat, open }, { removeFile, renameOver }, path, { randomBytes }] = await Promise.all([
    import('node:fs/promises'),
    import('./windows/renameOver'),
    import('node:path'),
    import('node:crypto'),
  ]);
  const there = overwrite ? undefined : await lstat(target).catch(() => undefined);
  if (there) {
    throw exists(target);
  }
  const begun = path.join(path.dirname(target), `.${path.basename(target).slice(0, MAX_NAME)}.${randomBytes(12).toString('hex')}.tmp`);
  // `wx` fails when any file has this name, even a dangling link.
  const file = await open(begun, 'wx', 0o600);
  try {
    try {
      for await (const piece of pieces) {
        await file.writeFile(piece);
      }
    } finally {
      await file.close();
    }
    if (overwrite) {
      await renameOver(begun, target, check ? { check } : {});
      return;
    }
    const linked = await link(begun, target).then(
      () => true,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
          throw error;
        }
        return false;
      },
    );
    if (!linked) {
      // A disk without hard links: an empty file of ours takes the name first. This fails when a file has the name already.
      await (await open(target, 'wx', 0o600)).close();
      await renameOver(begun, target);
    }
  } finally {
    await removeFile(begun);
  }
}

/** True when `name` is a temporary file that a crash left while `base`, or any file, was written in the same folder. */
export function isLeftOver(name: string, base?: string): boolean {
  return name.startsWith(base === undefined ? '.' : `.${base.slice(0, MAX_NAME)}.`) && /\.[0-9a-f]{24}\.tmp$/.test(name);
}

/** UTF-16 units of the target's name in the temporary name, because file names have a limit. */
const MAX_NAME = 60;

function exists(target: string): Error {
  return Object.assign(new Error(`EEXIST: file already exists, '${target}'`), { code: 'EEXIST' });
}
