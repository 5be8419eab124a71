import type { subagents } from '../../core/protocol/channels/subagents';
import { feature } from '../routing/feature';

export default feature<typeof subagents, object>(() => ({
  stop_subagent: ({ subagentId }, { session }) => session.stopSubagent(subagentId),
}));
