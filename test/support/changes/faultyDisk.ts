/** A disk whose n-th call fails, writes half of its bytes, or is the last one before the process is killed. */
import nodeFiles, { type FileHandle } from 'node:fs/promises';
import { type DiskFiles, diskFilesOn } from '../../../src/changes/disk/diskFiles';
import type { FilesSystem } from '../../../src/changes/disk/heldFolder';
import type { StoreFolder } from '../../../src/changes/store/storeFolder';

/** `half`: the call writes half of its bytes and fails with ENOSPC. `kill`: the call and all later ones never happen. `killHalf`: the call half happens. */
export type DiskFault = 'ENOSPC' | 'EIO' | 'EMFILE' | 'EACCES' | 'half' | 'kill' | 'killHalf';

export class FaultyDisk {
  /** Calls so far; the fault happens at call `at`, counted from 1. */
  calls = 0;
  /** The name of the call that failed. */
  failed: string | undefined;
  private at = 0;
  private fault: DiskFault | undefined;
  private isKilled = false;
  private always: { readonly names: readonly string[]; readonly code: string } | undefined;
  readonly files: DiskFiles;

  constructor(private readonly system: FilesSystem = { ...nodeFiles, platform: process.platform }) {
    this.files = diskFilesOn(this.proxy(system));
  }

  arm(at: number, fault: DiskFault): void {
    [this.calls, this.at, this.fault, this.failed, this.isKilled] = [0, at, fault, undefined, false];
  }

  /** Every call of these names fails; a failing write writes half. */
  failAlways(names: readonly string[], code: 'EIO' | 'ENOSPC'): void {
    this.disarm();
    this.always = { names, code };
  }

  /** Counts the calls from here on, and fails none. */
  disarm(): void {
    this.always = undefined;
    [this.calls, this.at, this.fault, this.isKilled] = [0, 0, undefined, false];
  }

  /** A store on the same machine: it does not fail, and a kill ends it. */
  store(folder: StoreFolder): StoreFolder {
    return new Proxy(folder, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        return typeof value !== 'function'
          ? value
          : async (...args: unknown[]) => {
              this.refuseKilled();
              return (value as (...args: unknown[]) => unknown).apply(target, args);
            };
      },
    });
  }

  private proxy(system: FilesSystem): FilesSystem {
    return new Proxy(system, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') {
          return value;
        }
        return async (...args: unknown[]) => {
          this.count(String(name));
          const result: unknown = await (value as (...args: unknown[]) => unknown).apply(target, args);
          return name === 'open' ? this.handle(result as FileHandle) : result;
        };
      },
    });
  }

  private handle(handle: FileHandle): FileHandle {
    return new Proxy(handle, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') {
          return value;
        }
        return async (...args: unknown[]) => {
          // The handle is always closed, so that the test does not run out of handles.
          const end = name === 'close' ? await target.close() : undefined;
          const isArmed = this.fault !== undefined && /half/i.test(this.fault) && this.calls + 1 === this.at;
          if (name === 'write' && (isArmed || this.always?.names.includes(name))) {
            const [bytes, offset, length, position] = args as [Uint8Array, number, number, number];
            await target.write(bytes, offset, length >> 1, position);
          }
          this.count(String(name));
          return name === 'close' ? end : (value as (...args: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  }

  private count(name: string): void {
    this.refuseKilled();
    if (this.always?.names.includes(name)) {
      throw Object.assign(new Error(`${this.always.code}: ${name}`), { code: this.always.code });
    }
    if (++this.calls !== this.at || this.fault === undefined) {
      return;
    }
    this.failed = name;
    if (this.fault === 'kill' || this.fault === 'killHalf') {
      this.isKilled = true;
      this.refuseKilled();
    }
    const code = this.fault === 'half' ? 'ENOSPC' : this.fault;
    throw Object.assign(new Error(`${code}: ${name}`), { code });
  }

  private refuseKilled(): void {
    if (this.isKilled) {
      throw Object.assign(new Error('killed'), { code: 'EKILLED' });
    }
  }
}
