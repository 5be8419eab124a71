/**
 * The output of commands that the user ran in the window's terminals, as reported by VS Code's shell integration. Only the newest commands are
 * kept, in memory. Nothing is sent before the user mentions it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Disposable } from '../../core/platform/disposable';
import type { CommandRun } from '../../context/commandText';
import { DisposableStore } from '../../util/disposable';

/** The number of commands that are remembered, and the number of UTF-16 units kept from the end of each one's output. */
const MAX_COMMANDS = 20;
const MAX_OUTPUT = 128 * 1024;
/** The time in ms after the end of a command in which the rest of its output may arrive. VS Code ends the stream much earlier unless it is busy. */
const LATE_MS = 8000;

export interface CommandOutput extends CommandRun {
  readonly id: string;
  readonly terminal: vscode.Terminal;
}

export class CommandOutputs implements Disposable {
  private readonly store = new DisposableStore();
  /** The known commands, oldest first. */
  private all: CommandOutput[] = [];
  private readonly running = new WeakMap<vscode.TerminalShellExecution, CommandOutput>();
  private readonly reading = new WeakMap<vscode.TerminalShellExecution, Promise<void>>();
  private count = 0;

  constructor() {
    this.store.add(
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        this.reading.set(execution, this.follow(terminal, execution));
      }),
    );
    this.store.add(
      vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        const known = this.running.get(execution);
        if (known) {
          known.exitCode = exitCode;
          // The rest of the output may arrive after the end of the command.
          void Promise.race([this.reading.get(execution), delay(LATE_MS)]).then(() => (known.isRunning = false));
        }
      }),
    );
    this.store.add(
      vscode.window.onDidCloseTerminal(
        (terminal) => (this.all = this.all.filter((each) => each.terminal !== terminal || each.output !== '')),
      ),
    );
  }

  /** The known commands, newest first. */
  get newest(): readonly CommandOutput[] {
    return this.all.toReversed();
  }

  get(id: string): CommandOutput | undefined {
    return this.all.find((each) => each.id === id);
  }

  /** Returns the newest command of this terminal. */
  lastOf(terminal: vscode.Terminal | undefined): CommandOutput | undefined {
    return this.all.findLast((each) => each.terminal === terminal);
  }

  dispose(): void {
    this.store.dispose();
    this.all = [];
  }

  private async follow(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): Promise<void> {
    const command = execution.commandLine.value.trim();
    const known: CommandOutput = {
      id: `command-${++this.count}`,
      command,
      terminal,
      exitCode: undefined,
      isRunning: true,
      output: '',
      isCut: false,
    };
    this.running.set(execution, known);
    this.all = [...this.all, known].slice(-MAX_COMMANDS);
    try {
      for await (const piece of execution.read()) {
        const text = known.output + piece;
        known.isCut ||= text.length > MAX_OUTPUT;
        known.output = text.slice(-MAX_OUTPUT);
      }
    } catch {
      // The output read before the error remains.
    }
  }
}
