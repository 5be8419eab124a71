// The Buffers port in memory: documents that can be edited, undone, saved and reloaded as in an editor.
import { posix, win32 } from 'node:path';
import type { Buffers, Damage, OpenBuffer, StoredFile, TextEdit } from '../../src/fs/buffers';
import type { Bytes } from '../../src/util/checkedBytes';
import type { FileIdentity } from '../../src/util/checkedFiles';
import type { Codec } from '../../src/fs/encoding';
import { StoredFiles } from '../../src/fs/files';
import { applyEdits } from '../../src/fs/minimizeEdits';
import { withLineFeeds } from '../../src/util/text';
import type { Eol } from '../../src/util/text';

/** The paths of most tests are those of POSIX on every system. */
const dirname = (path: string): string => (path.startsWith('/') ? posix : win32).dirname(path);

/** Files and folders in memory, with the errors of a real disk. */
export class FakeDisk implements Bytes {
  readonly files = new Map<string, Uint8Array>();
  readonly directories = new Set<string>(['/']);
  readonly readOnly = new Set<string>();
  readonly pipes = new Set<string>();
  /** Paths whose next read or write fails with this code. */
  readonly failing = new Map<string, string>();
  private readonly inodes = new Map<string, bigint>();

  async stat(path: string) {
    if (this.directories.has(path)) {
      return { kind: 'directory' as const, size: 0, readOnly: false };
    }
    if (this.pipes.has(path)) {
      return { kind: 'other' as const, size: 0, readOnly: false };
    }
    return { kind: 'file' as const, size: this.bytesOf(path).length, readOnly: this.readOnly.has(path) };
  }

  async read(path: string) {
    this.fail(path);
    return this.bytesOf(path).slice();
  }

  async replace(path: string, before: Uint8Array, bytes: Uint8Array) {
    this.fail(path);
    if (this.readOnly.has(path)) {
      throw error('EACCES', path);
    }
    if (Buffer.compare(this.bytesOf(path), before) !== 0) {
      return false;
    }
    this.files.set(path, bytes.slice());
    return true;
  }

  async create(path: string, bytes: Uint8Array) {
    this.fail(path);
    if (this.files.has(path)) {
      throw error('EEXIST', path);
    }
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      this.directories.add(folder);
    }
    this.files.set(path, bytes.slice());
  }

  /** Undefined for a missing file. A file keeps its identity as long as it is at its path. */
  identityOf(path: string): FileIdentity | undefined {
    if (!this.files.has(path)) {
      return undefined;
    }
    const ino = this.inodes.get(path) ?? BigInt(this.inodes.size + 1);
    this.inodes.set(path, ino);
    return { real: path, dev: 0n, ino };
  }

  private bytesOf(path: string): Uint8Array {
    const bytes = this.files.get(path);
    if (!bytes) {
      throw error('ENOENT', path);
    }
    return bytes;
  }

  private fail(path: string): void {
    const code = this.failing.get(path);
    if (code) {
      throw error(code, path);
    }
  }
}

/** `utf8`, `utf8bom`, `utf16le`, `utf16be` and `iso88591`; detects byte order marks as VS Code does. */
export class FakeCodec implements Codec {
  /** The value of `files.encoding`. */
  configured = 'utf8';

  async decode(bytes: Uint8Array, _path: string, encoding?: string): Promise<string> {
    const detected = markOf(bytes) ?? encoding ?? this.configured;
    const body = bytes.subarray(MARKS[detected] && markOf(bytes) ? MARKS[detected].length : 0);
    if (!detected.startsWith('utf16') && body.includes(0)) {
      throw Object.assign(new Error('binary'), { decodeStreamErrorKind: 1 });
    }
    if (detected === 'iso88591') {
      return Buffer.from(body).toString('latin1');
    }
    if (detected === 'utf16le') {
      return Buffer.from(body).toString('utf16le');
    }
    if (detected === 'utf16be') {
      return Buffer.from(body).swap16().toString('utf16le');
    }
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  }

  async encode(text: string, _path: string, encoding = this.configured): Promise<Uint8Array> {
    return Buffer.concat([MARKS[encoding] ?? new Uint8Array(), encodeBody(text, encoding)]);
  }
}

const MARKS: Record<string, Uint8Array> = {
  utf8bom: Uint8Array.of(0xef, 0xbb, 0xbf),
  utf16le: Uint8Array.of(0xff, 0xfe),
  utf16be: Uint8Array.of(0xfe, 0xff),
};

function markOf(bytes: Uint8Array): string | undefined {
  return Object.keys(MARKS).find((name) => Buffer.compare(bytes.subarray(0, MARKS[name]!.length), MARKS[name]!) === 0);
}

function encodeBody(text: string, encoding: string): Uint8Array {
  if (encoding === 'iso88591') {
    return Buffer.from(text.replace(/[^\0-\xff]/g, '?'), 'latin1');
  }
  if (encoding === 'utf16le') {
    return Buffer.from(text, 'utf16le');
  }
  if (encoding === 'utf16be') {
    return Buffer.from(text, 'utf16le').swap16();
  }
  return Buffer.from(text, 'utf8');
}

export class FakeDocument implements OpenBuffer {
  version = 1;
  dirty = false;
  readOnly = false;
  closed = false;
  /** The result of the next saves; the participant changes the text first. */
  saves: 'work' | 'fail' | 'throw' = 'work';
  participant: ((text: string) => string) | undefined;
  /** Runs just before the next edit is applied, like typing in progress. */
  beforeEdit: (() => void) | undefined;
  /** Runs during the next save, after the participants. */
  duringSave: (() => void) | undefined;
  readonly edits: (readonly TextEdit[])[] = [];
  private readonly past: string[] = [];

  constructor(
    private readonly buffers: FakeBuffers,
    readonly path: string,
    readonly encoding: string,
    public text: string,
    readonly eol: Eol,
    private saved = text,
  ) {}

  /** Types like the user, as one undo step. */
  type(start: number, end: number, inserted: string): void {
    this.change(this.text.slice(0, start) + inserted.replace(/\r\n?|\n/g, this.eol) + this.text.slice(end));
  }

  /** The text that one undo would restore. */
  get undoText(): string | undefined {
    return this.past.at(-1);
  }

  undo(): void {
    const before = this.past.pop();
    if (before === undefined) {
      return;
    }
    this.text = before;
    this.version++;
    this.dirty = true;
  }

  async edit(edits: readonly TextEdit[], expectedVersion: number): Promise<boolean> {
    const hook = this.beforeEdit;
    this.beforeEdit = undefined;
    hook?.();
    await Promise.resolve();
    if (this.closed || this.version !== expectedVersion) {
      return false;
    }
    this.edits.push(edits);
    this.change(applyEdits(this.text, edits).replace(/\r\n?|\n/g, this.eol));
    return true;
  }

  async save(): Promise<boolean> {
    await Promise.resolve();
    if (this.saves === 'throw') {
      throw new Error('disk full');
    }
    if (this.saves === 'fail') {
      return false;
    }
    if (this.participant) {
      const formatted = this.participant(this.text);
      if (formatted !== this.text) {
        this.change(formatted);
      }
    }
    const text = this.text;
    const bytes = await this.buffers.codec.encode(text, this.path, this.encoding);
    const hook = this.duringSave;
    this.duringSave = undefined;
    hook?.();
    this.buffers.disk.files.set(this.path, bytes);
    this.saved = text;
    this.dirty = this.text !== text;
    return true;
  }

  async isStale(): Promise<boolean> {
    const bytes = this.buffers.disk.files.get(this.path);
    return (
      bytes !== undefined && withLineFeeds(await this.buffers.codec.decode(bytes, this.path, this.encoding)) !== withLineFeeds(this.saved)
    );
  }

  async damage(text: string): Promise<Damage | undefined> {
    const { codec } = this.buffers;
    const again = await codec.decode(await codec.encode(text, this.path, this.encoding), this.path, this.encoding);
    return again === text ? undefined : 'characters';
  }

  reload(text: string): void {
    this.text = this.saved = withLineFeeds(text).replaceAll('\n', this.eol);
    this.version++;
    this.past.length = 0;
  }

  private change(text: string): void {
    this.past.push(this.text);
    this.text = text;
    this.version++;
    this.dirty = true;
  }
}

export class FakeBuffers implements Buffers {
  readonly disk = new FakeDisk();
  readonly codec = new FakeCodec();
  readonly documents = new Map<string, FakeDocument>();
  readonly dirtyNotebooks = new Set<string>();
  private readonly stored = new StoredFiles(this.codec, this.disk);

  /** Writes a file to disk like another program. */
  async store(path: string, text: string, encoding = 'utf8'): Promise<void> {
    this.disk.files.set(path, await this.codec.encode(text, path, encoding));
  }

  /** The text on disk, read in `encoding`. */
  async storedText(path: string, encoding?: string): Promise<string> {
    return this.codec.decode(await this.disk.read(path), path, encoding);
  }

  /** Opens the file in the editor. */
  async open(path: string, encoding = 'utf8'): Promise<FakeDocument> {
    const text = await this.storedText(path, encoding);
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const document = new FakeDocument(this, path, encoding, withLineFeeds(text).replaceAll('\n', eol), eol);
    this.documents.set(path, document);
    return document;
  }

  close(path: string): void {
    const document = this.documents.get(path);
    if (document) {
      document.closed = true;
    }
    this.documents.delete(path);
  }

  async find(path: string): Promise<FakeDocument | undefined> {
    const document = this.documents.get(path);
    if (document && !document.dirty && (await document.isStale())) {
      document.reload(await this.storedText(path, document.encoding));
    }
    return document;
  }

  async hasDirtyNotebook(path: string): Promise<boolean> {
    return this.dirtyNotebooks.has(path);
  }

  read(path: string, maxBytes: number): Promise<StoredFile> {
    return this.stored.read(path, maxBytes);
  }

  rewrite(path: string, file: StoredFile, edits: readonly TextEdit[]): Promise<boolean> {
    return this.stored.rewrite(path, file, edits);
  }

  create(path: string, text: string): Promise<boolean> {
    return this.stored.create(path, text);
  }
}

function error(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
