/** The MCP servers of one session: asks the window for its servers, passes those that the agent takes, and warns of the others. */
import type { McpServer } from '../../core/mcp/mcpServer';
import type { LeftOut, LeftOutReason, ServersOfSession } from '../../core/mcp/sessionServers';
import type { Failure } from '../../core/model/failure';
import type { Roots } from '../../core/model/roots';
import { selectServers } from '../../mcp/selectServers';
import type { RunningAgent } from '../agent/agentRequest';
import type { LifecycleDependencies } from './lifecycleDependencies';

/** ms until a session is requested without the window's servers. */
const MAX_WAIT_MS = 20_000;

const NONE: ServersOfSession = { servers: [], leftOut: [] };

export class SessionServers {
  private leftOut: readonly LeftOut[] = [];
  /** Aborts when the session leaves its agent. Undefined while the window has not been asked. */
  private asking: AbortController | undefined;

  constructor(private readonly deps: LifecycleDependencies) {}

  /**
   * Calls `use` with the servers for a request to this agent: at once, unless the window has servers for it. Ignores an answer after {@link detach}.
   * Their secrets are redacted from then on, because the agent may quote them.
   */
  of(roots: Roots, agent: RunningAgent, use: (servers: readonly McpServer[]) => void): void {
    const { key, agentId, agentName, shared, setup } = this.deps;
    const request = { key, agentId, agentName, roots, capabilities: agent.dialect.mcpCapabilities };
    if (!shared.servers?.isActive(request)) {
      use(this.passed(setup.mcpServers, NONE, agent));
      return;
    }
    const { signal } = (this.asking ??= new AbortController());
    let isDone = false;
    const done = (window: ServersOfSession): void => {
      if (!isDone && !signal.aborted) {
        isDone = true;
        timeout.dispose();
        use(this.passed(setup.mcpServers, window, agent));
      }
    };
    const failed = (detail: string): void => done({ servers: [], leftOut: [{ name: '', reason: 'failed', detail }] });
    const timeout = shared.clock.after(MAX_WAIT_MS, () => failed(`${MAX_WAIT_MS / 1000} s`));
    shared.servers.resolve(request, signal).then(done, (error: unknown) => failed(String(error)));
  }

  /** The session leaves its agent. */
  detach(): void {
    const { asking } = this;
    this.asking = undefined;
    if (asking) {
      asking.abort();
      this.deps.shared.servers?.ended(this.deps.key);
    }
  }

  /** Warns of the servers that the last request left out. */
  warnOfLeftOut(): void {
    const { leftOut } = this;
    this.leftOut = [];
    failuresOf(leftOut, this.deps.agentName).forEach((failure) => this.deps.notices.inform(failure));
  }

  private passed(servers: readonly McpServer[], window: ServersOfSession, { connection, dialect }: RunningAgent): readonly McpServer[] {
    const { passed, leftOut } = selectServers([...servers, ...window.servers], dialect.mcpCapabilities);
    connection.redactSecretsOf(passed);
    this.leftOut = [...leftOut.map(({ server, reason }) => ({ name: server.name, reason })), ...window.leftOut];
    return passed;
  }
}

/** A failure for each reason that concerns all of its servers in the same way, and for each server with a reason of its own. */
function failuresOf(leftOut: readonly LeftOut[], agent: string): Failure[] {
  const failures: Failure[] = [];
  const named = new Set<LeftOutReason>();
  for (const { name, reason, detail } of leftOut) {
    if (reason === 'switched_off') {
      continue; // The user's own choice.
    }
    if (detail !== undefined) {
      failures.push({ code: `mcp.${reason}`, params: { agent, ...(name && { servers: name }), subject: detail } });
    } else if (!named.has(reason)) {
      named.add(reason);
      const servers = leftOut.flatMap((each) => (each.reason === reason && each.detail === undefined ? each.name : [])).join(', ');
      failures.push({ code: `mcp.${reason}`, params: { agent, servers } });
    }
  }
  return failures;
}
