/**
 * An agent's process and its pipes. Nothing is imported from Node at load time that starts work: `child_process` comes with the first
 * agent, by `await import`, so that activation stays free of it.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { failureOf, fault, type Failure } from '../core/model/failure';
import type { Clock, Disposable, Log } from '../core/model/ports';
import type { ByteTransport, TransportEnd } from '../core/model/transport';
import { displayCommand } from '../util/commandLine';
import type { Environment } from '../util/environment';
import { markedEnvironment, newMark } from '../util/processes/processMark';
import { ProcessTree } from '../util/processes/processTree';
import { readInTimeSlices } from '../util/readInTimeSlices';
import { launchParams, prepareProgram, type PlacedLaunch } from './prepare';
import { interpreterLine } from './interpreterLine';
import { StderrReader } from './stderr';

export interface AgentSpawnDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** Of the extension host; cleaned here. */
  readonly environment: Environment;
  /** What runs, as it may be shown. Default: the command and its arguments. */
  readonly commandLine?: string;
  /** What becomes of a text of stderr before anybody gets it. Default: nothing. */
  withoutSecrets?(text: string): string;
  /** Every line of stderr that is not blank, without escape sequences. */
  onStderrLine(line: string): void;
}

export interface AgentProcess extends Disposable {
  /** The pipes. Bytes written before the process runs are kept for it. Described by the command line. */
  readonly transport: ByteTransport;
  /** Undefined until it runs. */
  readonly pid: number | undefined;
  /** Closes stdin, after a grace ends all that came from it, and resolves when nothing of that is left. */
  dispose(): Promise<void>;
}

/** ms an agent gets to end by itself when stdin closes, and then after SIGTERM. */
const CLOSE_GRACE_MS = 800;
const TERM_GRACE_MS = 1500;
/** ms to wait for the rest of stdout after the exit, since a stray child can hold the pipe open for ever; and for the exit after the end of a pipe. */
const DRAIN_MS = 1000;
/** Turns of the event loop without a byte after which a pipe counts as empty: reading it may pause for one. */
const QUIET_TURNS = 3;

/**
 * Starts an agent: no shell, arguments as given, in its own process group, in `launch.cwd`. Never throws; a start that fails ends the
 * transport with one of `agent.bad_cwd`, `agent.not_found`, `agent.not_executable`, `agent.line_break_in_argument`,
 * `agent.spawn_failed`, whose params are `command` (as configured), `commandLine` and `cwd`.
 * @param launch `runAsNode`: the program is Electron and shall be plain Node
 */
export function spawnAgent(launch: PlacedLaunch, ports: AgentSpawnDependencies): AgentProcess {
  return new SpawnedAgent(launch, ports);
}

class SpawnedAgent implements AgentProcess {
  readonly transport: ByteTransport;
  private readonly launch: PlacedLaunch;
  private readonly ports: AgentSpawnDependencies;
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
  private treeGone: Promise<unknown> = Promise.resolve();
  private drain: Disposable | undefined;
  /** Something was read in the present turn of the event loop. */
  private heard = false;

  constructor(launch: PlacedLaunch, ports: AgentSpawnDependencies) {
    this.launch = launch;
    this.ports = ports;
    this.stderr = new StderrReader(
      () => ports.clock.now(),
      (line) => ports.onStderrLine(ports.withoutSecrets?.(line) ?? line),
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
      describe: () => ports.commandLine ?? displayCommand(launch.command, launch.args),
    };
    this.start().catch((error: unknown) => this.finish({ failure: this.startFailure(error) }));
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  dispose(): Promise<void> {
    return (this.disposing ??= this.close());
  }

  private async start(): Promise<void> {
    const launch = this.launch;
    const { file, args, verbatim, cwd, environment } = await prepareProgram(launch, this.ports.environment);
    const { spawn } = await import('node:child_process');
    if (this.disposing) {
      throw fault('agent.start_cancelled');
    }
    const mark = newMark();
    const child = spawn(file, args, {
      cwd,
      env: markedEnvironment(environment, mark),
      stdio: 'pipe',
      // Its own group, so that one signal ends all of it. On Windows it would only open a console.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    this.child = child;
    const tree = child.pid === undefined ? undefined : new ProcessTree(child.pid, mark);
    this.tree = tree;
    // An agent that lives on without one of the two can never be asked or never answer; one that is about to end says soon how.
    child.stdin.on('error', (error) => {
      this.ports.log.debug(`stdin of ${launch.agentName}: ${error.message}`);
      this.endSoon();
    });
    child.stdout.on('error', () => undefined);
    child.stderr.on('error', () => undefined);
    readInTimeSlices(child.stdout, (chunk) => this.read(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    child.stdout.on('end', () => this.endSoon());
    child.on('error', (error) => {
      if (child.pid === undefined) {
        void this.startFailed(file, error);
      }
    });
    child.on('exit', (code, signal) => {
      this.exit = signal === null ? { exitCode: code ?? 0 } : { signal };
      // What the agent leaves behind would hold its pipes, and outlive it.
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

  /** A program that was found and cannot be: a script's first line says what is missing. */
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
    // ENOENT here is not a missing command, which was looked for: it is a script whose interpreter is missing.
    // Node's own complaints about arguments quote the value, which may be one of the environment: only their code is told.
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
    const { clock } = this.ports;
    this.drain ??= clock.after(DRAIN_MS, () => this.finishWhenRead(clock.now() + DRAIN_MS));
  }

  /** What has been written by now is still read, also when we come late to it; who never stops writing is not waited for. */
  private finishWhenRead(limit: number, quietTurns = 0): void {
    this.heard = false;
    setImmediate(() => {
      const quiet = this.heard ? 0 : quietTurns + 1;
      if (quiet === QUIET_TURNS || this.ports.clock.now() > limit) {
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
    const stderrTail = tail === undefined ? undefined : (this.ports.withoutSecrets?.(tail) ?? tail);
    this.end = { ...end, ...(stderrTail !== undefined && { stderrTail }) };
    this.child?.stdout.destroy();
    this.child?.stderr.destroy();
    this.settleEnded();
    this.reader?.end(this.end);
  }

  private async close(): Promise<void> {
    const child = this.child;
    if (child?.pid !== undefined && !this.exit) {
      child.stdin.end();
      await Promise.race([this.ended, new Promise<void>((resolve) => this.ports.clock.after(CLOSE_GRACE_MS, resolve))]);
      if (!this.exit && !(await this.tree?.end({ graceMs: TERM_GRACE_MS }))) {
        this.finish({});
      }
    }
    await this.ended;
    await this.treeGone;
  }
}
