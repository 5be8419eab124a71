import type { queue } from '../../core/protocol/channels/queue';
import { warnOf } from '../shared/showFailure';
import { feature } from '../routing/feature';

export default feature<typeof queue>(() => ({
  edit_queued: ({ queueId }, { session }) => warnOf(session.queue.edit(queueId)),
  save_queued: ({ queueId, text, kept }, { session }) => warnOf(session.queue.save(queueId, text, kept)),
  cancel_queued_edit: ({ queueId }, { session }) => session.queue.cancelEdit(queueId),
  move_queued: ({ queueId, index }, { session }) => warnOf(session.queue.move(queueId, index)),
  remove_queued: ({ queueId }, { session }) => warnOf(session.queue.remove(queueId)),
  send_queued: ({ queueId, now }, { session }) => warnOf(session.queue.sendNow(queueId, now)),
  resume_queue: (_, { session }) => session.resumeQueue(),
  continue_later: async ({ turnId }, { session }) => (await import('../../session/continuation')).waitForReset(session.store, turnId),
  stop_waiting: (_, { session }) => session.queue.stopWaiting(),
}));
