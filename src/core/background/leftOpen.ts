/** Tool calls that the agent left open: their turn is over, and no report of the agent says that they run or how they ended. */
import { isActiveTask } from './activeTasks';
import type { BackgroundSource } from './backgroundItems';

/** True when the user can only mark the call as ended. The agent lists it nowhere, and nothing can stop it. */
export function isLeftOpen(
  { backgroundTasks = [], background = [], terminals }: BackgroundSource,
  toolCallId: string,
  status: string | undefined,
): boolean {
  const terminal = Object.hasOwn(terminals, toolCallId) ? terminals[toolCallId] : undefined;
  const isReported =
    backgroundTasks.some((task) => task.toolCallId === toolCallId && isActiveTask(task)) ||
    background.some((item) => item.toolCallId === toolCallId || item.terminalId === toolCallId);
  const runs = terminal?.background === true && !terminal.exitStatus && !terminal.released;
  return !isReported && !terminal?.ours && !terminal?.canCancel && (status === 'background' || runs);
}
