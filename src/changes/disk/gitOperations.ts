/** The operations that moved HEAD or the stash in a turn, read from the reflogs. */
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from './git';

/** Bytes at the end of a reflog that are read. Older entries of one turn are left out. */
const MAX_BYTES = 256 * 1024;

/** A move of HEAD that was not a commit. */
export interface HeadOperation {
  /** ms since the epoch, whole seconds. */
  readonly at: number;
  /** The commits; undefined where there was none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The reflogs at a moment. */
export interface ReflogMark {
  readonly head: number | undefined;
  /** Changes whenever a stash is made, dropped or applied with `pop`. */
  readonly stash: string;
}

export async function markReflogs({ gitDir, commonDir }: Repository): Promise<ReflogMark> {
  const [head, stash] = await Promise.all([
    gitDir === undefined ? undefined : sizeOf(path.join(gitDir, 'logs', 'HEAD')),
    commonDir === undefined ? '' : traceOf(path.join(commonDir, 'logs', 'refs', 'stash')),
  ]);
  return { head, stash };
}

/**
 * Returns the operations since `mark`, oldest first. A change of the stash alone counts as one, at the time of its file. Undefined when the reflog
 * was shortened, so that its new entries are unknown.
 */
export async function operationsSince(repository: Repository, mark: ReflogMark): Promise<readonly HeadOperation[] | undefined> {
  const { gitDir, commonDir } = repository;
  if (gitDir === undefined || commonDir === undefined) {
    return [];
  }
  const now = await markReflogs(repository);
  const from = mark.head ?? 0;
  const size = now.head ?? 0;
  if (size < from) {
    return undefined;
  }
  const text = size > from ? await tailOf(path.join(gitDir, 'logs', 'HEAD'), Math.max(from, size - MAX_BYTES), size) : '';
  if (text === undefined) {
    return undefined;
  }
  const operations = text.split('\n').flatMap(operationIn);
  if (operations.length === 0 && now.stash !== mark.stash) {
    const at = await stat(path.join(commonDir, 'logs', 'refs', 'stash')).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.NaN,
    );
    return [{ at: Math.floor(at / 1000) * 1000, before: undefined, after: undefined }];
  }
  return operations;
}

function operationIn(line: string): HeadOperation[] {
  const [, before, after, at, reason] = /^([0-9a-f]+) ([0-9a-f]+) [^]*> (\d+) [+-]\d+(?:\t([^]*))?$/.exec(line) ?? [];
  const commit = (oid: string): string | undefined => (/^0*$/.test(oid) ? undefined : oid);
  return at === undefined || /^commit\b/.test(reason ?? '')
    ? []
    : [{ at: Number(at) * 1000, before: commit(before!), after: commit(after!) }];
}

async function sizeOf(file: string): Promise<number | undefined> {
  return stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
}

async function traceOf(file: string): Promise<string> {
  return stat(file).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => '',
  );
}

async function tailOf(file: string, from: number, to: number): Promise<string | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  try {
    const { bytesRead, buffer } = (await handle?.read(Buffer.alloc(to - from), 0, to - from, from)) ?? {};
    return buffer?.toString('utf8', 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}
