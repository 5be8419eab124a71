// An MCP server over stdio with one tool: node plumServer.mjs <tool> <answer>. The answer names the length of $PLUM_KEY.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [tool, answer] = process.argv.slice(2);
// Codex has another model review calls of other tools.
const annotations = { readOnlyHint: true, openWorldHint: false };

serveStdio(() => {
  const server = new McpServer({ name: tool, version: '1.0.0' });
  server.registerTool(
    tool,
    { description: `Counts the plums of ${tool}.`, inputSchema: z.object({ basket: z.string() }), annotations },
    async ({ basket }) => ({
      content: [{ type: 'text', text: `${basket}: ${answer}, with a key of ${process.env.PLUM_KEY?.length ?? 0} characters` }],
    }),
  );
  return server;
});
