/** The MCP servers of one session. The code that selects, asks and warns is loaded when there are servers. */
import type { McpServer } from '../../core/mcp/mcpServer';
import type { LeftOut } from '../../core/mcp/sessionServers';
import type { Disposable } from '../../core/platform/disposable';
import type { Roots } from '../../core/model/roots';
import type { RunningAgent } from '../agent/agentRequest';
import type { LifecycleDependencies } from './lifecycleDependencies';

export class SessionServers {
  private leftOut: readonly LeftOut[] = [];
  /** Aborts when the session leaves its agent. Undefined while no servers were selected. */
  private selecting: AbortController | undefined;
  private failures: Disposable | undefined;
  private isLeft = false;
  /** The server that could not be continued, until the agent gets it again. */
  private lost: string | undefined;

  constructor(private readonly deps: LifecycleDependencies) {}

  /** Calls `use` with the servers for a request to this agent: at once when there are none. Ignores an answer after {@link detach}. */
  of(roots: Roots, agent: RunningAgent, use: (servers: readonly McpServer[]) => void): void {
    const { key, agentId, agentName, shared, setup } = this.deps;
    const request = { key, agentId, agentName, roots, capabilities: agent.dialect.mcpCapabilities };
    const source = shared.servers?.isActive(request) ? shared.servers : undefined;
    if (!source && setup.mcpServers.length === 0) {
      use([]);
      return;
    }
    const { signal } = (this.selecting ??= new AbortController());
    void import('./selectSessionServers')
      .then((late) => late.selectSessionServers(setup.mcpServers, source, request, shared.clock, signal))
      // An update of the extension may have deleted the file.
      .catch(() => ({ passed: [], leftOut: [] }))
      .then(({ passed, leftOut }) => {
        if (!signal.aborted) {
          // The agent may quote the secrets.
          agent.connection.redactSecretsOf(passed);
          this.leftOut = leftOut;
          this.watch(passed, agent);
          if (this.lost !== undefined && passed.some(({ name }) => name === this.lost)) {
            this.deps.notices.reportContinued({ code: 'mcp.settled', params: { servers: this.lost } });
            this.lost = undefined;
          }
          use(passed);
        }
      });
  }

  /** Continues the window's own server for the agent of an earlier window, which knows its address. */
  continue(roots: Roots, { connection, dialect }: RunningAgent, earlier: McpServer): void {
    const { key, agentId, agentName, shared, notices } = this.deps;
    const request = { key, agentId, agentName, roots, capabilities: dialect.mcpCapabilities };
    const { signal } = (this.selecting ??= new AbortController());
    connection.redactSecretsOf([earlier]);
    shared.servers?.continue?.(request, earlier).catch((error: unknown) => {
      if (!signal.aborted) {
        this.lost = earlier.name;
        notices.reportContinued({ code: 'mcp.not_continued', params: { agent: agentName, servers: earlier.name }, detail: String(error) });
      }
    });
  }

  /** The window ends, or gives the session to another window, which may continue with the agent. */
  leave(): void {
    this.isLeft = true;
  }

  /** Reports servers that fail at the agent. The module is loaded already. */
  private watch(passed: readonly McpServer[], { connection }: RunningAgent): void {
    this.failures?.dispose();
    this.failures = undefined;
    if (passed.length > 0) {
      const { signal } = this.selecting!;
      void import('./selectSessionServers').then((late) => {
        if (!signal.aborted) {
          this.failures?.dispose();
          this.failures = late.watchFailures(passed, connection, this.deps.notices);
        }
      });
    }
  }

  /** The session leaves its agent. */
  detach(): void {
    this.failures?.dispose();
    this.failures = undefined;
    if (this.selecting) {
      this.selecting.abort();
      this.selecting = undefined;
      this.deps.shared.servers?.ended(this.deps.key, this.isLeft);
    }
  }

  /** Warns of the servers that the last request left out. */
  warnOfLeftOut(): void {
    const { leftOut, deps } = this;
    this.leftOut = [];
    if (leftOut.length > 0) {
      void import('./selectSessionServers').then((late) => late.warnOfLeftOut(leftOut, deps.agentName, deps.notices));
    }
  }
}
