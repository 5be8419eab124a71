/** VS Code's tasks for the tools: run here, with the output that shell integration reports and the problems of their matchers. */
import * as vscode from 'vscode';
import { plainOutput } from '../../../context/commandText';
import type { Disposable } from '../../../core/platform/disposable';
import type { TaskInfo, TaskProblem, TaskRun, TasksPort } from '../../../mcp/editor/tools/tasks';
import { DisposableStore } from '../../../util/disposable';
import type { CommandOutput, CommandOutputs } from '../../mentions/commandOutputs';
import { isRestricted } from '../../trust/restrictedMode';

const MAX_RUNS = 50;
const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;

interface Run extends TaskRun {
  readonly execution: vscode.TaskExecution;
}

interface End {
  exitCode: number | undefined;
  isEnded: boolean;
  readonly listeners: Set<() => void>;
}

export class TasksOfWindow implements TasksPort, Disposable {
  private readonly store = new DisposableStore();
  private readonly tasks = new WeakMap<TaskInfo, vscode.Task>();
  /** A short task ends before VS Code answers that it has started. */
  private readonly ends = new WeakMap<vscode.TaskExecution, End>();
  private started: Run[] = [];
  private count = 0;

  constructor(
    private readonly outputs: CommandOutputs,
    readonly mayRead: TasksPort['mayRead'],
  ) {
    this.store.add(vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => (this.endOf(execution).exitCode = exitCode)));
    this.store.add(
      vscode.tasks.onDidEndTask(({ execution }) => {
        const end = this.endOf(execution);
        end.isEnded = true;
        end.listeners.forEach((listener) => listener());
      }),
    );
  }

  isRestricted(): boolean {
    return isRestricted();
  }

  async list(): Promise<readonly TaskInfo[]> {
    return (await vscode.tasks.fetchTasks()).map((task) => {
      const info = infoOf(task);
      this.tasks.set(info, task);
      return info;
    });
  }

  async run(task: TaskInfo): Promise<TaskRun> {
    const known = this.tasks.get(task);
    if (!known) {
      throw new Error('Not a task of this list.');
    }
    const before = new Set(this.outputs.newest);
    const execution = await vscode.tasks.executeTask(known);
    const end = this.endOf(execution);
    let found: CommandOutput | undefined;
    // VS Code does not say which terminal a task has, so its name decides among the commands that are new.
    const command = (): CommandOutput | undefined =>
      (found ??= this.outputs.newest.findLast((each) => !before.has(each) && isTerminalOf(each.terminal.name, known)));
    const run: Run = {
      id: `task-${++this.count}`,
      task,
      execution,
      ended: new Promise((resolve) => (end.isEnded ? resolve() : end.listeners.add(resolve))),
      get isRunning() {
        return !end.isEnded;
      },
      get exitCode() {
        return end.exitCode;
      },
      get output() {
        const output = command();
        return output && plainOutput(output.output);
      },
    };
    this.started = [run, ...this.started].slice(0, MAX_RUNS);
    return run;
  }

  runs(): readonly TaskRun[] {
    return this.started;
  }

  stop(id: string): boolean {
    const run = this.started.find((each) => each.id === id);
    run?.execution.terminate();
    return run !== undefined;
  }

  problems(): readonly TaskProblem[] {
    return vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) =>
      diagnostics.map(({ range, severity, message }) => ({
        path: uri.scheme === 'file' ? uri.fsPath : uri.toString(),
        line: range.start.line + 1,
        severity: SEVERITIES[severity],
        message,
      })),
    );
  }

  dispose(): void {
    this.store.dispose();
  }

  private endOf(execution: vscode.TaskExecution): End {
    const known = this.ends.get(execution) ?? { exitCode: undefined, isEnded: false, listeners: new Set() };
    this.ends.set(execution, known);
    return known;
  }
}

function infoOf(task: vscode.Task): TaskInfo {
  const { name, source, group, scope, isBackground, detail, execution } = task;
  return {
    name,
    source,
    group: group?.id,
    folder: typeof scope === 'object' ? scope.uri.fsPath : undefined,
    isBackground,
    detail,
    command: commandOf(execution),
  };
}

function commandOf(execution: vscode.Task['execution']): string | undefined {
  if (execution instanceof vscode.ProcessExecution) {
    return [execution.process, ...execution.args].join(' ');
  }
  if (execution instanceof vscode.ShellExecution) {
    const { commandLine, command, args = [] } = execution;
    return commandLine ?? [command, ...args].map((part) => (typeof part === 'string' ? part : (part?.value ?? ''))).join(' ');
  }
  return undefined;
}

/** VS Code names the terminal by the task, with its source in front or its folder behind it where that distinguishes tasks. */
function isTerminalOf(terminal: string, { name, source }: vscode.Task): boolean {
  return [name, `${source}: ${name}`].some(
    (each) => terminal === each || terminal.startsWith(`${each} (`) || terminal.endsWith(` - ${each}`),
  );
}
