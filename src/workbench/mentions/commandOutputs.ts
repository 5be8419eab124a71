/**
 * What the commands printed that the user ran in the terminals of the window, as VS Code's shell integration tells of them: the newest, in memory alone. Nothing of
 * it goes anywhere before the user mentions it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Disposable } from '../../core/model/ports';
import type { CommandRun } from '../../context/commandText';
import { DisposableStore } from '../../util/disposable';

/** Commands that are remembered, and UTF-16 units of each one's output: the last of them. */
const MAX_COMMANDS = 20;
const MAX_OUTPUT = 128 * 1024;
/** ms after the end of a command in which the last of its output may come; VS Code ends the reading long before, unless it is busy. */
const LATE_MS = 8000;

export interface CommandOutput extends CommandRun {
  readonly id: string;
  readonly terminal: vscode.Terminal;
}

export class CommandOutputs implements Disposable {
  private readonly store = new DisposableStore();
  /** Oldest first. */
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
          // The last of what it printed may come after its end.
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

  /** The newest first. */
  get newest(): readonly CommandOutput[] {
    return this.all.toReversed();
  }

  get(id: string): CommandOutput | undefined {
    return this.all.find((each) => each.id === id);
  }

  /** Of this terminal the newest. */
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
      // What came until then is what there is.
    }
  }
}
