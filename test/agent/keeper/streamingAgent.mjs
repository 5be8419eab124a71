// An agent that streams numbered texts, tool calls, permission requests and commands of one long turn, and reports when it ends.
// Arguments: the number of texts, and ms between two of them.
import { createInterface } from 'node:readline';

const [count = '200', pause = '4'] = process.argv.slice(2);
let nextId = 1;
const waiting = new Map();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = nextId++;
    waiting.set(id, resolve);
    send({ id, method, params: { sessionId: 'streaming', ...params } });
  });
const update = (fields) => send({ method: 'session/update', params: { sessionId: 'streaming', update: fields } });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function turn(id) {
  for (let n = 1; n <= Number(count); n++) {
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `<${n}>` } });
    await sleep(Number(pause));
    if (n % 10 === 0) {
      const toolCallId = `call-${n}`;
      update({ sessionUpdate: 'tool_call', toolCallId, title: `Tool ${n}`, kind: 'read', status: 'in_progress' });
      if (n % 30 === 0) {
        const { result } = await ask('session/request_permission', {
          toolCall: { toolCallId, title: `Tool ${n}` },
          options: [
            { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
            { optionId: 'no', name: 'No', kind: 'reject_once' },
          ],
        });
        update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `[${n} ${JSON.stringify(result?.outcome)}]` } });
      }
      if (n % 50 === 0) {
        const created = await ask('terminal/create', { command: 'sh', args: ['-c', `echo start; sleep 0.2; echo end-${n}`] });
        const { terminalId } = created.result ?? {};
        if (terminalId !== undefined) {
          const exit = await ask('terminal/wait_for_exit', { terminalId });
          const output = await ask('terminal/output', { terminalId });
          await ask('terminal/release', { terminalId });
          const lost = exit.result?.signal === 'SIGHUP' || exit.error !== undefined;
          const text = `{${n} ${lost ? 'lost' : 'exit'} ${output.result?.output.includes(lost ? 'reloaded' : `end-${n}`)}}`;
          update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });
        } else {
          update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `{${n} none true}` } });
        }
      }
      update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    }
  }
  send({ id, result: { stopReason: 'end_turn' } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, result, error } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.({ result, error });
    waiting.delete(id);
  } else if (method === 'initialize') {
    send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  } else if (method === 'session/new') {
    send({ id, result: { sessionId: 'streaming' } });
  } else if (method === 'session/prompt') {
    void turn(id);
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: 'Unknown' } });
  }
});
process.stdin.on('end', () => process.exit(0));
