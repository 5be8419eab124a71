import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import nodePath from 'node:path';

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** bytes */
  readonly size: number;
  /** Nobody has the permission to write it. */
  readonly readOnly: boolean;
}

/** Files as bytes. Errors are the system's, with its `code`. */
export interface Bytes {
  stat(path: string): Promise<FileStat>;
  read(path: string): Promise<Uint8Array>;
  /** Replaces the content; the file keeps its inode, mode and links. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Makes a file and the folders it lies in; rejects with EEXIST when there is one, with ENOTDIR when it would lie in a file. */
  create(path: string, bytes: Uint8Array): Promise<void>;
}

export const diskBytes: Bytes = {
  async stat(path) {
    const stats = await stat(path);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
    return { kind, size: stats.size, readOnly: (stats.mode & 0o222) === 0 };
  },
  read: (path) => readFile(path),
  async write(path, bytes) {
    // Not `w`: that would make the file again when it was deleted a moment ago.
    const file = await open(path, 'r+');
    try {
      // In this order a full disk leaves the old content's space in use and nothing is cut off before its time.
      await file.writeFile(bytes);
      await file.truncate(bytes.length);
    } finally {
      await file.close();
    }
  },
  async create(path, bytes) {
    const folder = nodePath.dirname(path);
    await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      // The system's EEXIST is about the folder's name, which a file has: not a file that came in between.
      throw error.code === 'EEXIST' ? Object.assign(new Error(`ENOTDIR: not a folder: ${folder}`), { code: 'ENOTDIR' }) : error;
    });
    await writeFile(path, bytes, { flag: 'wx' });
  },
};
