/** The list of the work in the background: all that the agent reports, and the commands that still run after their turn. Pure. */
import { isActiveTask, OWN_TURN } from './activeTasks';
import type { BackgroundState } from './backgroundTask';

export interface BackgroundItem {
  /** Unique in the list. */
  readonly key: string;
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
  /** True for a tool call of the agent's list. The call has its name and its Stop. */
  readonly isCall?: true;
  /** A subagent of the agent's list, which has its name and its Stop. */
  readonly subagentId?: string;
  readonly outputPath?: string;
  readonly canStop: boolean;
  /** True for a command whose end the agent may never report, see `isLeftOpen`. */
  readonly isLeft?: true;
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

/** A piece of work in the agent's own list. The agent's own kinds have further fields. */
interface Reported {
  readonly type: string;
  readonly terminalId?: string;
  readonly toolCallId?: string;
  readonly subagentId?: string;
}

/** The state of a session, as far as the list reads it. */
export type BackgroundSource = Pick<BackgroundState, 'backgroundTasks'> & {
  readonly terminals: Readonly<Record<string, Command>>;
  readonly background?: readonly Reported[] | undefined;
};

/** Returns the tasks first, then the commands without one, then the other work that the agent reports. */
export function backgroundItems({ backgroundTasks = [], terminals, background = [] }: BackgroundSource): readonly BackgroundItem[] {
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
  const listed = new Set(background.flatMap(({ type, terminalId }) => (type === 'terminal' ? (terminalId ?? []) : [])));
  const commands = Object.values(terminals).flatMap(
    ({ terminalId, command, ours, canCancel, exitStatus, released, background: isMarked }) =>
      (isMarked || listed.has(terminalId)) && !exitStatus && !released && !covered.has(terminalId)
        ? [
            {
              key: `terminal:${terminalId}`,
              terminalId,
              ...(ours ? { isOurs: true as const } : { toolCallId: terminalId }),
              name: command ?? terminalId,
              status: 'running',
              canStop: ours || canCancel === true,
              ...(!ours && !canCancel && !listed.has(terminalId) && { isLeft: true as const }),
            },
          ]
        : [],
  );
  return [...tasks, ...commands, ...background.flatMap((item, index) => otherItem(item, index, covered))];
}

/** Returns an item that is not a command; none for one that a task covers. */
function otherItem(item: Reported, index: number, covered: ReadonlySet<string | undefined>): readonly BackgroundItem[] {
  const { type, toolCallId, subagentId } = item;
  const base = { status: 'running', canStop: false };
  if (type === 'terminal') {
    return [];
  }
  if (type === 'tool_call' && toolCallId !== undefined) {
    return covered.has(toolCallId) ? [] : [{ ...base, key: `call:${toolCallId}`, name: toolCallId, toolCallId, isCall: true }];
  }
  if (type === 'subagent' && subagentId !== undefined) {
    return [{ ...base, key: `subagent:${subagentId}`, name: subagentId, subagentId }];
  }
  // The agent's own kinds have no defined fields, but usually a text.
  const { title, name, description } = item as Reported & Readonly<Record<string, unknown>>;
  const text = [title, name, description].find((each) => typeof each === 'string' && each.trim() !== '') as string | undefined;
  return [{ ...base, key: `other:${index}`, name: text ?? type }];
}
