/**
 * Writes a file that somebody else might want to lead astray: nothing of it is seen before it is whole, no link is followed, and nothing is replaced
 * unasked. What is written goes into a file of a random name beside the target, made by us alone and readable by the user only (0600, where files can
 * be that), which then takes the target's place.
 */

export interface WriteOptions {
  /** The user has agreed that what is there is replaced; a link is replaced itself, never what it leads to. */
  readonly overwrite: boolean;
}

/**
 * @param target absolute; its folder exists
 * @param pieces a text, a portion at a time, or bytes; what they throw is thrown, and nothing is left then
 * @throws `EEXIST` when something is there and must not be replaced, also when it came meanwhile; whatever the disk says
 */
export async function writeFileSafely(
  target: string,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  { overwrite }: WriteOptions,
): Promise<void> {
  const [{ link, lstat, open, rename, rm }, path, { randomBytes }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
    import('node:crypto'),
  ]);
  const there = overwrite ? undefined : await lstat(target).catch(() => undefined);
  if (there) {
    throw exists(target);
  }
  const begun = path.join(path.dirname(target), `.${path.basename(target).slice(0, MAX_NAME)}.${randomBytes(12).toString('hex')}.tmp`);
  // `wx` fails on whatever has this name, a link that leads nowhere too.
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
      await rename(begun, target);
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
      // A disk without hard links: an empty file of ours takes the name first, which fails when there is one.
      await (await open(target, 'wx', 0o600)).close();
      await rename(begun, target);
    }
  } finally {
    await rm(begun, { force: true });
  }
}

/** True when `name` is what a crash left of writing `base` in the same folder, or anything. */
export function isLeftOver(name: string, base?: string): boolean {
  return name.startsWith(base === undefined ? '.' : `.${base.slice(0, MAX_NAME)}.`) && /\.[0-9a-f]{24}\.tmp$/.test(name);
}

/** UTF-16 units of the target's name in ours: names have a limit. */
const MAX_NAME = 60;

function exists(target: string): Error {
  return Object.assign(new Error(`EEXIST: file already exists, '${target}'`), { code: 'EEXIST' });
}
