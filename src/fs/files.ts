import { diskBytes } from '../util/checkedBytes';
import type { Bytes } from '../util/checkedBytes';
import type { StoredFile, TextEdit } from './buffers';
import { encodingOf, looksBinary, withEditedBytes } from './encoding';
import type { Codec } from './encoding';
import * as faults from './faults';
import { applyEdits } from './minimizeEdits';

/** Files that no editor has open: the part of the `Buffers` port for closed files. The contract of each call is described there. */
export class StoredFiles {
  constructor(
    private readonly codec: Codec,
    private readonly bytes: Bytes = diskBytes,
  ) {}

  async read(path: string, maxBytes: number): Promise<StoredFile> {
    const bytes = await this.bytesOf(path, maxBytes);
    try {
      return { bytes, text: await this.codec.decode(bytes, path) };
    } catch (error) {
      throw looksBinary(bytes, error) ? faults.binary(path) : faults.unreadable(path, error);
    }
  }

  async rewrite(path: string, file: StoredFile, edits: readonly TextEdit[]): Promise<boolean> {
    const encoded = await this.edited(path, file, edits);
    try {
      return await this.bytes.replace(path, file.bytes, encoded);
    } catch (error) {
      if (isCode(error, 'ENOENT')) {
        return false;
      }
      if (isCode(error, 'EACCES') || isCode(error, 'EPERM') || isCode(error, 'EROFS')) {
        throw faults.readOnly(path);
      }
      throw faults.isFault(error) ? error : faults.writeFailed(path, error);
    }
  }

  async create(path: string, text: string): Promise<boolean> {
    try {
      const preferred = await this.codec.encode(text, path);
      // The configured encoding for new files may lack some of the characters; then UTF-8 is used.
      const kept = (await this.codec.decode(preferred, path).catch(() => undefined)) === withoutMark(text);
      await this.bytes.create(path, kept ? preferred : new TextEncoder().encode(text));
      return true;
    } catch (error) {
      if (isCode(error, 'EEXIST')) {
        return false;
      }
      throw faults.writeFailed(path, error);
    }
  }

  private async bytesOf(path: string, maxBytes: number): Promise<Uint8Array> {
    try {
      const { kind, size } = await this.bytes.stat(path);
      if (kind === 'directory') {
        throw faults.isDirectory(path);
      }
      // Reading a pipe or a device may never end.
      if (kind === 'other') {
        throw faults.unreadable(path, 'not a regular file');
      }
      if (size > maxBytes) {
        throw faults.tooLarge(path, size, maxBytes);
      }
      const bytes = await this.bytes.read(path, maxBytes);
      if (bytes.length > maxBytes) {
        throw faults.tooLarge(path, bytes.length, maxBytes);
      }
      return bytes;
    } catch (error) {
      if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) {
        throw faults.notFound(path);
      }
      throw faults.isFault(error) ? error : faults.unreadable(path, error);
    }
  }

  private async edited(path: string, file: StoredFile, edits: readonly TextEdit[]): Promise<Uint8Array> {
    const encoding = await encodingOf(this.codec, file, path);
    if (!encoding) {
      const bytes = withEditedBytes(file, edits);
      if (!bytes) {
        throw faults.damaging(path, 'bytes');
      }
      return bytes;
    }
    const text = applyEdits(file.text, edits);
    const encoded = await encoding.encode(text);
    // Decoding fails when the text would turn the file into a binary one.
    if ((await encoding.decode(encoded).catch(() => undefined)) !== text) {
      throw faults.damaging(path, 'characters');
    }
    return encoded;
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === code;
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
