/** A process of an agent with its pipes, for a program that was prepared: in the window, or in the keeper. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { failureOf, fault, type Failure } from '../core/model/failure';
import type { ByteTransport, TransportEnd } from '../core/model/transport';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import type { Log } from '../core/platform/log';
import { displayCommand } from '../util/commandLine';
import { markedEnvironment, newMark } from '../util/processes/processMark';
import { ProcessTree } from '../util/processes/processTree';
import { readInTimeSlices } from '../util/readInTimeSlices';
import { interpreterLine } from './node/interpreterLine';
import { launchParams, type PreparedProgram, type ResolvedLaunch } from './prepare';
import { StderrReader } from './stderr';

export interface SpawnedAgentDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** The displayed command line. Default: the command and its arguments. */
  readonly commandLine?: string;
  /** The value by which the processes are found that the agent leaves behind. Default: a new one. */
  readonly mark?: string;
  /** Redacts a text of stderr. Default: the text is not changed. */
  withoutSecrets?(text: string): string;
  /** Called once, when the process runs. */
  onStarted?(pid: number): void;
  /** Called for each line of stderr that is not blank, without escape sequences. */
  onStderrLine(line: string): void;
}

/** A program to start. Disposed when it has ended. */
export interface StartedProgram {
  readonly program: PreparedProgram;
  dispose?(): void;
}

export interface AgentProcess extends Disposable {
  /** The pipes, described by the command line. Bytes that are written before the process runs are queued. */
  readonly transport: ByteTransport;
  /** Undefined until the process runs. */
  readonly pid: number | undefined;
  /** Stops reading the agent's output, so that the agent waits, until it is called with false. */
  hold(isHeld: boolean): void;
  /** Closes stdin, ends the process and its descendants after a grace period, and resolves when all of them have ended. */
  dispose(): Promise<void>;
}

/** ms within which an agent may end by itself after stdin was closed, and then after SIGTERM. */
const CLOSE_GRACE_MS = 800;
const TERM_GRACE_MS = 1500;
/**
 * ms to wait for the rest of stdout after the exit, because a stray child can hold the pipe open for ever. Also the time to wait for the exit
 * after the end of a pipe.
 */
const DRAIN_MS = 1000;
/** Turns of the event loop without a byte after which a pipe counts as empty, because reading may pause for one. */
const QUIET_TURNS = 3;

export class SpawnedAgent implements AgentProcess {
  readonly transport: ByteTransport;
  private readonly launch: ResolvedLaunch;
  private readonly deps: SpawnedAgentDependencies;
  private readonly stderr: StderrReader;
  private reader: Parameters<ByteTransport['read']>[0] | undefined;
  private readonly queue: (Uint8Array | string)[] = [];
  private readonly ended: Promise<void>;
  private child: ChildProcessWithoutNullStreams | undefined;
  private end: TransportEnd | undefined;
  private exit: { exitCode?: number; signal?: string } | undefined;
  private disposing: Promise<void> | undefined;
  private settleEnded!: () => void;
  private tree: ProcessTree | undefined;
  private started: StartedProgram | undefined;
  private treeGone: Promise<unknown> = Promise.resolve();
  private drain: Disposable | undefined;
  /** True when bytes were read in the current turn of the event loop. */
  private heard = false;
  private isHeld = false;

  /** @param prepare returns the program; a `Fault` of it ends the transport */
  constructor(
    launch: ResolvedLaunch,
    deps: SpawnedAgentDependencies,
    private readonly prepare: () => Promise<StartedProgram>,
  ) {
    this.launch = launch;
    this.deps = deps;
    this.stderr = new StderrReader(
      () => deps.clock.now(),
      (line) => deps.onStderrLine(deps.withoutSecrets?.(line) ?? line),
    );
    this.ended = new Promise((resolve) => (this.settleEnded = resolve));
    this.transport = {
      read: (reader) => {
        this.reader = reader;
        if (this.end) {
          reader.end(this.end);
        }
      },
      write: (bytes) => this.write(bytes),
      close: () => void this.dispose(),
      describe: () => ({ commandLine: deps.commandLine ?? displayCommand(launch.command, launch.args) }),
      backlog: () => this.child?.stdin.writableLength ?? 0,
    };
    this.start().catch((error: unknown) => this.finish({ failure: this.startFailure(error) }));
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  dispose(): Promise<void> {
    return (this.disposing ??= this.close());
  }

  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    if (isHeld) {
      this.child?.stdout.pause();
    } else {
      this.child?.stdout.resume();
    }
  }

  private async start(): Promise<void> {
    const launch = this.launch;
    this.started = await this.prepare();
    const { file, args, verbatim, cwd, environment } = this.started.program;
    const { spawn } = await import('node:child_process');
    if (this.disposing) {
      throw fault('agent.start_cancelled');
    }
    const mark = this.deps.mark ?? newMark();
    const child = spawn(file, args, {
      cwd,
      env: markedEnvironment(environment, mark),
      stdio: 'pipe',
      // The agent gets its own group, so that one signal ends all its processes. On Windows the option would only open a console.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    this.child = child;
    const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid, mark);
    this.tree = tree;
    if (child.pid !== undefined) {
      this.deps.onStarted?.(child.pid);
    }
    // Without stdin an agent receives no request, and without stdout it sends no response. If it is ending, its exit code follows soon.
    child.stdin.on('error', (error) => {
      this.deps.log.debug(`stdin of ${launch.agentName}: ${error.message}`);
      this.endSoon();
    });
    child.stdout.on('error', () => undefined);
    child.stderr.on('error', () => undefined);
    readInTimeSlices(child.stdout, (chunk) => this.read(chunk), { isHeld: () => this.isHeld });
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    child.stdout.on('end', () => this.endSoon());
    child.on('error', (error) => {
      if (child.pid === undefined) {
        void this.startFailed(file, error);
      }
    });
    child.on('exit', (code, signal) => {
      this.exit = signal === null ? { exitCode: code ?? 0 } : { signal };
      // Processes that the agent leaves behind would hold its pipes and survive it.
      tree?.exited();
      this.treeGone = tree?.end({ graceMs: TERM_GRACE_MS }) ?? Promise.resolve();
      this.drain?.dispose();
      this.drain = undefined;
      this.endSoon();
    });
    child.on('close', () => child.pid !== undefined && this.finish(this.exit ?? {}));
    for (const bytes of this.queue.splice(0)) {
      child.stdin.write(bytes);
    }
  }

  /** Reports a program that was found but cannot run. A script's first line names the missing interpreter. */
  private async startFailed(file: string, error: Error): Promise<void> {
    const failure = this.startFailure(error);
    const line = (error as NodeJS.ErrnoException).code === 'ENOENT' ? await interpreterLine(file) : undefined;
    this.finish({ failure: line === undefined ? failure : { ...failure, detail: `${failure.detail ?? ''}\n${line}` } });
  }

  private startFailure(error: unknown): Failure {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EACCES') {
      return { code: 'agent.not_executable', params: launchParams(this.launch) };
    }
    // ENOENT does not mean a missing command, because the command was found before: a script's interpreter is missing. Node's own errors about
    // arguments quote the value, which may come from the environment, so only their code is reported.
    return code === undefined
      ? failureOf(error)
      : {
          code: 'agent.spawn_failed',
          params: launchParams(this.launch),
          detail: code.startsWith('ERR_') ? code : (error as Error).message,
        };
  }

  private write(bytes: Uint8Array | string): boolean {
    if (this.end || this.disposing || this.exit) {
      return false;
    }
    if (!this.child) {
      this.queue.push(bytes);
      return true;
    }
    if (!this.child.stdin.writable) {
      return false;
    }
    this.child.stdin.write(bytes);
    return true;
  }

  private read(chunk: Uint8Array): void {
    if (this.end) {
      return;
    }
    this.heard = true;
    this.stderr.frame();
    this.reader?.chunk(chunk);
  }

  private endSoon(): void {
    const { clock } = this.deps;
    this.drain ??= clock.after(DRAIN_MS, () => this.finishWhenRead(clock.now() + DRAIN_MS));
  }

  /**
   * Ends the transport when the pipe is empty, so that output that was written before is still read. Stops at `limit` when a process keeps writing.
   */
  private finishWhenRead(limit: number, quietTurns = 0): void {
    this.heard = false;
    if (this.isHeld) {
      // The rest of the output is still in the pipe.
      this.deps.clock.after(DRAIN_MS, () => this.finishWhenRead(this.deps.clock.now() + DRAIN_MS));
      return;
    }
    setImmediate(() => {
      const quiet = this.heard ? 0 : quietTurns + 1;
      if (quiet === QUIET_TURNS || this.deps.clock.now() > limit) {
        this.finish(this.exit ?? {});
      } else {
        this.finishWhenRead(limit, quiet);
      }
    });
  }

  private finish(end: TransportEnd): void {
    if (this.end) {
      return;
    }
    this.drain?.dispose();
    this.stderr.end();
    const tail = this.stderr.tail();
    const stderrTail = tail === undefined ? undefined : (this.deps.withoutSecrets?.(tail) ?? tail);
    this.end = { ...end, ...(stderrTail !== undefined && { stderrTail }) };
    this.child?.stdout.destroy();
    this.child?.stderr.destroy();
    this.started?.dispose?.();
    this.settleEnded();
    this.reader?.end(this.end);
  }

  private async close(): Promise<void> {
    const child = this.child;
    if (child?.pid !== undefined && !this.exit) {
      child.stdin.end();
      await Promise.race([this.ended, new Promise<void>((resolve) => this.deps.clock.after(CLOSE_GRACE_MS, resolve))]);
      if (!this.exit && !(await this.tree?.end({ graceMs: TERM_GRACE_MS }))) {
        this.finish({});
      }
    }
    await this.ended;
    await this.treeGone;
  }
}
