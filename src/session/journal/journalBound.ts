/**
 * Cuts a journal that is too large: it keeps its beginning and its end. The part between is reduced to the newest facts about the session (its
 * id at the agent, its options, its plan). A notice states the number of the other events. Only the beginnings and ends of lines are parsed; the
 * bytes are copied unchanged.
 */
import type { FileHandle } from 'node:fs/promises';
import { writeFileSafely } from '../../util/writeFileSafely';
import { CutScan, type Cut, leftOut, type Line, LOOKED_AT } from './journalCut';

/**
 * Makes the journal smaller than `maxBytes`, in one atomic step, and returns its size.
 * @param check throws when the journal must not be replaced after all
 */
export async function boundJournal(file: string, maxBytes: number, check: () => void = () => undefined): Promise<number> {
  const { open } = await import('node:fs/promises');
  const journal = await open(file, 'r');
  try {
    const { size } = await journal.stat();
    const cut = await cutOf(journal, size, maxBytes);
    if (!cut) {
      return size;
    }
    let written = 0;
    const pieces = async function* (): AsyncIterable<Uint8Array> {
      const ranges: Line[] = [{ start: 0, end: cut.headEnd }, ...cut.facts, { start: cut.tailStart, end: size }];
      for (const [index, range] of ranges.entries()) {
        for await (const bytes of bytesOf(journal, range)) {
          written += bytes.length;
          yield bytes;
        }
        if (index === 0) {
          const notice = Buffer.from(leftOut(cut));
          written += notice.length;
          yield notice;
        }
      }
      // Windows replaces no open file.
      await journal.close();
    };
    await writeFileSafely(file, pieces(), { overwrite: true, check });
    return written;
  } finally {
    await journal.close();
  }
}

/** Reads the journal once, from its beginning. */
async function cutOf(journal: FileHandle, size: number, maxBytes: number): Promise<Cut | undefined> {
  const scan = new CutScan(size, maxBytes);
  let start = 0;
  /** The first bytes of a line that continues in the next chunk, and its last. */
  let beginning = Buffer.alloc(0);
  let ending = Buffer.alloc(0);
  let place = 0;
  for await (const chunk of bytesOf(journal, { start: 0, end: size })) {
    let from = 0;
    for (let feed = chunk.indexOf(10); feed >= 0; feed = chunk.indexOf(10, from)) {
      const rest = chunk.subarray(from, feed);
      scan.line({ start, end: place + feed + 1 }, textOf(beginning, rest), tailOf(ending, rest));
      start = place + feed + 1;
      from = feed + 1;
      beginning = Buffer.alloc(0);
      ending = Buffer.alloc(0);
    }
    const rest = chunk.subarray(from);
    beginning = Buffer.concat([beginning, rest.subarray(0, Math.max(0, LOOKED_AT - beginning.length))]);
    ending = Buffer.from(Buffer.concat([ending, rest.subarray(-LOOKED_AT)]).subarray(-LOOKED_AT));
    place += chunk.length;
  }
  if (start < size) {
    scan.line({ start, end: size }, beginning.toString('utf8'), ending.toString('utf8'));
  }
  return scan.end();
}

function textOf(beginning: Buffer, rest: Uint8Array): string {
  return Buffer.concat([beginning, rest.subarray(0, Math.max(0, LOOKED_AT - beginning.length))]).toString('utf8');
}

function tailOf(ending: Buffer, rest: Uint8Array): string {
  return Buffer.concat([ending, rest.subarray(-LOOKED_AT)])
    .subarray(-LOOKED_AT)
    .toString('utf8');
}

const PORTION = 256 * 1024;

/** Yields the bytes in portions, so that other work can run between two of them. A portion is valid only until the next one. */
async function* bytesOf(journal: FileHandle, { start, end }: Line): AsyncIterable<Buffer> {
  for (let position = start; position < end; ) {
    const { buffer, bytesRead } = await journal.read(
      Buffer.allocUnsafe(Math.min(PORTION, end - position)),
      0,
      Math.min(PORTION, end - position),
      position,
    );
    if (bytesRead === 0) {
      return;
    }
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
