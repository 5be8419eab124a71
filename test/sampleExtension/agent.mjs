// The smallest agent: it asks for permission, and then repeats the prompt.
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import process from 'node:process';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionId, update) => send({ method: 'session/update', params: { sessionId, update } });
let sessions = 0;
let ids = 0;
/** Prompts that wait for the user's permission, by the id of our request. */
const waiting = new Map();

function prompt(id, { sessionId, prompt }) {
  // A command is the user's first block; other blocks may follow it.
  const [{ text: said = '' }] = prompt;
  const text = prompt.map((block) => block.text ?? '').join('');
  if (said.startsWith('write ')) {
    void write(id, JSON.parse(said.slice('write '.length)));
    return;
  }
  if (said.startsWith('look ')) {
    void look(id, sessionId, said.split(' ').slice(1));
    return;
  }
  update(sessionId, { sessionUpdate: 'tool_call', toolCallId: 'repeat', title: 'Repeat', kind: 'think', status: 'pending' });
  if (!text.includes('permission')) {
    repeat(id, sessionId, text);
    return;
  }
  waiting.set(`ask-${++ids}`, () => repeat(id, sessionId, text));
  const options = [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ];
  const toolCall = { toolCallId: 'repeat', title: 'Repeat' };
  send({ id: `ask-${ids}`, method: 'session/request_permission', params: { sessionId, toolCall, options } });
}

/** Thinks, and then writes these files without reporting them, as a shell command does. */
async function write(id, files) {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  for (const [path, content] of Object.entries(files)) {
    writeFileSync(path, content);
  }
  send({ id, result: { stopReason: 'end_turn' } });
}

/**
 * Reports that it reads each of these locations, one after another: the next one 1.5 s later, or as soon as a file `<path>.seen` says that
 * the user saw it.
 */
async function look(id, sessionId, places) {
  for (const [index, place] of places.entries()) {
    const [, path, line] = place.match(/^(.*):(\d+)$/);
    const locations = [{ path, line: Number(line) }];
    update(sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: `look-${id}-${index}`,
      title: 'Look',
      kind: 'read',
      status: 'completed',
      locations,
    });
    for (const end = Date.now() + 1500; Date.now() < end && !existsSync(`${path}.seen`); ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  send({ id, result: { stopReason: 'end_turn' } });
}

function repeat(id, sessionId, text) {
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `You said: ${text}` } });
  update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId: 'repeat', status: 'completed' });
  send({ id, result: { stopReason: 'end_turn' } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.();
    waiting.delete(id);
  } else if (method === 'initialize') {
    send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  } else if (method === 'session/new') {
    send({ id, result: { sessionId: `sample-${++sessions}` } });
  } else if (method === 'session/prompt') {
    prompt(id, params);
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: `No ${method} here` } });
  }
});
