/**
 * What was said in one session, in two files beside each other: as it was written, and folded (see `searchTexts.ts`), the same at the same byte. Made from the
 * journal when somebody searches, and then of what has come since. Whatever becomes of it, it can be made anew.
 */
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { withFileLock } from '../../util/fileLock';
import { folded, MESSAGE, MESSAGE_WITHIN, SearchTexts } from './searchTexts';

/** How far the files are. */
interface Extent {
  readonly inode: string;
  /** Of the journal that was read, in bytes. */
  readonly size: number;
  /** Bytes of the texts. */
  readonly length: number;
  /** Where the journal is read again from when it has grown, and how much of the texts stays then. */
  readonly stableOffset: number;
  readonly stableLength: number;
  /** The journal's bytes before `stableOffset`: one that was cut, and has grown since, has others there. */
  readonly before: string;
}

const VERSION = 2;
/** Bytes before the texts, in both files. */
export const TEXT_START = 256;
/** Bytes; with all else they fit into what stands before the texts. */
const BEFORE = 48;
const PORTION = 256 * 1024;
/** ms: a journal of the greatest size takes seconds. */
const STALE_LOCK_MS = 120_000;

export class SearchTextFile {
  readonly original: string;
  readonly folded: string;

  /** @param folder absolute; made where it does not exist */
  constructor(
    private readonly folder: string,
    key: string,
    private readonly journal: string,
  ) {
    this.original = path.join(folder, `${key}.text`);
    this.folded = path.join(folder, `${key}.fold`);
  }

  /** Brings the files to where the journal is. Returns how many bytes of texts there are; undefined without a journal. @throws what the disk says */
  async update(signal: AbortSignal): Promise<number | undefined> {
    const known = await this.extent();
    const info = await stat(this.journal).catch(() => undefined);
    if (!info) {
      return undefined;
    }
    if (known && isUpToDate(known, String(info.ino), info.size)) {
      return known.length;
    }
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return withFileLock(`${this.folded}.lock`, () => this.extend(signal), STALE_LOCK_MS);
  }

  async remove(): Promise<void> {
    await Promise.all([this.original, this.folded].map((file) => rm(file, { force: true })));
  }

  private async extent(): Promise<Extent | undefined> {
    const file = await open(this.folded, 'r').catch(() => undefined);
    if (!file) {
      return undefined;
    }
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(TEXT_START), 0, TEXT_START, 0);
      const extent = JSON.parse(buffer.toString('utf8', 0, bytesRead)) as Extent & { acpHostSaid?: unknown };
      const sizes = await Promise.all([file.stat(), stat(this.original)]);
      const isWhole = sizes.every(({ size }) => size === TEXT_START + extent.length);
      return extent.acpHostSaid === VERSION && isWhole ? extent : undefined;
    } catch {
      return undefined;
    } finally {
      await file.close();
    }
  }

  private async extend(signal: AbortSignal): Promise<number> {
    const journal = await open(this.journal, 'r');
    const files: FileHandle[] = [];
    try {
      const { ino, size } = await journal.stat();
      const inode = String(ino);
      const known = await this.extent();
      if (known && isUpToDate(known, inode, size)) {
        return known.length; // The other window was faster.
      }
      const goesOn = known?.inode === inode && known.size <= size && known.before === (await bytesBefore(journal, known.stableOffset));
      const from = goesOn ? known : { stableOffset: 0, stableLength: 0 };
      for (const name of [this.original, this.folded]) {
        files.push(await open(name, 'r+').catch(() => open(name, 'w+', 0o600)));
      }
      const [original, fold] = files as [FileHandle, FileHandle];
      // Without a head the file says nothing, should it end here.
      await writeAt(fold, Buffer.alloc(TEXT_START), 0);
      const texts = new SearchTexts();
      let length = from.stableLength;
      const write = async (text: string): Promise<void> => {
        const bytes = Buffer.from(text);
        await writeAt(original, bytes, TEXT_START + length);
        await writeAt(fold, Buffer.from(folded(text)), TEXT_START + length);
        length += bytes.length;
      };
      const end = await linesOf(journal, from.stableOffset, size, signal, async (portion) => {
        let ended = '';
        for (const { json, start } of portion) {
          ended += texts.line(json, start);
        }
        if (ended !== '') {
          await write(ended);
        }
      });
      const stableLength = length;
      const stableOffset = Math.min(texts.stableOffset ?? end, end);
      const rest = texts.rest();
      if (rest !== '') {
        await write(rest);
      }
      await fold.truncate(TEXT_START + length);
      await original.truncate(TEXT_START + length);
      const before = await bytesBefore(journal, stableOffset);
      const extent: Extent = { inode, size, length, stableOffset, stableLength, before };
      await writeAt(fold, Buffer.from(JSON.stringify({ acpHostSaid: VERSION, ...extent }).padEnd(TEXT_START - 1) + '\n'), 0);
      return length;
    } finally {
      await Promise.all([journal, ...files].map((file) => file.close()));
    }
  }
}

function isUpToDate(extent: Extent, inode: string, size: number): boolean {
  return extent.inode === inode && extent.size === size;
}

/** A few, in base64. */
async function bytesBefore(file: FileHandle, position: number): Promise<string> {
  const length = Math.min(position, BEFORE);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position - length);
  return buffer.toString('base64', 0, bytesRead);
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

interface JournalLine {
  readonly json: string;
  /** Of its first byte. */
  readonly start: number;
}

/** The lines of messages, some at a time; others are not even decoded. Returns the end of the last whole line. */
async function linesOf(
  journal: FileHandle,
  from: number,
  to: number,
  signal: AbortSignal,
  take: (portion: readonly JournalLine[]) => Promise<void>,
): Promise<number> {
  let start = from;
  for (let size = PORTION; start < to; ) {
    signal.throwIfAborted();
    const wanted = Math.min(size, to - start);
    const { buffer, bytesRead } = await journal.read(Buffer.allocUnsafe(wanted), 0, wanted, start);
    const last = buffer.subarray(0, bytesRead).lastIndexOf(10);
    if (last < 0) {
      if (bytesRead < wanted || wanted < size) {
        break; // The last line is torn, or being written.
      }
      size *= 4; // A line that is longer than a portion.
      continue;
    }
    await take(messagesIn(buffer.subarray(0, last + 1), start));
    start += last + 1;
    size = PORTION;
  }
  return start;
}

function messagesIn(bytes: Buffer, offset: number): JournalLine[] {
  const lines: JournalLine[] = [];
  for (let found = bytes.indexOf(MESSAGE); found >= 0; ) {
    const start = bytes.lastIndexOf(10, found) + 1;
    const end = bytes.indexOf(10, found);
    // Further behind it is what somebody said of the format.
    if (found - start <= MESSAGE_WITHIN) {
      lines.push({ json: bytes.toString('utf8', start, end), start: offset + start });
    }
    found = bytes.indexOf(MESSAGE, end);
  }
  return lines;
}
