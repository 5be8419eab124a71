/**
 * The texts of one session's messages in two files: the original and a case-folded version (see `searchTexts.ts`), with equal byte offsets. They
 * are created from the journal by a search and extended by later ones. They can be created again after a loss.
 */
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { withFileLock } from '../../util/fileLock';
import { caseFold, MESSAGE, MESSAGE_WITHIN, SearchTexts } from './searchTexts';

/** The state of the files, stored in their head. */
interface Extent {
  readonly inode: string;
  /** Size of the journal when it was read, in bytes. */
  readonly size: number;
  /** Length of the texts, in bytes. */
  readonly length: number;
  /** The journal offset from which a grown journal is read again, and the length of the texts that stay then. */
  readonly stableOffset: number;
  readonly stableLength: number;
  /** The journal's bytes before `stableOffset`. They differ when the journal was cut and has grown since. */
  readonly before: string;
}

const VERSION = 2;
/** Bytes reserved for the head in both files. */
export const TEXT_START = 256;
/** Bytes of `before`, limited so that the head fits into its space. */
const BEFORE = 48;
const PORTION = 256 * 1024;
/** ms: indexing the largest journal takes seconds. */
const STALE_LOCK_MS = 120_000;

export class SearchTextFile {
  readonly original: string;
  readonly caseFolded: string;

  /** @param folder absolute; created when it does not exist */
  constructor(
    private readonly folder: string,
    key: string,
    private readonly journal: string,
  ) {
    this.original = path.join(folder, `${key}.text`);
    this.caseFolded = path.join(folder, `${key}.fold`);
  }

  /** Updates the files from the journal. Returns the length of the texts in bytes, undefined without a journal. @throws the file system's error */
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
    return withFileLock(`${this.caseFolded}.lock`, () => this.extend(signal), STALE_LOCK_MS);
  }

  async remove(): Promise<void> {
    await Promise.all([this.original, this.caseFolded].map((file) => rm(file, { force: true })));
  }

  private async extent(): Promise<Extent | undefined> {
    const file = await open(this.caseFolded, 'r').catch(() => undefined);
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
      for (const name of [this.original, this.caseFolded]) {
        files.push(await open(name, 'r+').catch(() => open(name, 'w+', 0o600)));
      }
      const [original, caseFoldedFile] = files as [FileHandle, FileHandle];
      // The head is cleared first, so that an interrupted write leaves an invalid file.
      await writeAt(caseFoldedFile, Buffer.alloc(TEXT_START), 0);
      const texts = new SearchTexts();
      let length = from.stableLength;
      const write = async (text: string): Promise<void> => {
        const bytes = Buffer.from(text);
        await writeAt(original, bytes, TEXT_START + length);
        await writeAt(caseFoldedFile, Buffer.from(caseFold(text)), TEXT_START + length);
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
      await caseFoldedFile.truncate(TEXT_START + length);
      await original.truncate(TEXT_START + length);
      const before = await bytesBefore(journal, stableOffset);
      const extent: Extent = { inode, size, length, stableOffset, stableLength, before };
      await writeAt(caseFoldedFile, Buffer.from(JSON.stringify({ acpHostSaid: VERSION, ...extent }).padEnd(TEXT_START - 1) + '\n'), 0);
      return length;
    } finally {
      await Promise.all([journal, ...files].map((file) => file.close()));
    }
  }
}

function isUpToDate(extent: Extent, inode: string, size: number): boolean {
  return extent.inode === inode && extent.size === size;
}

/** The last bytes before `position`, in base64. */
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
  /** The offset of its first byte. */
  readonly start: number;
}

/** Reads the lines of messages in portions, without decoding the others. Returns the end of the last complete line. */
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
        break; // The last line is incomplete or being written.
      }
      size *= 4; // The line is longer than a portion.
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
    // A match further behind is text of a message, not the format's own member.
    if (found - start <= MESSAGE_WITHIN) {
      lines.push({ json: bytes.toString('utf8', start, end), start: offset + start });
    }
    found = bytes.indexOf(MESSAGE, end);
  }
  return lines;
}
