// An agent that uses the editor's tools in one long turn: before, while and after no window is there. Arguments: `http` or `stdio`, and the folder with
// the marks that it waits for and leaves. It never opens its server again, as an agent does that reads the address once.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [way, marks = '.'] = process.argv.slice(2);
const client = new Client({ name: 'agent', version: '1' });
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const say = (text) =>
  send({
    method: 'session/update',
    params: { sessionId: 'tools', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${text}\n` } } },
  });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const leave = (name, text = '') => writeFileSync(join(marks, name), text);
const marked = async (name) => {
  while (!existsSync(join(marks, name))) {
    await sleep(10);
  }
};
const fieldsOf = (pairs) => Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
let server;

function transport() {
  if (way === 'http') {
    return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: fieldsOf(server.headers) } });
  }
  return new StdioClientTransport({ command: server.command, args: server.args, env: { ...process.env, ...fieldsOf(server.env) } });
}

async function call() {
  try {
    const { content } = await client.callTool({ name: 'window', arguments: {} }, { timeout: 5000 });
    return content[0].text;
  } catch (error) {
    return `failed: ${error.message} ${error.cause?.code ?? ''}`;
  }
}

async function turn(id) {
  await client.connect(transport());
  const before = await call();
  say(`before: ${before}`);
  leave('before', before);
  await marked('go-gap');
  leave('gap', way === 'http' ? await call() : '');
  await marked('go-after');
  const after = await call();
  say(`after: ${after}`);
  leave('after', after);
  send({ id, result: { stopReason: 'end_turn' } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  switch (method) {
    case 'initialize':
      send({ id, result: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: way === 'http' } }, authMethods: [] } });
      break;
    case 'session/new':
      server = params.mcpServers.find(({ name }) => name === 'vscode');
      send({ id, result: { sessionId: 'tools' } });
      break;
    case 'session/prompt':
      turn(id).catch((error) => leave('failed', String(error?.stack)));
      break;
    default:
      void (id !== undefined && send({ id, error: { code: -32601, message: 'Method not found' } }));
  }
});
