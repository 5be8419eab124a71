/** The MCP servers of one session. The code that selects, asks and warns is loaded when there are servers. */
import type { McpServer } from '../../core/mcp/mcpServer';
import type { LeftOut, ServerRequest } from '../../core/mcp/sessionServers';
import type { Disposable } from '../../core/platform/disposable';
import type { Roots } from '../../core/model/roots';
import type { RunningAgent } from '../agent/agentRequest';
import type { LifecycleDependencies } from './lifecycleDependencies';

export class SessionServers {
  private leftOut: readonly LeftOut[] = [];
  /** Aborts when the session leaves its agent. Undefined while no servers were selected. */
  private selecting: AbortController | undefined;
  private failures: Disposable | undefined;
  /** Reports that the agent gets the server again that could not be continued. */
  private found: ((passed: readonly McpServer[]) => void) | undefined;

  constructor(private readonly deps: LifecycleDependencies) {}

  /** Calls `use` with the servers for a request to this agent: at once when there are none. Ignores an answer after {@link detach}. */
  of(roots: Roots, agent: RunningAgent, use: (servers: readonly McpServer[]) => void): void {
    const { shared, setup } = this.deps;
    const request = this.request(roots, agent);
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
          this.found?.(passed);
          use(passed);
        }
      });
  }

  /** Continues the window's own server for the agent of an earlier window, which knows its address. */
  continue(roots: Roots, agent: RunningAgent, earlier: McpServer): void {
    const { shared, agentName, notices } = this.deps;
    const { signal } = (this.selecting ??= new AbortController());
    agent.connection.redactSecretsOf([earlier]);
    shared.servers?.continue?.(this.request(roots, agent), earlier).catch(async (error: unknown) => {
      const { reportLost } = await import('./selectSessionServers');
      this.found = signal.aborted ? undefined : reportLost(agentName, earlier, notices, error);
    });
  }

  private request(roots: Roots, { dialect }: RunningAgent): ServerRequest {
    const { key, agentId, agentName } = this.deps;
    return { key, agentId, agentName, roots, capabilities: dialect.mcpCapabilities };
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

  /** The session leaves its agent. @param isLeft true when the window ends or gives the session to another one, which may continue with the agent */
  detach(isLeft?: boolean): void {
    this.failures?.dispose();
    this.failures = undefined;
    if (this.selecting) {
      this.selecting.abort();
      this.selecting = undefined;
      this.deps.shared.servers?.ended(this.deps.key, isLeft);
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
