/** The MCP servers that an agent gets, and the notices about those that it does not get. Loaded when there are servers. */
import type { McpServer } from '../../core/mcp/mcpServer';
import type { LeftOut, LeftOutReason, ServerRequest, ServerSource, ServersOfSession } from '../../core/mcp/sessionServers';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { failedServersIn } from '../../mcp/failedServers';
import { selectServers } from '../../mcp/selectServers';
import type { AgentConnection } from '../agent/agentConnection';
import type { SessionNotices } from '../state/sessionNotices';

export interface SelectedServers {
  readonly passed: readonly McpServer[];
  readonly leftOut: readonly LeftOut[];
}

/** The id of the notice about the window's own server. */
const CONTINUED = 'server-continued';
/** ms until a session is requested without the window's servers. */
const MAX_WAIT_MS = 20_000;

/** Selects from the session's own servers and those of the window. @param source undefined: the window has none */
export async function selectSessionServers(
  own: readonly McpServer[],
  source: ServerSource | undefined,
  request: ServerRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<SelectedServers> {
  const window = source ? await ask(source, request, clock, signal) : { servers: [], leftOut: [] };
  const { passed, leftOut } = selectServers([...own, ...window.servers], request.capabilities);
  return { passed, leftOut: [...leftOut.map(({ server, reason }) => ({ name: server.name, reason })), ...window.leftOut] };
}

/** Never rejects: a session starts without servers that fail. */
function ask(source: ServerSource, request: ServerRequest, clock: Clock, signal: AbortSignal): Promise<ServersOfSession> {
  return new Promise((resolve) => {
    const failed = (detail: string): void => resolve({ servers: [], leftOut: [{ name: '', reason: 'failed', detail }] });
    const timeout = clock.after(MAX_WAIT_MS, () => failed(`${MAX_WAIT_MS / 1000} s`));
    source
      .resolve(request, signal)
      .then(resolve, (error: unknown) => failed(String(error)))
      .finally(() => timeout.dispose());
  });
}

/** Adds a notice for each reason that concerns all of its servers in the same way, and for each server with a reason of its own. */
export function warnOfLeftOut(leftOut: readonly LeftOut[], agent: string, notices: Pick<SessionNotices, 'inform'>): void {
  const named = new Set<LeftOutReason>();
  for (const { name, reason, detail } of leftOut) {
    if (reason === 'switched_off' || reason === 'restricted') {
      continue; // The user's own choice, or visible in the whole window.
    }
    if (reason === 'failed') {
      notices.inform({ code: 'mcp.failed', params: { agent, ...(name && { servers: name }) }, ...(detail !== undefined && { detail }) });
    } else if (detail !== undefined) {
      notices.inform({ code: `mcp.${reason}`, params: { agent, servers: name, subject: detail } });
    } else if (!named.has(reason)) {
      named.add(reason);
      const servers = leftOut.flatMap((each) => (each.reason === reason && each.detail === undefined ? each.name : []));
      notices.inform({ code: `mcp.${reason}`, params: { agent, servers: [...new Set(servers)].join(', ') } });
    }
  }
}

/** Adds a notice that the agent can't reach the window's own server. Returns a function that replaces it when the agent gets the server again. */
export function reportLost(
  agent: string,
  { name: servers }: McpServer,
  notices: Pick<SessionNotices, 'inform'>,
  error: unknown,
): (passed: readonly McpServer[]) => void {
  notices.inform({ code: 'mcp.not_continued', params: { agent, servers }, detail: String(error) }, CONTINUED);
  let isLost = true;
  return (passed) => {
    if (isLost && passed.some(({ name }) => name === servers)) {
      isLost = false;
      notices.inform({ code: 'mcp.settled', params: { servers } }, CONTINUED);
    }
  };
}

/** Adds a notice for each server that the agent reports on stderr as failed. */
export function watchFailures(
  passed: readonly McpServer[],
  connection: Pick<AgentConnection, 'onServerLine'>,
  notices: Pick<SessionNotices, 'warnOfServer'>,
): Disposable {
  const names = new Set(passed.map(({ name }) => name));
  return connection.onServerLine((line) => failedServersIn(line, names).forEach((name) => notices.warnOfServer(name, line)));
}
