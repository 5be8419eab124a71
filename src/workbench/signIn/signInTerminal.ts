/**
 * Runs an interactive program in a terminal of the window and reports how it ended. The output of a failed program must stay readable, so it runs
 * on our own pseudo terminal. Where that is not available, VS Code's own terminal is used. That one always closes at the end, and it lets every
 * program write the clipboard (OSC 52).
 */
import * as vscode from 'vscode';
import type { PreparedProgram } from '../../agent/prepare';
import { failureOf, fault } from '../../core/model/failure';
import { OutputFilter } from '../../terminal/outputFilter';
import { END_GRACE_MS, type LoadPty, type Pty, type StartPty } from '../../terminal/pty';
import { DisposableStore, toDisposable } from '../../util/disposable';
import { markedEnvironment, newMark } from '../../util/processes/processMark';
import { ProcessTree } from '../../util/processes/processTree';
import type { InertText } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { type TerminalOptions, window } from '../shared/window';

export interface VisibleProgram extends PreparedProgram {
  /** The terminal's title. */
  readonly title: InertText;
  /** An absolute path of an existing folder. */
  readonly cwd: string;
  /** The command line for display: one line, safe to show. */
  readonly commandLine: string;
  /** Gets the output, where the program runs on our own pseudo terminal. */
  onOutput?(text: string): void;
}

/** Programs read the terminal's abilities from these variables. */
const TERMINAL = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };

/**
 * Runs `program` and resolves when it ended with status 0. `signal` ends it and closes its terminal. `opened` gets the terminal, which stays open
 * when the program has failed.
 * @throws Fault `auth.program_failed`, `auth.terminal_closed`, `auth.not_finished` after `signal`, `terminal.spawn_failed`
 */
export async function runVisibly(
  program: VisibleProgram,
  loadPty: LoadPty,
  signal: AbortSignal,
  opened: (terminal: vscode.Terminal) => void,
): Promise<void> {
  const startPty = await loadPty().catch(() => undefined);
  if (signal.aborted) {
    throw fault('auth.not_finished');
  }
  const watch = new DisposableStore();
  const mark = newMark();
  // VS Code ends the program of its own terminal, but not processes that moved to another process group.
  const leftOver = startPty ? undefined : new ProcessTree(undefined, mark);
  try {
    await new Promise<void>((resolve, reject) => {
      const options = { name: program.title, iconPath: new vscode.ThemeIcon('key'), isTransient: true };
      const end = (code: number | undefined, ending?: string): void => {
        if (code === 0) {
          resolve();
        } else {
          reject(
            code === undefined && !ending
              ? fault('auth.terminal_closed')
              : fault('auth.program_failed', { ...(ending ? { signal: ending } : { exitCode: code ?? 1 }) }),
          );
        }
      };
      const terminal = startPty
        ? window.createTerminal({ ...options, pty: new TypedIn(program, startPty, end, reject) })
        : window.createTerminal({ ...options, ...native({ ...program, environment: markedEnvironment(program.environment, mark) }) });
      opened(terminal);
      watch.add(vscode.window.onDidCloseTerminal((closed) => closed === terminal && end(startPty ? undefined : closed.exitStatus?.code)));
      const giveUp = (): void => {
        reject(fault('auth.not_finished'));
        terminal.dispose();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      watch.add(toDisposable(() => signal.removeEventListener('abort', giveUp)));
      terminal.show();
    });
  } finally {
    watch.dispose();
    void leftOver?.end({ graceMs: END_GRACE_MS });
  }
}

function native({ file, args, verbatim, environment, cwd }: VisibleProgram): Omit<TerminalOptions, 'name'> {
  // `strictEnv`: the environment is complete, so VS Code must not merge the window's environment into it.
  return { shellPath: file, shellArgs: verbatim ? args.join(' ') : [...args], env: { ...environment, ...TERMINAL }, strictEnv: true, cwd };
}

/** The pseudo terminal for VS Code. Its program starts when the terminal is shown. */
class TypedIn implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly closed = new vscode.EventEmitter<number | void>();
  readonly onDidWrite = this.written.event;
  readonly onDidClose = this.closed.event;
  private readonly decoder = new TextDecoder();
  private readonly filter = new OutputFilter();
  private pty: Pty | undefined;
  private over = false;

  constructor(
    private readonly program: VisibleProgram,
    private readonly startPty: StartPty,
    private readonly ended: (exitCode: number | undefined, signal?: string) => void,
    private readonly failed: (error: Error) => void,
  ) {}

  open(size: vscode.TerminalDimensions | undefined): void {
    const { file, args, verbatim, environment, cwd, commandLine } = this.program;
    this.say(`\x1b[2m${commandLine}\x1b[0m\r\n\r\n`);
    try {
      this.pty = this.startPty({ file, args, verbatim, cwd, environment: { ...environment, ...TERMINAL } });
    } catch (error) {
      this.finish(t("The program couldn't be started."));
      this.failed(fault('terminal.spawn_failed', { command: commandLine }, { detail: failureOf(error).detail ?? '' }));
      return;
    }
    const { pty } = this;
    if (size) {
      this.setDimensions(size);
    }
    pty.onData((chunk) => {
      const text = this.decoder.decode(chunk, { stream: true });
      this.say(this.filter.push(text, false));
      this.program.onOutput?.(text);
    });
    pty.onExit(({ exitCode, signal }) => {
      void pty.end();
      const status = signal === undefined || signal === null ? (exitCode ?? 0) : undefined;
      if (status === 0) {
        this.over = true;
        this.closed.fire(0);
      } else {
        this.finish(
          signal
            ? t('The program was terminated by {signal}.', { signal })
            : t('The program terminated with exit code {exitCode}.', { exitCode: status ?? 1 }),
        );
      }
      this.ended(status, signal ?? undefined);
    });
  }

  close(): void {
    this.over = true;
    void this.pty?.end();
  }

  handleInput(data: string): void {
    if (this.over) {
      this.closed.fire();
    } else {
      this.pty?.write?.(data);
    }
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    this.pty?.resize?.(columns, rows);
  }

  private finish(words: string): void {
    this.over = true;
    this.say(`\r\n\x1b[2m${words} ${t('Press any key to close the terminal.')}\x1b[0m\r\n`);
  }

  private say(text: string): void {
    this.written.fire(text);
  }
}
