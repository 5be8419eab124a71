/** The list of the work in the background: the tasks that the agent reports, and the commands that still run after their turn. Pure. */
import { isActiveTask, OWN_TURN } from './activeTasks';
import type { BackgroundState } from './backgroundTask';

export interface BackgroundItem {
  /** Unique in the list. */
  readonly key: string;
  /** Set for a task of the agent, whose Stop names it. Otherwise the Stop names the terminal, or the tool call without one. */
  readonly taskId?: string;
  /** The terminal with the output, if there is one. */
  readonly terminalId?: string;
  /** True when our own process runs the command. */
  readonly isOurs?: true;
  readonly name: string;
  readonly summary?: string;
  /** See `BackgroundTask.status`; `stopping` after the user pressed Stop. */
  readonly status: string;
  readonly toolCallId?: string;
  readonly outputPath?: string;
  readonly canStop: boolean;
  /** ms since the epoch; absent when the start is not known. */
  readonly at?: number;
  readonly endedAt?: number;
}

/** The fields of a terminal that the list reads. */
interface Command {
  readonly terminalId: string;
  readonly ours: boolean;
  readonly command?: string;
  readonly exitStatus?: unknown;
  readonly released?: boolean;
  readonly background?: boolean;
  readonly canCancel?: boolean;
}

/** The fields of a tool call that the list reads. */
interface Call {
  readonly title?: string;
  readonly canCancel?: boolean;
}

/** A piece of work that version 2 reports with the states of turns. */
interface Work {
  readonly type: string;
  readonly terminalId?: string;
  readonly toolCallId?: string;
}

/** The state of a session, as far as the list reads it. */
type Source = Pick<BackgroundState, 'backgroundTasks'> & {
  readonly terminals: Readonly<Record<string, Command>>;
  readonly background?: readonly Work[];
};

/** The most rows of work that is no task. An agent can report any number. */
const MAX_ROWS = 200;

/**
 * Returns the tasks first, then the work without one.
 *
 * @param callOf returns a tool call that the conversation has
 */
export function backgroundItems(
  { backgroundTasks = [], terminals, background = [] }: Source,
  callOf: (toolCallId: string) => Call | undefined = () => undefined,
): readonly BackgroundItem[] {
  const shown = backgroundTasks.filter(({ taskKind }) => taskKind !== OWN_TURN);
  const covered = new Set(shown.map(({ toolCallId }) => toolCallId));
  const tasks = shown.map((task): BackgroundItem => {
    const { taskId, name, description, summary, toolCallId, outputPath, at, endedAt } = task;
    const hasTerminal = toolCallId !== undefined && Object.hasOwn(terminals, toolCallId);
    const title = name ?? description ?? taskId;
    const more = summary ?? (description === title ? undefined : description);
    const isActive = isActiveTask(task);
    return {
      key: `task:${taskId}`,
      taskId,
      ...(hasTerminal && { terminalId: toolCallId }),
      name: title,
      ...(more !== undefined && { summary: more }),
      status: isActive && task.isStopping ? 'stopping' : task.status,
      ...(toolCallId !== undefined && { toolCallId }),
      ...(outputPath !== undefined && { outputPath }),
      canStop: isActive && task.canStop === true && !task.isStopping,
      at,
      ...(endedAt !== undefined && { endedAt }),
    };
  });
  const commands = Object.values(terminals)
    .filter((terminal) => terminal.background && isRunning(terminal) && !covered.has(terminal.terminalId))
    .map(commandItem);
  const others = background.flatMap((work, index) => {
    const { type, terminalId, toolCallId } = work;
    if (type === 'terminal' && terminalId !== undefined) {
      const terminal = Object.hasOwn(terminals, terminalId) ? terminals[terminalId]! : { terminalId, ours: false };
      return isRunning(terminal) && !covered.has(terminalId) ? [commandItem(terminal)] : [];
    }
    if (type === 'tool_call' && toolCallId !== undefined) {
      return covered.has(toolCallId) ? [] : [callItem(toolCallId, callOf(toolCallId))];
    }
    // A subagent has a card of its own, with its state and Stop.
    return type === 'subagent' ? [] : [{ key: `work:${index}`, name: type, status: 'running', canStop: false }];
  });
  const rows = new Map([...commands, ...others].map((item) => [item.key, item]));
  return [...tasks, ...[...rows.values()].slice(0, MAX_ROWS)];
}

function isRunning({ exitStatus, released }: Command): boolean {
  return !exitStatus && !released;
}

function commandItem({ terminalId, ours, command, canCancel }: Command): BackgroundItem {
  return {
    key: `terminal:${terminalId}`,
    terminalId,
    ...(ours ? { isOurs: true as const } : { toolCallId: terminalId }),
    name: command ?? terminalId,
    status: 'running',
    canStop: ours || canCancel === true,
  };
}

function callItem(toolCallId: string, call: Call | undefined): BackgroundItem {
  return {
    key: `call:${toolCallId}`,
    toolCallId,
    name: call?.title ?? toolCallId,
    status: 'running',
    canStop: call?.canCancel === true,
  };
}

/** True while the work of a finished tool call goes on in the background. */
export function runsInBackground({ backgroundTasks, terminals }: Source, toolCallId: string): boolean {
  const terminal = Object.hasOwn(terminals, toolCallId) ? terminals[toolCallId] : undefined;
  return (
    (terminal?.background === true && !terminal.ours && !terminal.exitStatus && !terminal.released) ||
    (backgroundTasks?.some((task) => task.toolCallId === toolCallId && isActiveTask(task)) ?? false)
  );
}
