import type { tasks } from '../../core/protocol/channels/tasks';
import { feature } from '../../application/routing/feature';

export const tasksFeature = feature<typeof tasks, object>(() => ({
  stop_task: ({ taskId }, { session }) => session.stopTask(taskId),
}));
