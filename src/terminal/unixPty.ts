/**
 * node-pty on Linux and macOS, by its native part, because its own class loses output: when the last process lets go of the terminal,
 * libuv takes the hang-up for the end of the stream after the first short read, and a pty never reads more than 4 kB at once (20 kB
 * written just before the exit: lost in 95 of 100 runs). Here the other end is held open by us, so there is no hang-up; when the process
 * has ended, what is left is read until the terminal is empty, and only then everything is closed. The version of node-pty is pinned.
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

/** What can be left in a terminal is far less; this stops a child that writes for ever. */
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
  /** Once the stream ended by itself its descriptor is closed, and the number may be somebody else's. */
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
      // Before anything is read, and never as our own controlling terminal.
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
    // What lives on of its group keeps the terminal until it is ended.
    if (!groupAlive(this.pid)) {
      this.close();
    }
    this.settleExited();
    for (const listener of this.exitListeners.splice(0)) {
      listener(status);
    }
  }

  /** The system moves what was written to our end before it says that there is nothing, so "nothing" is true once the writer is gone. */
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

/** macOS starts commands through a small program; packaging may have lost its permission to run. */
function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    try {
      chmodSync(file, 0o755);
    } catch {
      // Starting will say why.
    }
  }
}
