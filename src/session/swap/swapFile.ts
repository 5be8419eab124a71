/**
 * A file for data that a session does not need in memory. It is encrypted with a key that only this process has, because the data may contain secrets
 * that the journal does not. POSIX systems delete the file when the process ends, however it ends.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** A block of the file. `offset` and `length` in bytes. */
export interface SwapLocation {
  readonly offset: number;
  readonly length: number;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SUFFIX = '.swap';
/** ms after which a file that a process has left behind is deleted. */
const STALE_MS = 24 * 60 * 60 * 1000;

export class SwapFile {
  private readonly key = randomBytes(32);
  private readonly handle: number;
  private readonly path: string;
  private size = 0;
  private isClosed = false;

  /** @param folder absolute; created if it is missing @throws when the file cannot be created */
  constructor(folder: string) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    deleteStale(folder);
    this.path = path.join(folder, `${process.pid}-${randomBytes(8).toString('hex')}${SUFFIX}`);
    this.handle = fs.openSync(this.path, 'wx+', 0o600);
    if (process.platform !== 'win32') {
      fs.unlinkSync(this.path);
    }
  }

  /** Appends the data. @throws when it cannot be written whole; the file then is as before */
  write(data: Uint8Array): SwapLocation {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce);
    const block = Buffer.concat([nonce, cipher.update(data), cipher.final(), cipher.getAuthTag()]);
    const location = { offset: this.size, length: block.length };
    for (let done = 0; done < block.length; ) {
      done += fs.writeSync(this.handle, block, done, block.length - done, location.offset + done);
    }
    this.size += block.length;
    return location;
  }

  /** @throws when the block cannot be read, or is not what was written */
  read({ offset, length }: SwapLocation): Buffer {
    // The system gives the number of a closed handle to another file.
    if (this.isClosed) {
      throw new Error('the swap file is closed');
    }
    const block = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const count = fs.readSync(this.handle, block, done, length - done, offset + done);
      if (count === 0) {
        throw new Error('the swap file is too short');
      }
      done += count;
    }
    const decipher = createDecipheriv(CIPHER, this.key, block.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(block.subarray(length - TAG_BYTES));
    return Buffer.concat([decipher.update(block.subarray(NONCE_BYTES, length - TAG_BYTES)), decipher.final()]);
  }

  dispose(): void {
    if (this.isClosed) {
      return;
    }
    this.isClosed = true;
    fs.closeSync(this.handle);
    fs.rmSync(this.path, { force: true });
  }
}

/** Windows does not delete an open file, so a process that was killed leaves its file. */
function deleteStale(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    try {
      if (name.endsWith(SUFFIX) && Date.now() - fs.statSync(file).mtimeMs > STALE_MS) {
        fs.rmSync(file, { force: true });
      }
    } catch {
      // Another window deleted it, or has it open.
    }
  }
}
