// An agent that uses the editor's tools: over HTTP, or over the bridge with the argument `stdio`. A prompt is `tool {"argument": 1}`.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createInterface } from 'node:readline';

const isStdio = process.argv.includes('stdio');
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const update = (fields) => send({ method: 'session/update', params: { sessionId: 'S', update: fields } });
let servers = [];
let client;
let calls = 0;

function transport() {
  const server = servers.find(({ name }) => name === 'vscode');
  if (server.type === 'http') {
    const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
    return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
  }
  const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  return new StdioClientTransport({ command: server.command, args: server.args, env: { ...process.env, ...env } });
}

async function prompt(text) {
  const [, name, input = '{}'] = /^(\S+)(?: (.*))?$/s.exec(text);
  if (!client) {
    client = new Client({ name: 'agent', version: '1' });
    await client.connect(transport());
  }
  if (name === 'list') {
    return (await client.listTools()).tools.map((tool) => tool.name).join(' ');
  }
  const toolCallId = `call-${++calls}`;
  const rawInput = JSON.parse(input);
  update({ sessionUpdate: 'tool_call', toolCallId, title: `mcp__vscode__${name}`, status: 'in_progress', rawInput });
  const { content, isError } = await client.callTool({ name, arguments: rawInput });
  update({ sessionUpdate: 'tool_call_update', toolCallId, status: isError ? 'failed' : 'completed' });
  return content[0].text;
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  switch (method) {
    case 'initialize':
      send({ id, result: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: !isStdio } }, authMethods: [] } });
      break;
    case 'session/new':
      servers = params.mcpServers;
      send({ id, result: { sessionId: 'S' } });
      break;
    case 'session/prompt':
      void prompt(params.prompt[0].text)
        .catch((error) => `Error: ${error.message}`)
        .then((text) => {
          update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${servers[0]?.type ?? 'stdio'}: ${text}` } });
          send({ id, result: { stopReason: 'end_turn' } });
        });
      break;
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
