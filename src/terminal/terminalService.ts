/** The commands that an agent runs through the host, by terminal id (protocol page "Terminals"). One service per session. */
import { randomUUID } from 'node:crypto';
import type { EnvironmentVariable, ExitStatus } from '../core/model/content';
import { failureOf, fault, type Fault } from '../core/model/failure';
import { unsafeFirst } from '../core/approval/environment';
import type { Clock } from '../core/platform/clock';
import type { Disposable } from '../core/platform/disposable';
import type { Log } from '../core/platform/log';
import type { TerminalSize } from '../core/model/terminalSize';
import { cleanEnvironment, overlayEnvironment, type Environment } from '../util/environment';
import { resolveCommand, type ResolvedCommand } from './command';
import { loadPipe } from './pipe';
import type { LoadPty, Pty, PtyOptions, StartPty } from './pty';
import { Terminal, type TerminalEvent, type TerminalReading } from './terminal';

/** The maximum number of running commands per session. */
export const MAX_RUNNING = 64;
/** The maximum number of terminals per session that the agent has not released. Their output is kept for it. */
export const MAX_HELD = 1024;

export interface TerminalDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** The absolute path of the session's folder. */
  readonly cwd: string;
  /** Returns the real path of a path inside the session's roots. Rejects with a Fault `fs.*` for any other. */
  readonly roots: { resolve(path: string): Promise<string> };
  /** Returns the absolute path of the user's default shell; empty when unknown. */
  defaultShell(): string;
  /** The environment of the extension host, which is cleaned here. */
  readonly environment: Environment;
  /** The environment of commands in a folder, with the programs of its project. Absent: `environment`, cleaned. */
  commandEnvironment?(folder: string): Promise<Readonly<Record<string, string>>>;
  readonly loadPty: LoadPty;
  emit(event: TerminalEvent): void;
  /** Resolves when the command may run, to true if the user was asked. Rejects with a Fault when it may not. */
  guard?(operation: CommandOperation, signal?: AbortSignal): Promise<boolean>;
  /** The sandbox of the commands; absent when there is none. */
  readonly sandbox?: CommandSandbox;
  /** For tests that print ids. */
  mintTerminalId?(): string;
}

/** The params of `terminal/create`, decoded. */
export interface CreateTerminal {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  /** An absolute path; the session's folder when absent. */
  readonly cwd?: string;
  /** The number of bytes of output to keep; 1 MiB when absent. */
  readonly outputByteLimit?: number;
}

/** A command that an agent wants to run, before it does. */
export interface CommandOperation {
  /** The whole command line, for display. */
  readonly command: string;
  /** The real path of the folder. */
  readonly cwd: string;
  /** The variables that the agent sets in the environment. The last one with a name counts. */
  readonly environment: readonly EnvironmentVariable[];
  /** The absolute path of the program, if the agent sets `PATH` or the file is inside the session's folders. */
  readonly program?: string;
  /** The words, for a program with arguments. Undefined for a line that a shell reads. */
  readonly argv?: readonly string[];
  /** The program of the shell that reads the line. */
  readonly shell?: string;
}

/** Starts commands in a sandbox. */
export interface CommandSandbox extends Disposable {
  /** Returns undefined when the command runs without a sandbox. @param hasTerminal false: it runs on pipes @throws Fault when there is no sandbox */
  wrap(options: PtyOptions, hasTerminal: boolean): Promise<SandboxedCommand | undefined>;
}

export interface SandboxedCommand {
  /** The program to start instead. */
  readonly options: PtyOptions;
  started(terminalId: string): void;
  /** Called once, also when the command could not be started. */
  ended(output: string): void;
}

export class TerminalService {
  private readonly deps: TerminalDependencies;
  private readonly terminals = new Map<string, Terminal>();
  private readonly released = new Set<string>();
  /** Released terminals whose commands are still being ended. */
  private readonly ending = new Set<Promise<void>>();
  private starting = 0;
  private disposed = false;
  private pty: Promise<StartPty | undefined> | undefined;

  constructor(deps: TerminalDependencies) {
    this.deps = deps;
  }

  /**
   * Starts a command and resolves to its terminal id, after the `terminal_update` event.
   * @throws Fault `params.invalid`, `terminal.outside_roots`, `terminal.not_found`, `terminal.too_many`, `terminal.spawn_failed`,
   * `terminal.refused`, `request.cancelled`
   */
  async create(request: CreateTerminal, signal?: AbortSignal): Promise<string> {
    this.checkLimit();
    this.starting++;
    try {
      return await this.createTerminal(request, signal);
    } finally {
      this.starting--;
    }
  }

  /** Returns the command's output so far, which is complete after its end. @throws Fault `terminal.unknown`, `terminal.released` */
  output(terminalId: string): TerminalReading {
    return this.get(terminalId).read();
  }

  /** Resolves when the command has ended and its last byte is in {@link output}. @throws like {@link output}; `request.cancelled` */
  async waitForExit(terminalId: string, signal?: AbortSignal): Promise<ExitStatus> {
    return this.get(terminalId).waitForExit(signal);
  }

  /** Ends the command and everything it started; the terminal stays valid and readable. @throws like {@link output} */
  async kill(terminalId: string): Promise<void> {
    await this.get(terminalId).end();
  }

  /** Does the same as {@link kill}, and forgets the terminal: its id is no longer valid. The card keeps its content. @throws like {@link output} */
  async release(terminalId: string): Promise<void> {
    const terminal = this.get(terminalId);
    this.terminals.delete(terminalId);
    this.released.add(terminalId);
    const ending = terminal.end();
    this.ending.add(ending);
    this.deps.emit({ type: 'terminal_update', terminalId, released: true });
    await ending;
    this.ending.delete(ending);
  }

  /** Ends a command for the user's Stop button. An unknown terminal is no error, because the command may have ended before the card shows it. */
  async stop(terminalId: string): Promise<void> {
    await this.terminals.get(terminalId)?.end();
  }

  /** Types the user's input. Returns false when the command has ended, or runs on a pipe. */
  write(terminalId: string, text: string): boolean {
    return this.terminals.get(terminalId)?.write(text) ?? false;
  }

  /** Sets the size of the window in which the user watches the command. */
  resize(terminalId: string, size: TerminalSize): void {
    this.terminals.get(terminalId)?.resize(size);
  }

  /** Ends everything. Resolves when nothing is left. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...[...this.terminals.values()].map((terminal) => terminal.end()), ...this.ending]);
    this.deps.sandbox?.dispose();
  }

  private checkLimit(): void {
    if (this.disposed) {
      throw fault('session.ended');
    }
    const running = this.starting + [...this.terminals.values()].filter((terminal) => terminal.running).length;
    if (running >= MAX_RUNNING) {
      throw fault('terminal.too_many', { limit: MAX_RUNNING }, { message: `${MAX_RUNNING} commands are running; wait for one or kill it` });
    }
    if (this.terminals.size + this.starting >= MAX_HELD) {
      throw fault('terminal.too_many', { limit: MAX_HELD }, { message: `${MAX_HELD} terminals are not released; release some` });
    }
  }

  private async createTerminal(request: CreateTerminal, signal: AbortSignal | undefined): Promise<string> {
    let resolved = await this.resolve(request);
    const {
      command: { display, file, program: named, shell },
      cwd: folder,
      requested: variables,
    } = resolved;
    const program = await this.hiddenProgram(resolved);
    const reader = shell ? { shell: file } : { argv: [request.command, ...(request.args ?? [])] };
    const operation = { command: display, cwd: folder, environment: variables, ...(program && { program }), ...reader };
    if (await this.deps.guard?.(operation, signal)) {
      // The user's answer may take long: the command must still be the one that was shown.
      resolved = await this.resolve(request);
      const { command: now } = resolved;
      if (resolved.cwd !== folder || now.display !== display || now.file !== file || now.program !== named) {
        throw fault(
          'terminal.refused',
          { command: display },
          { message: 'Not started: the folder or the program was another one when the user had answered.' },
        );
      }
    }
    const { command, cwd, environment } = resolved;
    const start = await this.loadPty();
    const pipe = await loadPipe();
    const unwrapped = { file: command.file, args: command.args, verbatim: command.verbatim, cwd, environment };
    const sandboxed = await this.deps.sandbox?.wrap(unwrapped, start !== undefined);
    try {
      return await this.run(request, resolved, { start, pipe, options: sandboxed?.options ?? unwrapped, sandboxed, program }, signal);
    } catch (error) {
      sandboxed?.ended('');
      throw error;
    }
  }

  private async run(
    request: CreateTerminal,
    { command, cwd, requested: variables }: Resolved,
    { start, pipe, options, sandboxed, program }: Prepared,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const requested = request.cwd ?? this.deps.cwd;
    // Checked again directly before the start, because the folder may have been replaced while the program was searched for.
    if ((await this.folder(requested)) !== cwd) {
      throw fault(
        'terminal.outside_roots',
        { path: requested },
        { rpcCode: -32602, message: `The folder leads elsewhere than a moment ago: ${requested}` },
      );
    }
    if (this.disposed) {
      throw fault('session.ended');
    }
    if (signal?.aborted) {
      throw fault('request.cancelled', undefined, { rpcCode: -32800, message: 'Cancelled' });
    }
    const pty = this.start(start, pipe, command, options);
    const terminalId = this.deps.mintTerminalId?.() ?? randomUUID();
    this.deps.emit({
      type: 'terminal_update',
      terminalId,
      ours: true,
      command: command.display,
      cwd,
      ...(variables.length > 0 && { environment: variables }),
      ...(program && { program }),
      ...(command.shell && { shell: true }),
      ...(pty.pipe && { pipe: true }),
    });
    const terminal: Terminal = new Terminal(terminalId, pty, request.outputByteLimit, this.deps.clock, (event) => {
      this.deps.emit(event);
      if (event.type === 'terminal_update' && event.exitStatus) {
        sandboxed?.ended(terminal.read().output);
      }
    });
    this.terminals.set(terminalId, terminal);
    sandboxed?.started(terminalId);
    return terminalId;
  }

  private async resolve(request: CreateTerminal): Promise<Resolved> {
    const cwd = await this.folder(request.cwd ?? this.deps.cwd);
    const set = requestedEnvironment(request);
    const environment = await this.environment(set, cwd);
    const command = await resolveCommand(request.command, request.args ?? [], {
      cwd,
      environment,
      defaultShell: this.deps.defaultShell(),
    });
    return { command, cwd, environment, requested: unsafeFirst(Object.entries(set).map(([name, value]) => ({ name, value }))) };
  }

  /** Returns the program's file if the command line alone does not show which file of that name runs. */
  private async hiddenProgram({ command: { program }, requested }: Resolved): Promise<string | undefined> {
    if (program === undefined || requested.some(({ name }) => /^PATH(?:EXT)?$/i.test(name))) {
      return program;
    }
    return this.deps.roots.resolve(program).then(
      () => program,
      () => undefined,
    );
  }

  private start(start: StartPty | undefined, pipe: StartPty, command: ResolvedCommand, options: PtyOptions): Pty {
    if (start) {
      try {
        return start(options);
      } catch (error) {
        // The module loads, but the system provides no terminal (a container without /dev/pts).
        this.deps.log.warn(`No pseudo terminal, using a pipe: ${failureOf(error).detail}`);
      }
    }
    try {
      return pipe(options);
    } catch (error) {
      throw fault('terminal.spawn_failed', { command: command.display }, { detail: failureOf(error).detail ?? '' });
    }
  }

  private loadPty(): Promise<StartPty | undefined> {
    return (this.pty ??= this.deps.loadPty().catch((error: unknown) => {
      this.deps.log.warn(`node-pty does not load, commands run on pipes: ${failureOf(error).detail}`);
      return undefined;
    }));
  }

  private async folder(requested: string): Promise<string> {
    const cwd = await this.deps.roots.resolve(requested).catch((error: unknown) => {
      const { code, params } = failureOf(error);
      throw code === 'fs.outside_roots'
        ? fault('terminal.outside_roots', params, { rpcCode: -32602, message: (error as Fault).message })
        : error;
    });
    const { stat } = await import('node:fs/promises');
    const isFolder = await stat(cwd).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) {
      throw fault('params.invalid', { field: 'cwd' }, { rpcCode: -32602, message: `cwd is not a folder: ${requested}` });
    }
    return cwd;
  }

  private async environment(set: Readonly<Record<string, string>>, cwd: string): Promise<Record<string, string>> {
    // The user could not press a key in a pager.
    const base = (await this.deps.commandEnvironment?.(cwd)) ?? cleanEnvironment(this.deps.environment);
    const ours = { TERM: 'xterm-256color', PAGER: 'cat', GIT_PAGER: 'cat', PWD: cwd };
    return overlayEnvironment(overlayEnvironment(base, ours), set);
  }

  private get(terminalId: string): Terminal {
    const terminal = this.terminals.get(terminalId);
    if (!terminal) {
      const released = this.released.has(terminalId);
      throw fault(
        released ? 'terminal.released' : 'terminal.unknown',
        { terminalId },
        {
          rpcCode: -32002,
          message: released ? `Terminal was released: ${terminalId}` : `No such terminal: ${terminalId}`,
        },
      );
    }
    return terminal;
  }
}

/** A request with its current program and folder. */
interface Resolved {
  readonly command: ResolvedCommand;
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly environment: Record<string, string>;
  /** The variables that the agent sets. Those that decide which program runs come first. */
  readonly requested: readonly EnvironmentVariable[];
}

/** A command that is about to start. */
interface Prepared {
  readonly start: StartPty | undefined;
  readonly pipe: StartPty;
  readonly options: PtyOptions;
  readonly sandboxed: SandboxedCommand | undefined;
  readonly program: string | undefined;
}

/** Returns the variables that the agent sets. The last one with a name counts. @throws Fault `params.invalid` */
function requestedEnvironment({ env = [] }: CreateTerminal): Record<string, string> {
  const set: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const { name, value } of env) {
    if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw fault(
        'params.invalid',
        { field: 'env' },
        { rpcCode: -32602, message: 'env holds a name or value that no process can be given' },
      );
    }
    set[name] = value;
  }
  return set;
}
