/** The MCP servers of one session: passes those that its agent takes, and warns of the others. */
import type { McpServer } from '../../core/mcp/mcpServer';
import { type LeftOutServer, selectServers } from '../../mcp/selectServers';
import type { RunningAgent } from '../agent/agentRequest';
import type { SessionNotices } from '../state/sessionNotices';

export class SessionServers {
  private leftOut: readonly LeftOutServer[] = [];

  constructor(
    private readonly agentName: string,
    private readonly notices: SessionNotices,
  ) {}

  /** Returns the servers for a request to this agent. Their secrets are redacted from now on, because the agent may quote them. */
  passed(servers: readonly McpServer[], { connection, dialect }: RunningAgent): readonly McpServer[] {
    const { passed, leftOut } = selectServers(servers, dialect.mcpCapabilities);
    connection.redactSecretsOf(passed);
    this.leftOut = leftOut;
    return passed;
  }

  /** Warns of the servers that the last request left out. */
  warnOfLeftOut(): void {
    const namesBecause = (wanted: LeftOutServer['reason']): string =>
      this.leftOut.flatMap(({ server, reason }) => (reason === wanted ? server.name : [])).join(', ');
    const [unsupported, duplicate] = [namesBecause('unsupported'), namesBecause('duplicate_name')];
    this.leftOut = [];
    if (unsupported) {
      this.notices.inform({ code: 'mcp.unsupported', params: { agent: this.agentName, servers: unsupported } });
    }
    if (duplicate) {
      this.notices.inform({ code: 'mcp.duplicate_name', params: { agent: this.agentName, servers: duplicate } });
    }
  }
}
