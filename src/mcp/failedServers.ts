/** The names of MCP servers in the lines by which agents report on stderr that a server has failed. */

const QUOTED = '[\'"`]([^\'"`]{1,200})[\'"`]';
const SHAPES: readonly RegExp[] = [
  // qwen-code: all names in one line.
  /MCP server\(s\) failed to start: ([^.]{1,2000})/i,
  // gemini-cli.
  new RegExp(`Error during discovery for (?:MCP )?server ${QUOTED}`, 'i'),
  /MCP ERROR \(([^)]{1,200})\)/,
  // codex, and others that quote the name.
  new RegExp(`MCP (?:server|client)(?: for)? ${QUOTED}.{0,40}\\b(?:failed|crashed|exited|disconnected|closed|timed out)`, 'i'),
  new RegExp(`Failed to (?:start|connect to|initiali[sz]e) (?:the )?MCP server:? ${QUOTED}`, 'i'),
];

/** UTF-16 units of a line that are read. */
const MAX_LINE = 4000;

/** Returns the servers that a line reports. Only these names count, so that other text names no server. */
export function failedServersIn(line: string, names: ReadonlySet<string>): readonly string[] {
  const read = line.slice(0, MAX_LINE);
  const found = SHAPES.flatMap((shape) => shape.exec(read)?.[1] ?? []).flatMap((list) => [list, ...list.split(', ')]);
  return [...new Set(found.map((name) => name.trim()))].filter((name) => names.has(name));
}
