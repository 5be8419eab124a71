/**
 * A review on disk: `review.json` lists the files and the rows that restores have dropped. One file for each text with hunks has both, so that they
 * always fit each other. All are replaced, never appended to, so that typing does not fill the disk.
 */
import { setImmediate } from 'node:timers/promises';
import type { SetAsideHunk } from '../../core/fileChanges/hunks';
import type { FileState } from '../../core/fileChanges/records';
import { LiveHunks, type StoredHunks } from '../hunks/liveHunks';
import { inPool } from '../../util/pool';
import { storedHunks } from '../hunks/storedHunks';
import { hashOf, type ObjectStore } from '../store/objectStore';
import type { StoreFolder } from '../store/storeFolder';
import { isObject, isStoredPath, storedState, stringsIn } from '../store/storedStates';
import type { DroppedRow } from './droppedRows';
import type { KeptFile } from './keptAway';
import type { ReviewFile } from './reviewFile';

export interface ReviewStorageDependencies {
  readonly store: Pick<ObjectStore, 'get'>;
  readonly folder: Pick<StoreFolder, 'readAll' | 'replace' | 'remove'>;
  /** Returns the file's present text, unsaved changes included; undefined when there is none. */
  text(path: string): Promise<string | undefined>;
}

/** An entry of `review.json`. In version 1, `stored` has the hunks and `text` the hash of their text in the object store. */
interface StoredFile extends Omit<ReviewFile, 'hunks'> {
  /** The name of the file with text and hunks. */
  readonly part?: string;
  readonly stored?: unknown;
  readonly text?: string;
  /** Only for a row that a restore has dropped: see {@link DroppedRow}. */
  readonly from?: FileState;
}

/** Hunks with the text that they belong to, or with its hash where it is large. */
type StoredPart = { readonly stored: StoredHunks } & (
  | { readonly text: string }
  /** `newTexts` has the text of each hunk, so that it stays readable when the file has changed. Absent when the texts are too long. */
  | { readonly hash: string; readonly newTexts?: readonly string[] }
);

interface Written {
  readonly text: string;
  readonly hunks: LiveHunks['hunks'];
  readonly setAside: LiveHunks['setAside'];
}

const NAME = 'review.json';
const PART = /^review-[0-9a-f]{32}\.json$/;
/** The most UTF-16 units of a text that is stored as a whole. For a larger one, the file on disk must still have the text. */
const MAX_TEXT = 256 * 1024;
/** Parts that are written at the same time. Most of the time is spent waiting for the disk. */
const IN_PARALLEL = 8;

export class ReviewStorage {
  /** The state of each part on disk, by name. */
  private readonly written = new Map<string, Written>();

  constructor(private readonly deps: ReviewStorageDependencies) {}

  /** Yields the files of the last write, without damaged ones. Dropped rows have `from`. */
  async *load(): AsyncGenerator<Pick<DroppedRow, 'file'> & Partial<DroppedRow>> {
    const bytes = await this.deps.folder.readAll(NAME);
    for (const { stored, text, part, from, ...file } of bytes ? storedFiles(bytes) : []) {
      const hunks = part === undefined ? await this.firstVersion(stored, text) : await this.partOf(part, file.path);
      yield { file: { ...file, ...(hunks && { hunks }) }, ...(from && { from }) };
    }
  }

  /** Returns the kept deletions of the last write. */
  async keptAway(): Promise<readonly KeptFile[]> {
    const bytes = await this.deps.folder.readAll(NAME);
    return bytes ? keptFiles(bytes) : [];
  }

  /** Writes the changes since the last call. Rejects when the disk fails; the next call then writes them again. */
  async write(reviewed: readonly ReviewFile[], droppedRows: readonly DroppedRow[], keptAway: readonly KeptFile[] = []): Promise<void> {
    const hunksOf = new Map<string, LiveHunks>();
    const storedOf = ({ hunks, ...file }: ReviewFile, isDropped = false): StoredFile => {
      const part = hunks && partName(file.path, isDropped);
      if (part !== undefined) {
        hunksOf.set(part, hunks!);
      }
      return { ...file, ...(part !== undefined && { part }) };
    };
    const files = reviewed.map((file) => storedOf(file));
    // Earlier versions read `files` alone, and would take the rows for pending ones.
    const dropped = droppedRows.map(({ file, from }) => ({ ...storedOf(file, true), from }));
    await inPool([...hunksOf], IN_PARALLEL, async ([part, hunks]) => {
      await this.writePart(part, hunks);
      // Hundreds of files must not block the extension host.
      await setImmediate();
    });
    const parts = new Set(hunksOf.keys());
    // This flushes the names of the parts, too.
    const lists = { ...(dropped.length > 0 && { dropped }), ...(keptAway.length > 0 && { keptAway }) };
    await this.deps.folder.replace(NAME, Buffer.from(JSON.stringify({ version: 2, files, ...lists })));
    for (const part of [...this.written.keys()].filter((name) => !parts.has(name))) {
      await this.deps.folder.remove(part);
      this.written.delete(part);
    }
  }

  private async writePart(name: string, hunks: LiveHunks): Promise<void> {
    const before = this.written.get(name);
    const now: Written = { text: hunks.text, hunks: hunks.hunks, setAside: hunks.setAside };
    if (before?.hunks === now.hunks && before.setAside === now.setAside && before.text === now.text) {
      return;
    }
    // The part must be removed eventually, even if this write fails halfway.
    this.written.set(name, { ...now, hunks: [] });
    await this.deps.folder.replace(name, Buffer.from(JSON.stringify(partFor(hunks))), { flush: false });
    this.written.set(name, now);
  }

  private async firstVersion(stored: unknown, hash: string | undefined): Promise<LiveHunks | undefined> {
    const bytes = stored !== undefined && hash !== undefined ? await this.deps.store.get(hash) : undefined;
    return bytes && hunksOf(stored, Buffer.from(bytes).toString());
  }

  private async partOf(name: string, path: string): Promise<LiveHunks | undefined> {
    const bytes = PART.test(name) ? await this.deps.folder.readAll(name) : undefined;
    const part = bytes && parsed(bytes);
    if (!part) {
      return undefined;
    }
    this.written.set(name, { text: '', hunks: [], setAside: [] });
    if ('text' in part) {
      return hunksOf(part.stored, part.text);
    }
    const text = await this.deps.text(path);
    if (text === undefined) {
      return undefined;
    }
    return hashOf(Buffer.from(text)) === part.hash ? hunksOf(part.stored, text) : staleHunks(part.stored, part.newTexts, text);
  }
}

/** The row of a file that a restore has dropped has a name of its own, since the file may wait again with other hunks. */
function partName(path: string, isDropped: boolean): string {
  return `review-${hashOf(Buffer.from(isDropped ? `${path}\0dropped` : path)).slice(0, 32)}.json`;
}

function partFor({ text, hunks, stored }: LiveHunks): StoredPart {
  if (text.length <= MAX_TEXT) {
    return { stored, text };
  }
  const newTexts = hunks.map(({ start, end }) => text.slice(start, end));
  const isSmall = newTexts.reduce((sum, each) => sum + each.length, 0) <= MAX_TEXT;
  return { stored, hash: hashOf(Buffer.from(text)), ...(isSmall && { newTexts }) };
}

/** Returns the hunks of a text that no longer exists: readable, but not pending. Undefined when their texts were not stored. */
function staleHunks(
  { nextId, hunks, setAside }: StoredHunks,
  newTexts: readonly string[] | undefined,
  text: string,
): LiveHunks | undefined {
  const place = (start: number): { start: number; end: number } => {
    const at = Math.min(start, text.length);
    return { start: at, end: at };
  };
  const stale = hunks.map((hunk, index): SetAsideHunk => {
    return { ...hunk, ...place(hunk.start), newText: newTexts?.[index] ?? '', placed: false, status: 'stale' };
  });
  const others = setAside.map((hunk): SetAsideHunk => ({ ...hunk, ...place(hunk.start), placed: false }));
  return newTexts && LiveHunks.from({ nextId, hunks: [], setAside: [...others, ...stale] }, text);
}

function storedFiles(bytes: Uint8Array): readonly StoredFile[] {
  try {
    const { version, files, dropped } = JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>;
    if ((version !== 1 && version !== 2) || !Array.isArray(files)) {
      return [];
    }
    const pending = files.flatMap((each) => storedFile(each) ?? []);
    // Earlier versions wrote the hunks of both rows of a file under one name.
    const parts = new Set(pending.map(({ part }) => part));
    const rows = Array.isArray(dropped) ? dropped.flatMap((each) => droppedFile(each) ?? []) : [];
    return [...pending, ...rows.filter(({ part }) => part === undefined || !parts.has(part))];
  } catch {
    return [];
  }
}

function keptFiles(bytes: Uint8Array): readonly KeptFile[] {
  try {
    const { keptAway } = JSON.parse(Buffer.from(bytes).toString()) as Readonly<Record<string, unknown>>;
    return (Array.isArray(keptAway) ? keptAway : []).flatMap((each: unknown) =>
      isObject(each) && isStoredPath(each['path']) ? [{ path: each['path'] as string, before: storedState(each['before']) }] : [],
    );
  } catch {
    return [];
  }
}

/** Returns undefined without a valid path. */
function storedFile(value: unknown): StoredFile | undefined {
  if (!isObject(value) || !isStoredPath(value['path'])) {
    return undefined;
  }
  const { path: name, oldPath, before, after, isDeleted, turns, shared, sharedWith, relinked, isLarge, part, stored, text } = value;
  const isMoved = isStoredPath(oldPath);
  return {
    path: name as string,
    ...(isMoved && { oldPath }),
    // Without the path that it was moved from, the earlier state belongs to no file.
    before: oldPath === undefined || isMoved ? storedState(before) : { kind: 'unknown', reason: 'unreadable' },
    after: after === undefined ? { kind: 'unknown', reason: 'late' } : storedState(after),
    isDeleted: isDeleted === true,
    turns: stringsIn(turns),
    ...(shared === true && { shared }),
    ...(sharedWith !== undefined && { sharedWith: stringsIn(sharedWith) }),
    ...(relinked === true && { relinked }),
    ...(isLarge === true && { isLarge }),
    ...(typeof part === 'string' && { part }),
    ...(stored !== undefined && { stored }),
    ...(typeof text === 'string' && { text }),
  };
}

function droppedFile(value: unknown): StoredFile | undefined {
  const file = storedFile(value);
  return file && { ...file, from: storedState((value as { readonly from?: unknown }).from) };
}

/** Returns undefined when the hunks do not fit the text. The file can then only be kept or undone as a whole. */
function hunksOf(stored: unknown, text: string): LiveHunks | undefined {
  const hunks = storedHunks(stored, text.length);
  return hunks && LiveHunks.from(hunks, text);
}

function parsed(bytes: Uint8Array): StoredPart | undefined {
  try {
    const { stored, text, hash, newTexts } = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
    const hunks = storedHunks(stored, typeof text === 'string' ? text.length : undefined);
    if (!hunks) {
      return undefined;
    }
    if (typeof text === 'string') {
      return { stored: hunks, text };
    }
    const texts = stringsIn(newTexts);
    return typeof hash === 'string' ? { stored: hunks, hash, ...(texts.length === hunks.hunks.length && { newTexts: texts }) } : undefined;
  } catch {
    return undefined;
  }
}
