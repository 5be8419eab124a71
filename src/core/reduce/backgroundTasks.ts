/** Background tasks and suggested messages. */
import { isActiveTask } from '../background/activeTasks';
import type { BackgroundTask, BackgroundTaskPatch } from '../background/backgroundTask';
import { applyPatch } from '../model/patch';
import type { SessionState, TerminalState } from '../model/state';

/** The most tasks that are listed. */
const MAX_TASKS = 200;

export function reduceBackgroundTask(
  state: SessionState,
  { taskId, patch, at }: { readonly taskId: string; readonly patch: BackgroundTaskPatch; readonly at: number },
): SessionState {
  const tasks = state.backgroundTasks ?? [];
  const old = tasks.find((task) => task.taskId === taskId);
  const next = applyPatch<BackgroundTask>(old ?? { taskId, status: 'running', at }, { ...patch, status: patch.status ?? undefined });
  const { endedAt, isStopping, ...rest } = next;
  const task: BackgroundTask = isActiveTask(next) ? { ...rest, ...(isStopping && { isStopping }) } : { ...rest, endedAt: endedAt ?? at };
  return { ...state, backgroundTasks: old ? tasks.with(tasks.indexOf(old), task) : [...withRoom(tasks), task] };
}

/** Returns the tasks without one that has ended, or the oldest one, when there is no room for another. */
function withRoom(tasks: readonly BackgroundTask[]): readonly BackgroundTask[] {
  return tasks.length < MAX_TASKS
    ? tasks
    : tasks.toSpliced(
        Math.max(
          0,
          tasks.findIndex((task) => !isActiveTask(task)),
        ),
        1,
      );
}

/** Ignored for a task that does not run. */
export function reduceTaskStopping(
  state: SessionState,
  { taskId, stopping }: { readonly taskId: string; readonly stopping: boolean },
): SessionState {
  const tasks = state.backgroundTasks ?? [];
  const index = tasks.findIndex((task) => task.taskId === taskId && isActiveTask(task));
  if (index < 0) {
    return state;
  }
  const { isStopping: _, ...rest } = tasks[index]!;
  return { ...state, backgroundTasks: tasks.with(index, { ...rest, ...(stopping && { isStopping: true as const }) }) };
}

export function reduceSuggestions(state: SessionState, suggestions: readonly string[]): SessionState {
  return { ...state, suggestions: suggestions.length > 0 ? suggestions : undefined };
}

/** Removes the tasks that have ended, and the suggestions, which were about the moment before the turn. */
export function startTurnWithTasks(state: SessionState): SessionState {
  const active = state.backgroundTasks?.filter(isActiveTask);
  return { ...state, backgroundTasks: active?.length ? active : undefined, suggestions: undefined };
}

/** Removes all tasks and suggestions, because the agent that reported them is gone or has opened the session again. */
export function withoutTasks(state: SessionState): SessionState {
  return { ...state, backgroundTasks: undefined, suggestions: undefined };
}

/**
 * Marks the agent's terminal of a tool call that has ended while its command runs. An agent that reports the end of a command ends its terminal with
 * the call, or before it.
 */
export function markTerminalOfCall(state: SessionState, toolCallId: string, status: string | null): SessionState {
  const terminal = Object.hasOwn(state.terminals, toolCallId) ? state.terminals[toolCallId] : undefined;
  return terminal && !terminal.ours ? withBackground(state, [terminal], status === 'completed') : state;
}

/** Marks the terminals that run when a turn ends: ours, and those of the calls that the turn leaves in the background. */
export function markTerminalsAtEnd(state: SessionState, toolCallIds: readonly string[]): SessionState {
  const running = Object.values(state.terminals).filter(
    ({ terminalId, ours, exitStatus, released }) => !exitStatus && !released && (ours || toolCallIds.includes(terminalId)),
  );
  return withBackground(state, running, true);
}

function withBackground(state: SessionState, terminals: readonly TerminalState[], background: boolean): SessionState {
  const changed = terminals.filter((terminal) => (terminal.background === true) !== background);
  return changed.length === 0
    ? state
    : {
        ...state,
        terminals: {
          ...state.terminals,
          ...Object.fromEntries(changed.map((terminal) => [terminal.terminalId, { ...terminal, background }])),
        },
      };
}
