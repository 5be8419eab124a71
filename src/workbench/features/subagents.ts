import type { subagents } from '../../core/protocol/channels/subagents';
import { feature } from '../../application/routing/feature';

export const subagentsFeature = feature<typeof subagents, object>(() => ({
  stop_subagent: ({ subagentId }, { session }) => session.stopSubagent(subagentId),
}));
