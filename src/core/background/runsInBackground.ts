/** The tool calls whose work goes on in the background. Not beside the list, which the page loads late. */
import { isActiveTask } from './activeTasks';
import type { BackgroundSource } from './backgroundItems';

/** True while the work of a finished tool call goes on in the background. */
export function runsInBackground({ backgroundTasks, terminals, background }: BackgroundSource, toolCallId: string): boolean {
  const terminal = Object.hasOwn(terminals, toolCallId) ? terminals[toolCallId] : undefined;
  return (
    (terminal?.background === true && !terminal.ours && !terminal.exitStatus && !terminal.released) ||
    (backgroundTasks?.some((task) => task.toolCallId === toolCallId && isActiveTask(task)) ?? false) ||
    (background?.some((item) => item.type === 'tool_call' && item.toolCallId === toolCallId) ?? false)
  );
}
