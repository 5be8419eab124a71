/** The editor's own server and the user's for one session. Loaded when there is one of them. */
import type { McpServer } from '../../core/mcp/mcpServer';
import type { ServerRequest, ServersOfSession } from '../../core/mcp/sessionServers';

/** The editor as an MCP server. */
export interface EditorServers {
  isActive(agent: Pick<ServerRequest, 'agentId' | 'agentName'>): boolean;
  declare(request: ServerRequest, earlier?: McpServer): Promise<McpServer | undefined>;
  addressOf(key: string): McpServer | undefined;
  ended(key: string, isLeft?: boolean): void;
  toolsChanged(): void;
}

/** @param user undefined: the user has no servers */
export async function composeServers(
  request: ServerRequest,
  editor: EditorServers | undefined,
  user: Promise<ServersOfSession> | undefined,
): Promise<ServersOfSession> {
  // A failure of one affects the other as little as one server the next.
  const failed = (error: unknown): ServersOfSession => ({ servers: [], leftOut: [{ name: '', reason: 'failed', detail: String(error) }] });
  const declared = async (): Promise<ServersOfSession> => {
    const server = editor?.isActive(request) ? await editor.declare(request) : undefined;
    return { servers: server ? [server] : [], leftOut: [] };
  };
  const both = await Promise.all([declared().catch(failed), (user ?? declaredNone).catch(failed)]);
  // The editor's comes first: no other server takes its name.
  return { servers: both.flatMap(({ servers }) => servers), leftOut: both.flatMap(({ leftOut }) => leftOut) };
}

const declaredNone: Promise<ServersOfSession> = Promise.resolve({ servers: [], leftOut: [] });
