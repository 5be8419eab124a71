// An agent that sends many bytes: node fillingAgent.mjs <file> <megabytes>. A prompt is answered with a numbered text, then, when the file exists, with
// further ones. Between two texts is a notification of an unknown method with a megabyte, which is in no conversation.
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, megabytes] = process.argv.slice(2);
/** Resolves when the system has taken the line: a full pipe must not fill this process. */
const send = (message) => new Promise((resolve) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, resolve));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const pad = 'x'.repeat(1024 * 1024);

async function turn(id, sessionId) {
  const say = (n) =>
    send({
      method: 'session/update',
      params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `<${n}>` } } },
    });
  await say(0);
  while (!existsSync(file)) await pause(50);
  for (let n = 1; n <= Number(megabytes); n++) {
    await send({ method: '_filling/pad', params: { n, pad } });
    await say(n);
    process.stderr.write(`${n}\n`);
  }
  await send({ id, result: { stopReason: 'end_turn' } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') void send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === 'session/new') void send({ id, result: { sessionId: 'filling' } });
  else if (method === 'session/prompt') void turn(id, params.sessionId);
  else if (method !== undefined && id !== undefined) void send({ id, error: { code: -32601, message: 'Unknown' } });
});
process.stdin.on('end', () => process.exit(0));
