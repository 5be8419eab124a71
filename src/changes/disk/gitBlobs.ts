/** Reads the objects of a repository in limited batches, and converts their line ends to the form on the disk. */
import { inPool } from '../../util/pool';
import type { RunGit } from './git';

/** The most bytes of the objects that one process prints. */
const BATCH_BYTES = 16 * 1024 * 1024;
const BATCH_OBJECTS = 2000;
/** Many, because the store writes the objects that arrive together at once, and divides the work by time. */
const IN_PARALLEL = 1000;

export type Blob = { readonly bytes: Uint8Array } | { readonly size: number } | undefined;

/** A folder in which git finds the objects, and the options that it needs there. */
export interface ObjectSource {
  readonly cwd: string;
  readonly options?: readonly string[];
}

/** Returns the source for a missing working tree, such as a submodule's, whose objects are in the repository above. */
export function bareSource(gitDir: string): ObjectSource {
  return { cwd: gitDir, options: ['--git-dir=.', '--work-tree=.'] };
}

/**
 * Calls `use` for each object, a few at the same time. An object larger than `maxBytes` has its size alone. Undefined means that git could not read
 * the object.
 */
export async function eachBlob(
  run: RunGit,
  source: ObjectSource,
  oids: Iterable<string>,
  maxBytes: number,
  use: (oid: string, blob: Blob) => Promise<void>,
): Promise<void> {
  const wanted = [...new Set(oids)];
  const git = (args: readonly string[], input: string): Promise<Buffer | undefined> =>
    run(source.cwd, [...(source.options ?? []), ...args], input);
  for (let from = 0; from < wanted.length; from += BATCH_OBJECTS) {
    const part = wanted.slice(from, from + BATCH_OBJECTS);
    const lines = (await git(['cat-file', '--batch-check=%(objecttype) %(objectsize)'], input(part)))?.toString().split('\n') ?? [];
    const sizes = part.map((_, index) => Number(/^blob (\d+)$/.exec(lines[index] ?? '')?.[1] ?? Number.NaN));
    for (let at = 0; at < part.length; ) {
      const batch: number[] = [];
      for (let bytes = 0; at < part.length && (batch.length === 0 || bytes + sizes[at]! <= BATCH_BYTES); at++) {
        const size = sizes[at]!;
        if (size <= maxBytes) {
          batch.push(at);
          bytes += size;
        } else {
          await use(part[at]!, Number.isNaN(size) ? undefined : { size });
        }
      }
      const output = batch.length > 0 ? await git(['cat-file', '--batch'], input(batch.map((index) => part[index]!))) : undefined;
      const read: [string, Blob][] = [];
      let position = 0;
      for (const index of batch) {
        const start = output ? output.indexOf(10, position) + 1 : 0;
        const isIntact = start > 0 && output!.toString('latin1', position, start - 1) === `${part[index]!} blob ${sizes[index]!}`;
        const end = start + sizes[index]!;
        read.push([part[index]!, isIntact && end < output!.length ? { bytes: output!.subarray(start, end) } : undefined]);
        position = isIntact ? end + 1 : Number.MAX_SAFE_INTEGER;
      }
      // The store writes the objects that arrive together at once.
      await inPool(read, IN_PARALLEL, ([oid, blob]) => use(oid, blob));
    }
  }
}

/** Resolves to the bytes of an object; to undefined when the repository no longer has it. Rejects when git failed. */
export async function readBlob(run: RunGit, top: string, oid: string): Promise<Uint8Array | undefined> {
  const output = await run(top, ['cat-file', '--batch'], input([oid]));
  if (!output) {
    throw new Error(`git cat-file failed in ${top}`);
  }
  const start = output.indexOf(10) + 1;
  const size = /^[0-9a-f]+ blob (\d+)\n$/.exec(output.toString('latin1', 0, start))?.[1];
  return size === undefined ? undefined : output.subarray(start, start + Number(size));
}

function input(oids: readonly string[]): string {
  return oids.map((oid) => `${oid}\n`).join('');
}

/** Returns the text with CRLF line ends; undefined when it has a CR already, so that a checkout is not certain. */
export function withCrlf(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.includes(13)) {
    return undefined;
  }
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    lines++;
  }
  const crlf = new Uint8Array(bytes.length + lines);
  let to = 0;
  for (const byte of bytes) {
    if (byte === 10) {
      crlf[to++] = 13;
    }
    crlf[to++] = byte;
  }
  return crlf;
}
