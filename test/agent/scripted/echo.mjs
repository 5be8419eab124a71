/**
 * An agent that leaks: it repeats every variable of its environment that begins with ECHO_, in every field that an agent can fill, and then
 * exits. It answers `session/prompt` after `commands`, `die` or with an error.
 */
import process from 'node:process';
import { createInterface } from 'node:readline';

const values = Object.entries(process.env)
  .filter(([name]) => name.startsWith('ECHO_'))
  .map(([, value]) => value);
const said = values.join(' | ');
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (update) => send({ method: 'session/update', params: { sessionId: 'S', update } });
const text = (words) => ({ type: 'text', text: words });
/** Our pending requests, by id. */
const waiting = new Map();
let ids = 1000;
const ask = (method, params) =>
  new Promise((resolve) => (waiting.set(++ids, resolve), send({ id: ids, method, params: { sessionId: 'S', ...params } })));

process.stderr.write(`starting with ${said}\n${values.map((value) => `VALUE=${value}`).join('\n')}\n`);
process.stdout.write(`noise ${said}\n`);

async function prompt(id, words) {
  update({ sessionUpdate: 'agent_message_chunk', content: text(`I know ${said}`) });
  for (const value of values) {
    for (const character of value) update({ sessionUpdate: 'agent_message_chunk', content: text(character) });
    update({ sessionUpdate: 'agent_thought_chunk', content: text(value.slice(0, 5)) });
    update({ sessionUpdate: 'agent_thought_chunk', content: text(value.slice(5)) });
  }
  update({
    sessionUpdate: 'tool_call',
    toolCallId: `call ${said}`,
    title: said,
    kind: 'execute',
    status: 'completed',
    rawInput: { env: process.env, [said]: 1 },
    rawOutput: said,
    content: [{ type: 'content', content: text(JSON.stringify({ said })) }],
    locations: [{ path: `/x/${said}` }],
  });
  update({ sessionUpdate: 'plan', entries: [{ content: said, priority: 'high', status: 'pending' }] });
  update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'x', description: said }] });
  update({ sessionUpdate: 'session_info_update', title: said });
  update({ sessionUpdate: 'never_heard_of', said, _meta: { said } });
  send({
    method: 'session/update',
    params: { sessionId: 'stranger', update: { sessionUpdate: 'agent_message_chunk', content: text(said) } },
  });
  send({ method: 'never/heard', params: { said } });
  process.stdout.write(`{"jsonrpc":"2.0","broken":${JSON.stringify(said)}\n`);
  const { result } = await ask('terminal/create', { command: process.execPath, args: ['-e', `console.log(process.argv[1])`, said] });
  if (result?.terminalId) {
    await ask('terminal/wait_for_exit', { terminalId: result.terminalId });
    await ask('terminal/release', { terminalId: result.terminalId });
  }
  await ask('fs/read_text_file', { path: `/outside/${said}` });
  await ask('session/request_permission', {
    toolCall: { toolCallId: 'p', title: said, rawInput: { command: said } },
    options: [{ optionId: 'a', name: said, kind: 'allow_once' }],
  });
  if (words === 'die') {
    process.stderr.write(`dying of ${said}\n`);
    process.exit(3);
  }
  send({ id, error: { code: -32603, message: `cannot: ${said}`, data: { details: said } } });
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === undefined) {
      waiting.get(id)?.({ result, error });
    } else if (method === 'initialize') {
      send({ id, result: { protocolVersion: 1, agentInfo: { name: said, version: '1' }, agentCapabilities: {} } });
    } else if (method === 'session/new') {
      send({ id, result: { sessionId: 'S', modes: { currentModeId: 'm', availableModes: [{ id: 'm', name: said }] } } });
    } else if (method === 'session/prompt') {
      void prompt(id, params.prompt[0].text);
    }
  })
  .on('close', () => process.exit(0));
