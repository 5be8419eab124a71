import type { mcp } from '../../core/protocol/channels/mcp';
import type { WindowServers } from '../mcp/windowServers';
import { feature } from '../routing/feature';

interface McpServices {
  readonly servers: Pick<WindowServers, 'feature'>;
}

export default feature<typeof mcp, McpServices>(({ servers }) => ({
  servers_choose: async (_, { session }) => (await servers.feature()).choose(session),
  servers_review: async (_, { session }) => (await servers.feature()).review(session),
  servers_restart: async (_, { session }) => (await servers.feature()).restart(session),
}));
