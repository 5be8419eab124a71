/**
 * The MCP tool behind an agent's tool call. The protocol has no field for it, so this table has one row per agent that names it in a field of its
 * own. Titles are not read, because a model may choose them.
 */

/** The fields of a request and of its tool call that name a tool. */
export interface ToolNames {
  /** The name of the tool, by the agent's code. */
  readonly name?: string | null | undefined;
  /** The title of the tool call as the agent announced it. */
  readonly callTitle?: string | undefined;
  readonly rawInput?: unknown;
  /** `_meta` of the request. */
  readonly meta?: unknown;
  /** The fields of the request that the protocol does not define, for example `toolCall._meta`. */
  readonly extra?: unknown;
}

/** A tool of an MCP server. `certain` is false where the name can be read in several ways. */
export interface McpTool {
  readonly server: string;
  readonly tool: string;
  readonly certain: boolean;
}

/** Returns the possible readings. Empty for a tool of the agent itself, and for one that no row knows. */
export function mcpToolsOf(names: ToolNames): readonly McpTool[] {
  return [...claude(names), ...codex(names)];
}

const PREFIX = 'mcp__';

/**
 * claude-agent-acp: the tool's name is `mcp__<server>__<tool>`, and newer versions have the server's name in `_meta.claudeCode.mcpServer`. Characters
 * other than letters, digits, `_` and `-` are replaced in the name.
 */
function claude({ name, extra }: ToolNames): readonly McpTool[] {
  const { _meta } = recordOf(recordOf(extra)['toolCall']);
  const { toolName, mcpServer } = recordOf(recordOf(_meta)['claudeCode']);
  const whole = typeof toolName === 'string' ? toolName : name;
  if (typeof whole !== 'string' || !whole.startsWith(PREFIX)) {
    return [];
  }
  const server = recordOf(mcpServer)['name'];
  if (typeof server === 'string' && server !== '') {
    const start = `${PREFIX}${server.replaceAll(/[^A-Za-z0-9_-]/g, '_')}__`;
    return whole.startsWith(start) ? [{ server, tool: whole.slice(start.length), certain: true }] : [];
  }
  const rest = whole.slice(PREFIX.length);
  const readings: { readonly server: string; readonly tool: string }[] = [];
  for (let at = rest.indexOf('__', 1); at > 0 && at + 2 < rest.length; at = rest.indexOf('__', at + 1)) {
    readings.push({ server: rest.slice(0, at), tool: rest.slice(at + 2) });
  }
  return readings.map((reading) => ({ ...reading, certain: readings.length === 1 }));
}

/** codex-acp: the request says that it is about an MCP tool, and the announced call has the server and the tool in its input and its title. */
function codex({ callTitle, rawInput, meta }: ToolNames): readonly McpTool[] {
  const { server, tool } = recordOf(rawInput);
  if (typeof server !== 'string' || typeof tool !== 'string' || server === '' || tool === '') {
    return [];
  }
  const isNamed = callTitle === `mcp.${server}.${tool}`;
  const isApproval = recordOf(meta)['is_mcp_tool_approval'] === true;
  return isNamed ? [{ server, tool, certain: isApproval }] : [];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
