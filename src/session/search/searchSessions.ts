/** Searches the titles and messages of sessions in order. Reads the next sessions from disk while the matches of one are returned. */
import { open } from 'node:fs/promises';
import type { JournalSummary } from '../journal/journalSummary';
import type { KeptSessionHit } from '../journal/sessionCatalog';
import { TEXT_START, type SearchTextFile } from './searchTextFile';
import { ENTRY, caseFold, oneLine, TEXT } from './searchTexts';

export interface SearchedSession {
  readonly key: string;
  readonly said: SearchTextFile;
  /** Undefined when the session no longer exists. */
  summary(): Promise<JournalSummary | undefined>;
}

/** Sessions that are searched in parallel. */
const AHEAD = 4;
/** Matches per session. */
const MAX_HITS = 20;
const PORTION = 1024 * 1024;
/** Bytes of an entry's head before its text. */
const MAX_HEAD = 2048;
/** Matches per message. */
const MAX_PER_MESSAGE = 3;
/** Bytes of context before and after a match. */
const AROUND = 120;

export async function* searchSessions(
  sessions: readonly SearchedSession[],
  text: string,
  signal: AbortSignal,
): AsyncIterable<KeptSessionHit> {
  const wanted = caseFold(oneLine(text).trim());
  if (wanted === '') {
    return;
  }
  const ahead: Promise<readonly KeptSessionHit[]>[] = [];
  for (let index = 0; index < sessions.length || ahead.length > 0; ) {
    while (ahead.length < AHEAD && index < sessions.length && !signal.aborted) {
      // A session that cannot be read has no matches.
      ahead.push(searchOne(sessions[index++]!, wanted, signal).catch(() => []));
    }
    const hits = await ahead.shift();
    if (signal.aborted) {
      return;
    }
    yield* hits ?? [];
  }
}

async function searchOne(session: SearchedSession, wanted: string, signal: AbortSignal): Promise<readonly KeptSessionHit[]> {
  const [summary, length] = await Promise.all([session.summary(), session.said.update(signal)]);
  if (!summary) {
    return [];
  }
  const { key } = session;
  const hits: KeptSessionHit[] = [];
  for (const title of new Set([summary.marks.name ?? summary.title, summary.title])) {
    const line = oneLine(title);
    const place = Buffer.from(caseFold(line)).indexOf(wanted);
    if (place >= 0 && hits.length === 0) {
      hits.push({ key, summary, ...excerptOf(Buffer.from(line), place, Buffer.byteLength(wanted)) });
    }
  }
  const found = length === undefined ? [] : await textHitsIn(session.said.caseFolded, Buffer.from(wanted), length, signal);
  if (found.length > 0) {
    const file = await open(session.said.original, 'r');
    try {
      for (const { entryId, offset, start } of found) {
        const from = Math.max(start, offset - AROUND);
        const size = offset - from + Buffer.byteLength(wanted) + AROUND;
        const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, TEXT_START + from);
        const next = buffer.subarray(0, bytesRead).indexOf(ENTRY);
        const bytes = buffer.subarray(0, next < 0 ? bytesRead : next);
        hits.push({ key, summary, ...(entryId !== '' && { entryId }), ...excerptOf(bytes, offset - from, Buffer.byteLength(wanted)) });
      }
    } finally {
      await file.close();
    }
  }
  return hits;
}

interface TextHit {
  readonly entryId: string;
  /** The offset in the texts, in bytes. */
  readonly offset: number;
  /** The offset of the message's text. */
  readonly start: number;
}

/** A few matches per message, at least the length of an excerpt apart. The page finds the others. */
async function textHitsIn(name: string, wanted: Buffer, length: number, signal: AbortSignal): Promise<TextHit[]> {
  const textHits: TextHit[] = [];
  const file = await open(name, 'r');
  try {
    const overlap = wanted.length + MAX_HEAD;
    const buffer = Buffer.allocUnsafe(Math.min(length, PORTION + overlap));
    let known = { entryId: '', start: 0 };
    for (let position = 0; position < length && textHits.length < MAX_HITS && !signal.aborted; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - position), TEXT_START + position);
      const bytes = buffer.subarray(0, bytesRead);
      for (let found = bytes.indexOf(wanted); found >= 0 && textHits.length < MAX_HITS; ) {
        const head = bytes.lastIndexOf(ENTRY, found);
        const text = head < 0 ? -1 : bytes.indexOf(TEXT, head);
        known = text >= 0 ? { entryId: bytes.toString('utf8', head + 1, text), start: position + text + 1 } : known;
        const textHit = { entryId: known.entryId, offset: position + found, start: known.start };
        if (text < found && isNext(textHit, textHits)) {
          textHits.push(textHit);
        }
        // Continue after the excerpt, but not after the next message's head, or after the head that holds the words.
        const end = bytes.indexOf(ENTRY, found);
        const next = text < found ? Math.min(found + 2 * AROUND, end < 0 ? Infinity : end) : bytes.indexOf(TEXT, found);
        found = next < 0 ? -1 : bytes.indexOf(wanted, next);
      }
      const last = bytes.lastIndexOf(ENTRY);
      const text = last < 0 ? -1 : bytes.indexOf(TEXT, last);
      known = text >= 0 ? { entryId: bytes.toString('utf8', last + 1, text), start: position + text + 1 } : known;
      if (position + bytesRead >= length || bytesRead <= overlap) {
        break;
      }
      position += bytesRead - overlap;
    }
  } finally {
    await file.close();
  }
  return textHits;
}

/** False for a match that was found in the previous portion, is part of the last excerpt, or exceeds the limit per message. */
function isNext({ offset, start }: TextHit, textHits: readonly TextHit[]): boolean {
  const last = textHits.at(-1);
  if (last && (offset <= last.offset || (start === last.start && offset < last.offset + 2 * AROUND))) {
    return false;
  }
  return textHits.filter((each) => each.start === start).length < MAX_PER_MESSAGE;
}

/** Returns an excerpt around the match without cutting a character. */
function excerptOf(bytes: Buffer, offset: number, length: number): Pick<KeptSessionHit, 'excerpt' | 'from' | 'to'> {
  let start = 0;
  while (start < offset && isInside(bytes[start]!)) {
    start++;
  }
  let end = bytes.length;
  while (end > offset + length && !isWhole(bytes, end)) {
    end--;
  }
  const before = bytes.toString('utf8', start, offset);
  const found = bytes.toString('utf8', offset, offset + length);
  return { excerpt: before + found + bytes.toString('utf8', offset + length, end), from: before.length, to: before.length + found.length };
}

/** True for a byte that continues a UTF-8 character. */
function isInside(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** True when no character is cut at this end. */
function isWhole(bytes: Buffer, end: number): boolean {
  let start = end - 1;
  while (start > 0 && isInside(bytes[start]!)) {
    start--;
  }
  const first = bytes[start]!;
  const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return start + size === end;
}
