/** Unpacks an archive into an empty folder, under the rules of {@link ArchiveGuard}. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Fault } from '../../core/model/failure';
import { isDiskFull } from '../../util/diskFull';
import { installFault } from '../registryReasons';
import { ARCHIVE_LIMITS, ArchiveGuard, type ArchiveLimits, checkLinks, type EntryKind } from './guard';

export type ArchiveFormat = 'tar.gz' | 'tar.bz2' | 'zip';

export interface UnpackOptions {
  readonly signal?: AbortSignal | undefined;
  readonly limits?: ArchiveLimits;
  /** Called with the bytes of the archive that were read. */
  readonly onProgress?: (done: number) => void;
}

const NAMES: readonly (readonly [RegExp, ArchiveFormat])[] = [
  [/\.(?:tar\.gz|tgz)$/i, 'tar.gz'],
  [/\.(?:tar\.bz2|tbz2)$/i, 'tar.bz2'],
  [/\.zip$/i, 'zip'],
];
/** Files that a person or a system's installer opens, and compressions that no registry allows. */
const NO_PROGRAM = /\.(?:dmg|pkg|deb|rpm|msi|appimage|tar|xz|7z|rar|gz|bz2|zst)$/i;
const MAX_LINK = 4096;

/** Returns the format by the name of a file. `raw`: the file is the program. `refused`: it is neither. */
export function formatOf(name: string): ArchiveFormat | 'raw' | 'refused' {
  return NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? (NO_PROGRAM.test(name) ? 'refused' : 'raw');
}

/** @param folder empty @throws Fault `install.failed`; the folder may then contain a part of the archive */
export async function unpack(file: string, format: ArchiveFormat, folder: string, options: UnpackOptions = {}): Promise<void> {
  const guard = new ArchiveGuard(options.limits ?? ARCHIVE_LIMITS);
  try {
    await (format === 'zip' ? unzip(file, folder, guard, options) : untar(file, format, folder, guard, options));
    await checkLinks(folder);
  } catch (error) {
    if (error instanceof Fault || isDiskFull(error)) {
      throw error;
    }
    if (options.signal?.aborted) {
      throw installFault('cancelled');
    }
    const detail = error instanceof Error ? error.message : String(error);
    // The library for zips checks names before we see them.
    throw installFault(
      /^(?:invalid relative path|absolute path|invalid characters in fileName)/.test(detail) ? 'unsafe_archive' : 'damaged_archive',
      {},
      detail,
    );
  }
}

const TAR_KINDS: Readonly<Record<string, EntryKind>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  SymbolicLink: 'symlink',
  Link: 'hardlink',
};

async function untar(
  file: string,
  format: 'tar.gz' | 'tar.bz2',
  folder: string,
  guard: ArchiveGuard,
  { signal, limits = ARCHIVE_LIMITS, onProgress }: UnpackOptions,
): Promise<void> {
  const { Unpack } = await import('tar/unpack');
  let failure: unknown;
  let entries = 0;
  const target = new Unpack({
    cwd: folder,
    strict: true,
    preserveOwner: false,
    noMtime: true,
    filter: (name, entry) => {
      entries++;
      if (failure !== undefined || !('type' in entry)) {
        return false;
      }
      try {
        const kind = TAR_KINDS[entry.type] ?? 'other';
        guard.check({ path: name, kind, bytes: entry.size, ...(entry.linkpath && { target: entry.linkpath }) });
        // A program of another user must not run with that user's rights, and a folder that its owner cannot write could not be deleted.
        entry.mode = ((entry.mode ?? 0o644) & 0o777) | (kind === 'folder' ? 0o700 : 0o600);
        return true;
      } catch (error) {
        failure = error;
        return false;
      }
    },
  });
  const counted = counter(limits.maxBytes * 2, () => failure);
  const source = createReadStream(file);
  const read = counter(Number.POSITIVE_INFINITY, () => undefined, onProgress);
  const plain = format === 'tar.gz' ? createGunzip() : await bunzip2(Math.min(MAX_DECODED, limits.maxBytes * 2));
  // The target is a stream of another library, without the methods that `pipeline` checks.
  await pipeline(source, read, plain, counted, target as unknown as NodeJS.WritableStream, { signal }).catch((error: unknown) => {
    throw failure ?? error;
  });
  if (failure !== undefined) {
    throw failure;
  }
  if (entries === 0) {
    throw new Error('The archive has no entry.');
  }
}

/** Passes bytes through until there are too many, or until the reader has found a reason to stop. */
function counter(maxBytes: number, failure: () => unknown, onProgress?: (done: number) => void): Transform {
  let done = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length;
      onProgress?.(done);
      const found = failure() ?? (done > maxBytes ? installFault('archive_too_large') : undefined);
      next(found as Error | null | undefined, found === undefined ? chunk : undefined);
    },
  });
}

/** Bytes that one call of the decoder may return. A block of 50 bytes can contain 45 MB, and the decoder returns all blocks of a call at once. */
const MAX_DECODED = 128 * 1024 * 1024;

/** Wraps the decoder, a stream of the old style that decodes at once. @param maxDecoded bytes of one call */
async function bunzip2(maxDecoded: number): Promise<Transform> {
  const { default: decoder } = await import('unbzip2-stream');
  const old = decoder();
  let decoded = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      decoded = 0;
      old.write(chunk);
      next();
    },
    flush(next) {
      decoded = 0;
      old.on('end', () => next());
      old.end();
    },
  });
  old.on('data', (chunk: Buffer) => {
    decoded += chunk.length;
    if (decoded > maxDecoded) {
      // The decoder stops at an error of its listener, and reports it.
      throw installFault('archive_too_large');
    }
    stream.push(chunk);
  });
  old.on('error', (error: Error) => stream.destroy(error));
  return stream;
}

async function unzip(file: string, folder: string, guard: ArchiveGuard, { signal, onProgress }: UnpackOptions): Promise<void> {
  const { openPromise } = await import('yauzl');
  const archive = await openPromise(file, { lazyEntries: true, autoClose: false, validateEntrySize: true, strictFileNames: false });
  const links: { readonly file: string; readonly target: string }[] = [];
  let done = 0;
  try {
    for await (const entry of archive.eachEntry()) {
      signal?.throwIfAborted();
      const { fileName } = entry;
      const mode = entry.versionMadeBy >>> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0;
      const kind = fileName.endsWith('/') ? 'folder' : (ZIP_KINDS[mode & 0o170000] ?? 'other');
      const isLink = kind === 'symlink';
      if (entry.isEncrypted() || (isLink && entry.uncompressedSize > MAX_LINK)) {
        throw installFault('unsafe_archive', { entry: fileName.slice(0, 200) });
      }
      const target = isLink ? await textOf(await archive.openReadStreamPromise(entry)) : undefined;
      guard.check({ path: fileName, kind, bytes: entry.uncompressedSize, ...(target !== undefined && { target }) });
      const own = path.join(folder, fileName);
      await mkdir(kind === 'folder' ? own : path.dirname(own), { recursive: true });
      if (target !== undefined) {
        links.push({ file: own, target });
      } else if (kind === 'file') {
        const stream = await archive.openReadStreamPromise(entry);
        await pipeline(stream, createWriteStream(own, { flags: 'wx', mode: mode & 0o777 || 0o644 }), { signal });
      }
      onProgress?.((done += entry.uncompressedSize));
    }
  } finally {
    archive.close();
  }
  // Links come last, so that no file is written through one.
  for (const each of links) {
    await symlink(each.target, each.file);
  }
}

const UNIX = 3;
/** The kinds by the file type in a Unix mode. 0: the archive was made on a system without modes. */
const ZIP_KINDS: Readonly<Record<number, EntryKind>> = { 0: 'file', 0o100000: 'file', 0o040000: 'folder', 0o120000: 'symlink' };

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
