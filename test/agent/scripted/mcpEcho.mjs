// An agent that repeats the MCP servers it was given: in a message, in a tool call, on stderr and in an error. With the argument `start` it also starts
// them, as agents do.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
const update = (fields) => send({ method: 'session/update', params: { sessionId: 'S', update: fields } });
let servers = [];

function start({ command, args, env = [] }) {
  if (command === undefined) return;
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  spawn(command, args, { env: { ...process.env, ...variables }, stdio: 'ignore' }).on('error', () => undefined);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  switch (method) {
    case 'initialize': {
      const agentCapabilities = { loadSession: true, mcpCapabilities: { http: true, sse: false } };
      send({ id, result: { protocolVersion: 1, agentCapabilities, authMethods: [] } });
      break;
    }
    case 'session/new':
    case 'session/load':
      servers = params.mcpServers;
      if (process.argv.includes('start')) servers.forEach(start);
      console.error(`starting ${JSON.stringify(servers)}`);
      send({ id, result: method === 'session/new' ? { sessionId: 'S' } : {} });
      break;
    case 'session/prompt': {
      const text = JSON.stringify(servers);
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
      update({ sessionUpdate: 'tool_call', toolCallId: 't', title: text, rawInput: { servers }, status: 'failed' });
      send({ id, error: { code: -32603, message: `no model: ${text}` } });
      break;
    }
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
