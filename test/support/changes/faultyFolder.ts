/** A file system that fails at a chosen call, for stores on real folders. */
import nodeFs, { type FileHandle } from 'node:fs/promises';
import type { StoreFs } from '../../../src/changes/store/diskStoreFolder';

/**
 * The failure of the n-th call.
 * - an error code: the call does nothing and rejects
 * - partial: a write stops in its middle and rejects with `ENOSPC`; another call rejects only
 * - late: the call does its work and rejects with `EIO`
 * - full: this call and every later write rejects with `ENOSPC`, until `heal`
 * - kill: the process ends before the call
 * - killPartial, killLate: the process ends in the middle of a write, or after the call
 */
export const FAULTS = ['ENOSPC', 'EIO', 'EMFILE', 'EACCES', 'partial', 'late', 'full', 'kill', 'killPartial', 'killLate'] as const;
export type Fault = (typeof FAULTS)[number];

/** Calls that need no space on the disk. */
const FREE = new Set(['stat', 'readdir', 'readFile', 'read', 'close', 'rm', 'truncate']);

export class FaultyFs {
  /** Calls so far. */
  calls = 0;
  /** The name of the call that has failed; empty until then. */
  failed = '';
  /** Resolves when the process has ended. No call resolves after it. */
  readonly killed: Promise<'killed'>;
  private kill!: (how: 'killed') => void;
  private isDead = false;
  private isFull = false;
  private readonly handles: FileHandle[] = [];

  /** @param failAt the number of the failing call, from 1; 0 for none */
  constructor(
    private failAt = 0,
    private readonly fault: Fault = 'EIO',
  ) {
    this.killed = new Promise((resolve) => (this.kill = resolve));
  }

  readonly fs: StoreFs = {
    ...nodeFs,
    link: this.wrapped('link', nodeFs.link),
    mkdir: this.wrapped('mkdir', nodeFs.mkdir) as StoreFs['mkdir'],
    readdir: this.wrapped('readdir', nodeFs.readdir) as StoreFs['readdir'],
    readFile: this.wrapped('readFile', nodeFs.readFile) as StoreFs['readFile'],
    rename: this.wrapped('rename', nodeFs.rename),
    rm: this.wrapped('rm', nodeFs.rm),
    stat: this.wrapped('stat', nodeFs.stat) as StoreFs['stat'],
    open: async (...args: Parameters<StoreFs['open']>) => {
      const opened = async (): Promise<FileHandle> => {
        const file = await nodeFs.open(...args);
        this.handles.push(file);
        return file;
      };
      return this.handle(await this.call('open', opened));
    },
  };

  /** No call fails from now on. */
  heal(): void {
    this.isFull = false;
    this.failAt = 0;
  }

  /** Closes the handles that a killed process has left open. */
  async dispose(): Promise<void> {
    await Promise.all(this.handles.map((each) => each.close().catch(() => undefined)));
  }

  private handle(file: FileHandle): FileHandle {
    const names = ['stat', 'truncate', 'read', 'close'] as const;
    const wrapped = names.map((name) => [name, this.wrapped(name, (file[name] as (...args: never[]) => Promise<unknown>).bind(file))]);
    // Flushing is skipped: an exiting process keeps unflushed writes, and thousands of flushes take minutes.
    const flush = async (): Promise<void> => undefined;
    return {
      ...Object.fromEntries(wrapped),
      datasync: this.wrapped('datasync', flush),
      sync: this.wrapped('sync', flush),
      appendFile: (bytes: Uint8Array) =>
        this.call(
          'appendFile',
          () => file.appendFile(bytes),
          () => file.appendFile(bytes.subarray(0, Math.ceil(bytes.length / 2))),
        ),
    } as FileHandle;
  }

  private wrapped<A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return (...args) => this.call(name, () => call(...args));
  }

  /** @param half does a part of the call's work */
  private async call<T>(name: string, whole: () => Promise<T>, half: () => Promise<unknown> = async () => undefined): Promise<T> {
    if (this.isDead) {
      return new Promise<never>(() => undefined);
    }
    if (++this.calls !== this.failAt) {
      if (this.isFull && !FREE.has(name)) {
        throw failure('ENOSPC');
      }
      return whole();
    }
    this.failed = name;
    switch (this.fault) {
      case 'partial':
        await half();
        throw failure('ENOSPC');
      case 'late':
        await whole();
        throw failure('EIO');
      case 'full':
        this.isFull = true;
        throw failure('ENOSPC');
      case 'kill':
      case 'killPartial':
      case 'killLate':
        this.isDead = true;
        await (this.fault === 'killLate' ? whole() : this.fault === 'killPartial' ? half() : Promise.resolve()).catch(() => undefined);
        this.kill('killed');
        return new Promise<never>(() => undefined);
      default:
        throw failure(this.fault);
    }
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}
