/**
 * Compares the mounts of a sandbox with its plan. bubblewrap resolves each path again when it mounts it. A sandboxed agent that replaces a folder by a
 * link at that moment, while one of its commands starts, could make another folder writable or readable.
 */

/** The mounts that a plan leads to. */
export interface ExpectedMounts {
  /** Writable folders and files, with their identities outside. */
  readonly writable: readonly (readonly [path: string, identity: string])[];
  /** Places without content. */
  readonly hidden: readonly string[];
  /** All mount points of the plan, and those that the system has outside. */
  readonly known: readonly string[];
}

interface Mount {
  readonly path: string;
  readonly isWritable: boolean;
}

/** Mounts that bubblewrap makes itself. */
const OWN = /^\/(?:$|(?:dev|proc|run)(?:\/|$))/;

/** Returns the mounts in the text of `/proc/self/mountinfo`. */
export function mountsIn(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, , , , path, options] = line.split(' ');
    return path === undefined || options === undefined
      ? []
      : [
          {
            path: path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
            isWritable: options.split(',').includes('rw'),
          },
        ];
  });
}

/** The identity of a file: its device and number. */
export function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

/**
 * Returns the path of a mount that the plan does not have, or undefined.
 * @param identity returns the identity of a path inside; undefined when it is a link or does not exist
 */
export function unexpectedMount(
  mounts: readonly Mount[],
  { writable, hidden, known }: ExpectedMounts,
  identity: (path: string) => string | undefined,
): string | undefined {
  const points = new Set(known);
  const wrong = mounts.find(
    ({ path, isWritable }) => !OWN.test(path) && !points.has(path) && (isWritable || hidden.some((each) => path.startsWith(`${each}/`))),
  );
  return wrong?.path ?? writable.find(([path, expected]) => identity(path) !== expected)?.[0];
}
