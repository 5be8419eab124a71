/** The bytes of files as a commit has them, once they are checked out. */
import { inPool } from '../../util/pool';
import type { RunGit } from './git';

export interface WantedBlob {
  readonly oid: string;
  /** From the repository's top: which attributes hold for it. */
  readonly path: string;
}

const ATTRIBUTES = ['text', 'eol', 'filter', 'working-tree-encoding', 'ident'];

/**
 * By their place in `wanted`; undefined for what is not there, or is larger than `maxBytes`. Objects are read in one process; only where line ends or
 * a filter change what is checked out each has its own, since git tells the wrong length for several.
 */
export async function readBlobs(
  run: RunGit,
  top: string,
  wanted: readonly WantedBlob[],
  maxBytes: number,
): Promise<(Uint8Array | undefined)[]> {
  if (wanted.length === 0) {
    return [];
  }
  const [sizes, filtered] = await Promise.all([
    run(top, ['cat-file', '--batch-check=%(objectsize)'], wanted.map(({ oid }) => `${oid}\n`).join('')),
    filteredPaths(run, top, wanted),
  ]);
  const lengths = sizes?.toString().split('\n') ?? [];
  const found = new Array<Uint8Array | undefined>(wanted.length).fill(undefined);
  const small = wanted.flatMap((each, index) =>
    /^\d+$/.test(lengths[index] ?? '') && Number(lengths[index]) <= maxBytes ? [{ ...each, index }] : [],
  );
  const plain = small.filter(({ path }) => !filtered.has(path));
  const output = plain.length > 0 ? await run(top, ['cat-file', '--batch'], plain.map(({ oid }) => `${oid}\n`).join('')) : undefined;
  let at = 0;
  for (const { index } of output ? plain : []) {
    const end = output!.indexOf(10, at);
    const size = Number(/^[0-9a-f]+ blob (\d+)$/.exec(output!.toString('latin1', at, Math.max(at, end)))?.[1] ?? Number.NaN);
    if (end < 0 || Number.isNaN(size)) {
      break;
    }
    found[index] = output!.subarray(end + 1, end + 1 + size);
    at = end + 1 + size + 1;
  }
  await inPool(
    small.filter(({ path }) => filtered.has(path)),
    4,
    async ({ oid, path, index }) => {
      const bytes = await run(top, ['cat-file', '--filters', `--path=${path}`, oid]);
      found[index] = bytes && bytes.length <= maxBytes ? bytes : undefined;
    },
  );
  return found;
}

/** Those whose bytes in a working tree are not the object's. */
async function filteredPaths(run: RunGit, top: string, wanted: readonly WantedBlob[]): Promise<Set<string>> {
  const [autocrlf, eol, attributes] = await Promise.all([
    run(top, ['config', '--get', 'core.autocrlf']),
    run(top, ['config', '--get', 'core.eol']),
    run(top, ['check-attr', '-z', '--stdin', ...ATTRIBUTES], wanted.map(({ path }) => `${path}\0`).join('')),
  ]);
  const converts = autocrlf?.toString().trim() === 'true';
  const isCrlf = eol?.toString().trim() === 'crlf' || (process.platform === 'win32' && eol?.toString().trim() !== 'lf');
  const filtered = new Set<string>(converts ? wanted.map(({ path }) => path) : []);
  const fields = attributes?.toString().split('\0') ?? [];
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path, name, value] = [fields[index]!, fields[index + 1]!, fields[index + 2]!];
    const isSet = value !== 'unspecified' && value !== 'unset';
    const changes = name === 'text' ? isSet && isCrlf : name === 'eol' ? value === 'crlf' : isSet;
    if (changes) {
      filtered.add(path);
    }
  }
  return filtered;
}
