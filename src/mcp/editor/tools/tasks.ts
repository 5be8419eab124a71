/** The tools for VS Code's tasks: listed, run, their output and problems, and stopped. */
import { z } from 'zod';
import { fitting } from '../answer';
import { MAX_TEXT, pause, rowsAnswer, tailOf, unlessAborted, withRetries } from '../answerText';
import { SessionFiles } from '../files';
import { counted, cursorField } from '../list';
import { previewOf } from '../position';
import { HIDDEN } from '../problemText';
import { RetryError } from '../retry';
import { type EditorTool, editorTool, type ToolAnswer, type ToolContext, type ToolSession } from '../tool';

/** A task that VS Code can run. */
export interface TaskInfo {
  readonly name: string;
  /** Where the task is from, such as `Workspace` or `npm`. */
  readonly source: string;
  readonly group: string | undefined;
  /** The folder of the workspace that the task belongs to. */
  readonly folder: string | undefined;
  readonly isBackground: boolean;
  readonly detail: string | undefined;
  /** The command line, as far as the task has one. */
  readonly command: string | undefined;
}

/** A task that was started here. */
export interface TaskRun {
  readonly id: string;
  readonly task: TaskInfo;
  /** Resolves when the task has ended. */
  readonly ended: Promise<void>;
  readonly isRunning: boolean;
  /** Undefined while the task runs, and for a task without a process. */
  readonly exitCode: number | undefined;
  /** The text without control sequences. Undefined when VS Code does not offer it. */
  readonly output: string | undefined;
}

export interface TaskProblem {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
}

export interface TasksPort {
  /** True in Restricted Mode. VS Code would ask there to trust the workspace, because the extensions that list tasks run code of it. */
  isRestricted(): boolean;
  list(): Promise<readonly TaskInfo[]>;
  /** Starts a task of the last {@link list}. Rejects when VS Code cannot start it. */
  run(task: TaskInfo): Promise<TaskRun>;
  /** The tasks that were started here, newest first. */
  runs(): readonly TaskRun[];
  stop(id: string): boolean;
  /** All problems of the window's files. */
  problems(): readonly TaskProblem[];
  /** False for a file that is protected from the session's agent. */
  mayRead(session: ToolSession, file: string): Promise<boolean>;
}

const PAGE = 100;
const MAX_PROBLEMS = 50;
/** Bytes of a task's output that are answered next to many problems. */
const MIN_OUTPUT = 4 * 1024;
const WAIT_SECONDS = 120;
const MAX_WAIT_SECONDS = 900;
/** The time in ms in which the first output and the problems of a task appear. */
const SETTLE_MS = 600;
const BACKGROUND_MS = 5000;

const listInput = z.object({ cursor: cursorField });
const runInput = z.object({
  name: z.string().min(1).max(500).describe('The name as list_tasks answers it.'),
  source: z.string().max(200).optional().describe('The source as list_tasks answers it, to choose between tasks with the same name.'),
  waitSeconds: z
    .int()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .optional()
    .describe(`How long to wait for the end, in seconds. Default: ${WAIT_SECONDS}. A task in the background is not waited for.`),
});
const idInput = z.object({ task: z.string().min(1).max(100).describe('The id that run_task has answered, such as "task-1".') });
const outputInput = idInput.extend({
  waitSeconds: z.int().min(0).max(MAX_WAIT_SECONDS).optional().describe('How long to wait for the end, in seconds. Default: 0.'),
});

export function taskTools(port: TasksPort): readonly EditorTool[] {
  return withRetries([
    editorTool({
      name: 'list_tasks',
      category: 'tasks',
      title: 'List tasks',
      description:
        "Lists the tasks that VS Code can run: those of the workspace's tasks.json and those that extensions offer, such as npm scripts.",
      // Extensions find tasks by running programs of the workspace, such as Gradle, whose files an agent can edit.
      isReadOnly: false,
      input: listInput,
      timeout: 30_000,
      run: (input, context) => listTasks(port, input.cursor, context),
    }),
    editorTool({
      name: 'run_task',
      category: 'tasks',
      title: 'Run a task',
      description:
        'Runs a task of VS Code, waits for its end, and answers exit code, output and the problems that are new. A task that is still running ' +
        'when the time is over, or that runs in the background, answers an id for task_output and stop_task.',
      isReadOnly: false,
      input: runInput,
      timeout: (MAX_WAIT_SECONDS + 30) * 1000,
      run: (input, context) => runTask(port, input, context),
    }),
    editorTool({
      name: 'task_output',
      category: 'tasks',
      title: 'Read the output of a task',
      description: 'Answers the state, the exit code and the last output of a task that run_task has started.',
      isReadOnly: true,
      input: outputInput,
      timeout: (MAX_WAIT_SECONDS + 30) * 1000,
      run: async ({ task, waitSeconds = 0 }, context) => {
        const run = runOf(port, task);
        await ended(run, waitSeconds * 1000, context);
        return answer(port, run, [], context);
      },
    }),
    editorTool({
      name: 'stop_task',
      category: 'tasks',
      title: 'Stop a task',
      description: 'Ends a task that run_task has started, and answers its last output.',
      isReadOnly: false,
      input: idInput,
      timeout: 30_000,
      run: async ({ task }, context) => {
        const run = runOf(port, task);
        if (run.isRunning) {
          port.stop(run.id);
          await ended(run, 15_000, context);
        }
        return answer(port, run, [], context);
      },
    }),
  ]);
}

async function listTasks(port: TasksPort, cursor: string | undefined, context: ToolContext): Promise<ToolAnswer> {
  const files = await SessionFiles.of(context.session.roots);
  refuseRestricted(port);
  const items = await unlessAborted(port.list(), context.signal);
  if (!items) {
    return { text: 'The extensions that offer tasks did not answer in time. Call again.', data: { tasks: [], timedOut: context.timedOut } };
  }
  return rowsAnswer(context, {
    items,
    cursor,
    size: PAGE,
    none: 'There are no tasks. The workspace can define some in .vscode/tasks.json.',
    head: `${counted(items.length, 'task')}:`,
    data: (task) => ({ ...task }),
    text: ({ name, source, group, folder, isBackground, command, detail }) => {
      const marks = [source, ...(group === undefined ? [] : [group]), ...(isBackground ? ['in the background'] : [])];
      const where = folder === undefined ? '' : ` in ${files.shown(folder)}`;
      const what = command ?? detail;
      return `${name} (${marks.join(', ')})${where}${what === undefined ? '' : `: ${previewOf(what)}`}`;
    },
  });
}

async function runTask(port: TasksPort, input: z.output<typeof runInput>, context: ToolContext): Promise<ToolAnswer> {
  refuseRestricted(port);
  const tasks = await unlessAborted(port.list(), context.signal);
  const task = one(tasks ?? [], input);
  const before = new Set(port.problems().map(keyOf));
  const run = await unlessAborted(port.run(task), context.signal);
  if (!run) {
    return {
      text: 'VS Code has not started the task in time. It may be asking the user for an input.',
      data: { timedOut: context.timedOut },
    };
  }
  context.progress(0, undefined, `Running ${task.name}`);
  const wait = task.isBackground
    ? Math.min(BACKGROUND_MS, (input.waitSeconds ?? MAX_WAIT_SECONDS) * 1000)
    : (input.waitSeconds ?? WAIT_SECONDS) * 1000;
  await ended(run, wait, context);
  const problems = port.problems().filter((problem) => !before.has(keyOf(problem)));
  return answer(port, run, problems, context);
}

/** @throws RetryError in Restricted Mode */
function refuseRestricted(port: TasksPort): void {
  if (port.isRestricted()) {
    throw new RetryError('VS Code lists and runs no tasks in Restricted Mode. Only the user can trust the workspace.');
  }
}

/** @throws RetryError unless exactly one task is meant */
function one(tasks: readonly TaskInfo[], { name, source }: { readonly name: string; readonly source?: string | undefined }): TaskInfo {
  const exact = tasks.filter((task) => task.name === name || `${task.source}: ${task.name}` === name);
  const found = exact.filter((task) => source === undefined || task.source === source);
  if (found.length === 1) {
    return found[0]!;
  }
  if (found.length > 1) {
    const sources = found.map((task) => `${task.source}${task.folder === undefined ? '' : ` (${task.folder})`}`);
    throw new RetryError(`${found.length} tasks have the name ${name}, from: ${sources.join(', ')}. Give source too.`);
  }
  const known = tasks.slice(0, 30).map((task) => task.name);
  throw new RetryError(
    exact.length > 0
      ? `The task ${name} is not from ${source}, but from ${exact.map((task) => task.source).join(', ')}.`
      : `There is no task ${name}. ${known.length === 0 ? 'There are no tasks.' : `There are: ${known.join(', ')}. See list_tasks.`}`,
  );
}

/** @throws RetryError */
function runOf(port: TasksPort, id: string): TaskRun {
  const runs = port.runs();
  const found = runs.find((run) => run.id === id);
  if (!found) {
    const known = runs.slice(0, 10).map((run) => `${run.id} (${run.task.name})`);
    throw new RetryError(
      `There is no task ${id}. ${known.length === 0 ? 'No task was started by run_task.' : `There are: ${known.join(', ')}.`}`,
    );
  }
  return found;
}

/** Resolves when the task has ended, its output and problems have arrived, or the time is over. */
async function ended(run: TaskRun, ms: number, { signal }: ToolContext): Promise<void> {
  if (run.isRunning && ms > 0) {
    const over = new AbortController();
    await Promise.race([unlessAborted(run.ended, signal), pause(ms, AbortSignal.any([signal, over.signal]))]);
    over.abort();
    await pause(SETTLE_MS, signal);
  }
}

async function answer(
  port: TasksPort,
  run: TaskRun,
  found: readonly TaskProblem[],
  { session, timedOut }: ToolContext,
): Promise<ToolAnswer> {
  const files = await SessionFiles.of(session.roots);
  const inside = found.filter(({ path }) => files.isInside(path));
  const readable = new Map<string, boolean>();
  for (const path of new Set(inside.slice(0, MAX_PROBLEMS).map((each) => each.path))) {
    readable.set(path, await port.mayRead(session, path));
  }
  const problems = inside.map(({ path, message, ...each }) => ({
    ...each,
    path: files.shown(path),
    message: readable.get(path) ? message : HIDDEN,
  }));
  const { id, task, isRunning, exitCode, output } = run;
  const state = isRunning
    ? `${task.name} is still running as ${id}. See task_output and stop_task.`
    : `${task.name} has ended${exitCode === undefined ? '' : ` with exit code ${exitCode}`}.`;
  const named = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ path, line, severity, message }) => `${path}:${line}: ${severity}: ${previewOf(message)}`);
  const rows = named.slice(0, fitting(named, MAX_TEXT - MIN_OUTPUT - 1024));
  const left = problems.length - rows.length;
  const list = rows.length === 0 ? [] : ['New problems:', ...rows, ...(left > 0 ? [`… and ${left} more`] : [])];
  // The end of an output says the most.
  const room = Math.max(MIN_OUTPUT, MAX_TEXT - Buffer.byteLength(list.join('\n')) - 1024);
  const text =
    output === undefined
      ? 'VS Code offers no output for this task: it needs the shell integration of its terminal. The exit code and the problems are complete.'
      : output.trim() === ''
        ? 'No output.'
        : `Output:\n${tailOf(output.trimEnd(), room)}`;
  return {
    text: [state, ...list, text].join('\n'),
    data: { id, isRunning, exitCode: exitCode ?? null, problems: problems.slice(0, MAX_PROBLEMS), timedOut: timedOut || isRunning },
  };
}

function keyOf({ path, line, severity, message }: TaskProblem): string {
  return JSON.stringify([path, line, severity, message]);
}
