/** The status of background tasks. Not beside the schemas, because the host loads those late. */
import type { BackgroundState, BackgroundTask } from './backgroundTask';

/** The kind of a task that is a turn which the agent began by itself. */
export const OWN_TURN = 'turn';

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'stopped']);

/** True while the agent works on the task. */
export function isActiveTask({ status }: Pick<BackgroundTask, 'status'>): boolean {
  return !ENDS.has(status);
}

/** True while the agent reports a turn that it began by itself. */
export function hasOwnTurn({ backgroundTasks }: BackgroundState): boolean {
  return backgroundTasks?.some((task) => task.taskKind === OWN_TURN && isActiveTask(task)) ?? false;
}
