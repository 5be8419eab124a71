/**
 * What of a session's changes waits for the user, file by file. It holds no editor and writes no file: the window tells it what was typed and saved, and
 * applies the edits that it gives. All of it is kept beside the session's earlier versions, and is there again after a reload.
 */
import { applyEdit, type TextEdit } from '../../core/fileChanges/hunks';
import type { FileRecord, FileState } from '../../core/fileChanges/records';
import type { Clock, Disposable } from '../../core/model/ports';
import { type Author, LiveHunks, type StoredHunks } from '../hunks/liveHunks';
import { hashOf, type ObjectStore } from '../store/objectStore';
import type { StoreFolder } from '../store/storeFolder';
import { LateWriter } from './lateWriter';

export interface ReviewDependencies {
  readonly store: ObjectStore;
  readonly folder: StoreFolder;
  readonly clock: Clock;
  /** What the file holds now, unsaved changes included; undefined when there is none, or no text. */
  text(path: string): Promise<string | undefined>;
  /** The text of a file's bytes, as the editor reads them; undefined when they are none. */
  decode(path: string, bytes: Uint8Array): Promise<string | undefined>;
}

/** A write that the user has looked at first: what the agent proposed, and what they made of it. */
export interface AcceptedWrite {
  /** Real. */
  readonly path: string;
  readonly proposed: string;
  readonly text: string;
}

/** True for a file of which something waits; of others only what was set aside is still there to be read. */
export function isPending({ hunks, oldPath }: ReviewFile): boolean {
  return !hunks || hunks.hunks.length > 0 || oldPath !== undefined;
}

/** One file that waits. */
export interface ReviewFile {
  /** Absolute; real. */
  readonly path: string;
  /** Before the first of its changes, where it was moved. */
  readonly oldPath?: string;
  /** As it was before the first of its changes. */
  readonly before: FileState;
  readonly isDeleted: boolean;
  /** Turns that changed it, oldest first. */
  readonly turns: readonly string[];
  /** Absent: it can only be kept or restored as a whole, where it can: binary, too large, moved away, or no earlier version is known. */
  readonly hunks?: LiveHunks;
}

interface StoredFile extends Omit<ReviewFile, 'hunks'> {
  readonly stored?: StoredHunks;
  /** Of the text that the hunks belong to. */
  readonly text?: string;
}

const NAME = 'review.json';
/** ms after which a change is on disk. */
const KEEP_MS = 500;

export class Review implements Disposable {
  private readonly byPath = new Map<string, ReviewFile>();
  private readonly listeners = new Set<() => void>();
  private readonly writer: LateWriter;
  private disposed = false;

  constructor(private readonly ports: ReviewDependencies) {
    this.writer = new LateWriter(ports.clock, KEEP_MS, () => this.write());
  }

  /** In the order of their paths. */
  get files(): readonly ReviewFile[] {
    return [...this.byPath.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  file(path: string): ReviewFile | undefined {
    return this.byPath.get(path);
  }

  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** Reads back what waited when the window went. Files that were written meanwhile were written by somebody else. */
  async load(): Promise<void> {
    const bytes = await this.ports.folder.readAll(NAME);
    for (const { stored, text: hash, ...file } of bytes ? storedFiles(bytes) : []) {
      const then = hash === undefined ? undefined : await this.ports.store.get(hash);
      const hunks = stored && then && LiveHunks.from(stored, Buffer.from(then).toString());
      this.byPath.set(file.path, { ...file, ...(hunks && { hunks }) });
      await this.fileChanged(file.path);
    }
    this.changed();
  }

  /** A turn has ended, or what it has done so far is known. @param accepted writes of it that the user has looked at, in order: they wait no more */
  async recorded(turnId: string, files: readonly FileRecord[], accepted: readonly AcceptedWrite[] = []): Promise<void> {
    for (const record of files) {
      const writes = accepted.filter(({ path }) => path === record.path);
      await this.add(turnId, record, writes);
      writes.forEach(({ text }) => this.byPath.get(record.path)?.hunks?.keepCommitted(text));
    }
    this.changed();
  }

  /** The open document of a file has changed. Each edit refers to what the one before it left. */
  documentChanged(path: string, edits: readonly TextEdit[], author: Author): void {
    const file = this.byPath.get(path);
    if (file?.hunks) {
      file.hunks.edit(edits, author);
      this.changed();
    }
  }

  /**
   * As {@link documentChanged}, where what is known may be older or newer than the text before the edits: a document is reloaded after the file was
   * read. @param text of the document now
   */
  documentIs(path: string, text: string, edits: readonly TextEdit[], author: Author): void {
    const hunks = this.byPath.get(path)?.hunks;
    if (!hunks || hunks.text === text) {
      return;
    }
    if (edits.reduce(applyIfInside, hunks.text) === text) {
      hunks.edit(edits, author);
    } else {
      hunks.replace(text, author);
    }
    this.changed();
  }

  /** The user has taken it back as a whole, or it is as it was for another reason: it waits no longer. */
  drop(path: string): void {
    if (this.byPath.delete(path)) {
      this.changed();
    }
  }

  /** A file that no document holds was written by neither agent nor user: a checkout, a stash, another program. */
  async fileChanged(path: string): Promise<void> {
    const file = this.byPath.get(path);
    const text = file?.hunks && (await this.ports.text(path));
    if (file?.hunks && text !== undefined) {
      file.hunks.replace(text, { type: 'external' });
      this.changed();
    }
  }

  /** A commit has this text of the file, and keeps what it contains. */
  committed(path: string, text: string): void {
    this.byPath.get(path)?.hunks?.keepCommitted(text);
    this.changed();
  }

  /** @param hunkIds absent: all, and the file waits no longer */
  keep(path: string, hunkIds?: readonly number[]): void {
    const hunks = this.byPath.get(path)?.hunks;
    hunks?.keep(hunkIds ?? hunks.hunks.map(({ hunkId }) => hunkId));
    const file = this.byPath.get(path);
    if (file && !hunkIds) {
      this.byPath.delete(path);
      if (hunks && hunks.setAside.length > 0) {
        const { oldPath: _, ...kept } = file;
        this.byPath.set(path, kept);
      }
    }
    this.changed();
  }

  /** What the editor applies so that they are undone, in this order. @param hunkIds absent: all */
  undoEdits(path: string, hunkIds?: readonly number[]): readonly TextEdit[] {
    const hunks = this.byPath.get(path)?.hunks;
    return hunks?.undoEdits(hunkIds ?? hunks.hunks.map(({ hunkId }) => hunkId)) ?? [];
  }

  setReviewed(path: string, hunkIds: readonly number[], reviewed: boolean): void {
    this.byPath.get(path)?.hunks?.setReviewed(hunkIds, reviewed);
    this.changed();
  }

  /** What is needed of the store so that all that waits can still be undone, and is there after a reload. */
  get objects(): ReadonlySet<string> {
    const before = this.files.filter(isPending).flatMap((file) => (file.before.kind === 'file' ? file.before.hash : []));
    const texts = this.files.flatMap(({ hunks }) => (hunks ? hashOf(Buffer.from(hunks.text)) : []));
    return new Set([...before, ...texts]);
  }

  /** All of it is on disk when this resolves. */
  async flush(): Promise<void> {
    await this.writer.flush();
  }

  dispose(): void {
    this.disposed = true;
    this.writer.dispose();
    this.listeners.clear();
  }

  private async add(
    turnId: string,
    { path, oldPath, before, after, binary }: FileRecord,
    accepted: readonly AcceptedWrite[],
  ): Promise<void> {
    const known = this.byPath.get(path) ?? (oldPath === undefined ? undefined : this.byPath.get(oldPath));
    if (oldPath !== undefined) {
      this.byPath.delete(oldPath);
    }
    const text = binary || after.kind === 'link' || after.kind === 'none' ? undefined : await this.ports.text(path);
    const hunks =
      text === undefined
        ? undefined
        : (known?.hunks ?? (await this.begin(path, known && known.before.kind !== 'unknown' ? known.before : before)));
    const agent: Author = { type: 'agent', by: turnId };
    // An open document has told of them already.
    for (const write of hunks?.text === text ? [] : accepted) {
      hunks?.replace(write.proposed, agent);
      hunks?.replace(write.text, { type: 'user' });
    }
    hunks?.replace(text!, agent);
    const from = known?.oldPath ?? oldPath;
    this.byPath.set(path, {
      path,
      ...(from !== undefined && { oldPath: from }),
      before: known?.before ?? before,
      isDeleted: after.kind === 'none',
      turns: [...new Set([...(known?.turns ?? []), turnId])],
      ...(hunks && { hunks }),
    });
  }

  /** Undefined when no earlier text is known. */
  private async begin(path: string, before: FileState): Promise<LiveHunks | undefined> {
    if (before.kind === 'none') {
      return LiveHunks.of('');
    }
    const bytes = before.kind === 'file' ? await this.ports.store.get(before.hash) : undefined;
    const text = bytes && (await this.ports.decode(path, bytes));
    return text === undefined ? undefined : LiveHunks.of(text);
  }

  private changed(): void {
    if (this.disposed) {
      return;
    }
    this.listeners.forEach((listener) => listener());
    this.writer.changed();
  }

  private async write(): Promise<void> {
    const files: StoredFile[] = [];
    for (const { hunks, ...file } of this.files) {
      const text = hunks && (await this.ports.store.put(Buffer.from(hunks.text)));
      files.push({ ...file, ...(text !== undefined && { stored: hunks!.stored, text }) });
    }
    await this.ports.folder.replace(NAME, Buffer.from(JSON.stringify({ version: 1, files })));
  }
}

function applyIfInside(text: string, edit: TextEdit): string {
  return edit.start <= edit.end && edit.end <= text.length ? applyEdit(text, edit) : text;
}

function storedFiles(bytes: Uint8Array): readonly StoredFile[] {
  try {
    const { version, files } = JSON.parse(Buffer.from(bytes).toString()) as { version?: unknown; files?: readonly StoredFile[] };
    return version === 1 && Array.isArray(files) ? files : [];
  } catch {
    return [];
  }
}
