import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileSafely } from '../../util/writeFileSafely';
import type { StoreFolder } from './storeFolder';

/** A store's folder on disk, made with the first thing that is written. */
export class DiskStoreFolder implements StoreFolder {
  private made: Promise<unknown> | undefined;
  private closed = false;

  /** @param folder absolute */
  constructor(private readonly folder: string) {}

  async append(name: string, bytes: Uint8Array): Promise<void> {
    await this.make();
    const file = await open(this.at(name), 'a', 0o600);
    try {
      await file.appendFile(bytes);
    } finally {
      await file.close();
    }
  }

  async read(name: string, offset: number, length: number): Promise<Uint8Array | undefined> {
    const file = await open(this.at(name), 'r').catch(ifThere);
    if (!file) {
      return undefined;
    }
    try {
      const bytes = Buffer.alloc(length);
      const { bytesRead } = await file.read(bytes, 0, length, offset);
      return bytesRead === length ? bytes : undefined;
    } finally {
      await file.close();
    }
  }

  async readAll(name: string): Promise<Uint8Array | undefined> {
    return readFile(this.at(name)).catch(ifThere);
  }

  async replace(name: string, bytes: Uint8Array): Promise<void> {
    await this.make();
    await writeFileSafely(this.at(name), [bytes], { overwrite: true });
  }

  async remove(name: string): Promise<void> {
    await rm(this.at(name), { force: true });
  }

  async size(): Promise<number> {
    const names = (await readdir(this.folder).catch(ifThere)) ?? [];
    const sizes = await Promise.all(names.map(async (name) => (await stat(this.at(name)).catch(ifThere))?.size ?? 0));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async removeAll(): Promise<void> {
    this.made = undefined;
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Nothing is written any more: what is still on its way must not make a folder again that was removed. */
  close(): void {
    this.closed = true;
  }

  private make(): Promise<unknown> {
    if (this.closed) {
      return Promise.reject(new Error(`closed: ${this.folder}`));
    }
    return (this.made ??= mkdir(this.folder, { recursive: true, mode: 0o700 }));
  }

  private at(name: string): string {
    return path.join(this.folder, name);
  }
}

function ifThere(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
    throw error;
  }
}
