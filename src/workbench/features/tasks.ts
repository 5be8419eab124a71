import type { tasks } from '../../core/protocol/channels/tasks';
import { feature } from '../routing/feature';

export default feature<typeof tasks, object>(() => ({
  stop_task: ({ taskId }, { session }) => session.stopTask(taskId),
  mark_ended: async ({ toolCallId }, { session: { store } }) =>
    store.append(...(await import('../../core/toolCalls/markEnded')).markEnded(store.state, toolCallId)),
}));
