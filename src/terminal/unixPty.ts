/**
 * Uses only the native part of node-pty on Linux and macOS, because its own class loses output. When the last process closes the terminal, libuv
 * takes the hang-up for the end of the stream after the first short read. A pty never reads more than 4 kB at once (20 kB written just before the
 * exit: lost in 95 of 100 runs). Here the host holds the other end open, so there is no hang-up. After the process has ended, the remaining output
 * is read until the terminal is empty, and only then everything is closed. The version of node-pty is pinned.
 */
import { accessSync, chmodSync, closeSync, constants, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { ReadStream } from 'node:tty';
import type { ExitStatus } from '../core/model/content';
import { TERMINAL_SIZE } from '../core/model/terminalSize';
import { markedEnvironment, newMark } from '../util/processes/processMark';
import { groupAlive, ProcessTree } from '../util/processes/processTree';
import { readsTerminal } from '../util/processes/terminalReaders';
import { END_GRACE_MS, type Pty, type PtyOptions, type StartPty } from './pty';
import { exitStatusOf } from './signals';

/** The native module's functions, as node-pty 1.2.0-beta.15 calls them. */
interface Native {
  fork(
    file: string,
    args: readonly string[],
    environment: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (exitCode: number, signal: number) => void,
  ): { readonly fd: number; readonly pid: number; readonly pty: string };
  resize(fd: number, columns: number, rows: number, widthPixels: number, heightPixels: number): void;
}

/** A limit far above what a terminal can hold. It stops a child that writes forever. */
const DRAIN_LIMIT = 1024 * 1024;

/** @throws when the native module does not load */
export function unixPty(load: NodeJS.Require): StartPty {
  const utils = load('node-pty/lib/utils.js') as { loadNativeModule(name: string): { readonly dir: string; readonly module: Native } };
  const { dir, module: native } = utils.loadNativeModule('pty');
  const helperPath = path.resolve(path.dirname(load.resolve('node-pty/lib/utils.js')), dir, 'spawn-helper');
  if (process.platform === 'darwin') {
    makeExecutable(helperPath);
  }
  return (options) => new UnixPty(native, helperPath, options);
}

class UnixPty implements Pty {
  readonly pipe = false;
  readonly pid: number;
  private readonly native: Native;
  private readonly tree: ProcessTree;
  private readonly fd: number;
  private readonly stream: ReadStream;
  private readonly otherEnd: number;
  private readonly dataListeners: ((chunk: Uint8Array) => void)[] = [];
  private readonly exitListeners: ((status: ExitStatus) => void)[] = [];
  private readonly exited: Promise<void>;
  private settleExited!: () => void;
  private status: ExitStatus | undefined;
  /** False once the stream has ended by itself: its descriptor is closed, and the number may be in use for another file. */
  private readable = true;
  private closed = false;

  constructor(native: Native, helperPath: string, options: PtyOptions) {
    this.exited = new Promise((resolve) => (this.settleExited = resolve));
    const mark = newMark();
    const environment = Object.entries(markedEnvironment(options.environment, mark)).map(([name, value]) => `${name}=${value}`);
    const onExit = (exitCode: number, signal: number): void => this.exit(exitStatusOf(exitCode, signal));
    const forked = native.fork(
      options.file,
      options.args,
      environment,
      options.cwd,
      TERMINAL_SIZE.columns,
      TERMINAL_SIZE.rows,
      -1,
      -1,
      true,
      helperPath,
      onExit,
    );
    this.native = native;
    this.pid = forked.pid;
    this.tree = new ProcessTree(forked.pid, mark);
    this.fd = forked.fd;
    let otherEnd: number | undefined;
    try {
      // Opened before anything is read, and never as our own controlling terminal.
      otherEnd = openSync(forked.pty, constants.O_RDWR | constants.O_NOCTTY);
      this.stream = new ReadStream(forked.fd);
    } catch (error) {
      void this.tree.end({ graceMs: 0 });
      [otherEnd, forked.fd].forEach((fd) => fd !== undefined && closeSync(fd));
      throw error;
    }
    this.otherEnd = otherEnd;
    this.stream.on('data', (chunk: Buffer) => this.say(chunk));
    for (const event of ['error', 'end', 'close']) {
      this.stream.on(event, () => (this.readable = false));
    }
  }

  onData(listener: (chunk: Uint8Array) => void): void {
    this.dataListeners.push(listener);
  }

  onExit(listener: (status: ExitStatus) => void): void {
    this.exitListeners.push(listener);
  }

  write(text: string): void {
    if (!this.status && this.readable) {
      this.stream.write(text);
    }
  }

  resize(columns: number, rows: number): void {
    if (!this.status && this.readable) {
      this.native.resize(this.fd, columns, rows, 0, 0);
    }
  }

  async readsInput(): Promise<boolean | undefined> {
    return this.status ? false : readsTerminal(this.pid);
  }

  async end(): Promise<void> {
    if (await this.tree.end({ graceMs: END_GRACE_MS })) {
      await this.exited;
    }
    this.close();
  }

  private exit(status: ExitStatus): void {
    this.tree.exited();
    this.drain();
    this.status = status;
    // Remaining processes of the group use the terminal until they are ended.
    if (!groupAlive(this.pid)) {
      this.close();
    }
    this.settleExited();
    for (const listener of this.exitListeners.splice(0)) {
      listener(status);
    }
  }

  /**
   * Reads the remaining output. The system transfers written data to our end before it reports an empty terminal, so the report is reliable once
   * the writer has exited.
   */
  private drain(): void {
    for (let read = 0; this.readable && !this.closed && read < DRAIN_LIMIT; ) {
      const chunk = new Uint8Array(8192);
      let length: number;
      try {
        length = readSync(this.fd, chunk);
      } catch {
        return;
      }
      if (length === 0) {
        return;
      }
      read += length;
      this.say(chunk.subarray(0, length));
    }
  }

  private say(chunk: Uint8Array): void {
    for (const listener of this.dataListeners) {
      listener(chunk);
    }
  }

  private close(): void {
    if (!this.closed) {
      this.closed = true;
      this.stream.destroy();
      closeSync(this.otherEnd);
    }
  }
}

/** Makes the program executable through which macOS starts commands, because packaging may have removed the permission. */
function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    try {
      chmodSync(file, 0o755);
    } catch {
      // Starting the command will report the reason.
    }
  }
}
