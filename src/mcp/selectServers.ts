/** Chooses the MCP servers for a session by the capabilities of its agent. An agent may refuse the whole session because of a server of another kind. */
import type { McpCapabilities, McpServer } from '../core/mcp/mcpServer';

export interface LeftOutServer {
  readonly server: McpServer;
  /** `unsupported`: the agent does not take servers of this kind. `duplicate_name`: an earlier server has the name, by which agents find servers. */
  readonly reason: 'unsupported' | 'duplicate_name';
}

export interface SelectedServers {
  /** In the given order. */
  readonly passed: readonly McpServer[];
  readonly leftOut: readonly LeftOutServer[];
}

export function selectServers(servers: readonly McpServer[], capabilities: McpCapabilities): SelectedServers {
  const passed: McpServer[] = [];
  const leftOut: LeftOutServer[] = [];
  const names = new Set<string>();
  for (const server of servers) {
    if (!capabilities[server.type]) {
      leftOut.push({ server, reason: 'unsupported' });
    } else if (names.has(server.name)) {
      leftOut.push({ server, reason: 'duplicate_name' });
    } else {
      names.add(server.name);
      passed.push(server);
    }
  }
  return { passed, leftOut };
}
