/** Background tasks and suggested messages. */
import { isActiveTask } from '../background/activeTasks';
import type { BackgroundTask, BackgroundTaskPatch } from '../background/backgroundTask';
import { applyPatch } from '../model/patch';
import type { SessionState, TerminalState } from '../model/state';

/** The most tasks that are listed. The oldest that have ended go first. */
const MAX_TASKS = 200;

export function reduceBackgroundTask(
  state: SessionState,
  { taskId, patch, at }: { readonly taskId: string; readonly patch: BackgroundTaskPatch; readonly at: number },
): SessionState {
  const tasks = state.backgroundTasks ?? [];
  const old = tasks.find((task) => task.taskId === taskId);
  const { status, ...others } = patch;
  const base = old ?? { taskId, status: 'running', at };
  const next = applyPatch<BackgroundTask>(base, { ...others, ...(typeof status === 'string' && { status }) });
  const { endedAt = at, isStopping, ...rest } = next;
  const task: BackgroundTask = isActiveTask(next) ? { ...rest, ...(isStopping && { isStopping }) } : { ...rest, endedAt };
  const list = old ? tasks.map((each) => (each === old ? task : each)) : [...withinLimit(tasks), task];
  return { ...state, backgroundTasks: list };
}

function withinLimit(tasks: readonly BackgroundTask[]): readonly BackgroundTask[] {
  if (tasks.length < MAX_TASKS) {
    return tasks;
  }
  const gone = tasks.find((task) => !isActiveTask(task)) ?? tasks[0];
  return tasks.filter((task) => task !== gone);
}

/** Ignored for a task that does not run. */
export function reduceTaskStopping(
  state: SessionState,
  { taskId, stopping }: { readonly taskId: string; readonly stopping: boolean },
): SessionState {
  const { backgroundTasks } = state;
  const old = backgroundTasks?.find((task) => task.taskId === taskId && isActiveTask(task));
  if (!backgroundTasks || !old || (old.isStopping === true) === stopping) {
    return state;
  }
  const { isStopping: _, ...rest } = old;
  return {
    ...state,
    backgroundTasks: backgroundTasks.map((task) => (task === old ? { ...rest, ...(stopping && { isStopping: true as const }) } : task)),
  };
}

export function reduceSuggestions(state: SessionState, suggestions: readonly string[]): SessionState {
  return suggestions.length === 0 ? withoutSuggestions(state) : { ...state, suggestions };
}

function withoutSuggestions(state: SessionState): SessionState {
  return state.suggestions ? { ...state, suggestions: undefined } : state;
}

/** Removes the tasks that have ended, and the suggestions, which were about the moment before the turn. */
export function startTurnWithTasks(state: SessionState): SessionState {
  const { backgroundTasks } = state;
  const active = backgroundTasks?.filter(isActiveTask) ?? [];
  const same = !backgroundTasks || active.length === backgroundTasks.length;
  return withoutSuggestions(same ? state : { ...state, backgroundTasks: active.length > 0 ? active : undefined });
}

/** Removes all tasks and suggestions, because the agent that reported them is gone or has opened the session again. */
export function withoutTasks(state: SessionState): SessionState {
  return state.backgroundTasks ? withoutSuggestions({ ...state, backgroundTasks: undefined }) : withoutSuggestions(state);
}

/**
 * Marks the agent's terminal of a tool call that has ended while its command runs. An agent that reports the end of a command ends its terminal with
 * the call, or before it.
 */
export function markTerminalOfCall(state: SessionState, toolCallId: string, status: string | null | undefined): SessionState {
  const terminal = Object.hasOwn(state.terminals, toolCallId) ? state.terminals[toolCallId] : undefined;
  if (!terminal || terminal.ours || status === undefined) {
    return state;
  }
  return withBackground(state, [terminal], status === 'completed');
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
