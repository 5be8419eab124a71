// An agent that edits files in one long turn: before, while and after no window is there. Arguments: the folder with the marks that it waits for and
// leaves.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [marks = '.'] = process.argv.slice(2);
const waiting = new Map();
let nextId = 1;
let cwd = '.';
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (fields) => send({ method: 'session/update', params: { sessionId: 'editing', update: fields } });
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = nextId++;
    waiting.set(id, resolve);
    send({ id, method, params: { sessionId: 'editing', ...params } });
  });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const leave = (name) => writeFileSync(join(marks, name), '');
const marked = async (name) => {
  while (!existsSync(join(marks, name))) {
    await sleep(10);
  }
};

/** Changes the second line of a file, which has three lines with its name. */
async function edit(name, write, rest = `${name} 3\n`) {
  const path = join(cwd, `${name}.txt`);
  const toolCallId = `edit-${name}`;
  const diff = { type: 'diff', path, oldText: `${name} 2\n`, newText: `${name} two\n` };
  update({ sessionUpdate: 'tool_call', toolCallId, title: toolCallId, kind: 'edit', status: 'in_progress', locations: [{ path }] });
  await write(path, `${name} 1\n${name} two\n${rest}`);
  update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content: [diff] });
}
const onDisk = (path, content) => writeFileSync(path, content);
const byHost = (path, content) => ask('fs/write_text_file', { path, content });

/** Creates a file with the change as libraries report it that leave out `oldText`. */
function create(name, newText = `${name}\n`) {
  const path = join(cwd, `${name}.txt`);
  onDisk(path, newText);
  report(name, 'edit', { locations: [{ path }], content: [{ type: 'diff', path, newText }] });
}
const report = (name, kind, fields) =>
  update({ sessionUpdate: 'tool_call', toolCallId: `${kind}-${name}`, title: name, kind, status: 'completed', ...fields });

/** Removes and moves files, with the calls of version 1. */
function removeAndMove(when) {
  const [removed, from, to] = [`removed-${when}`, `from-${when}`, `to-${when}`].map((name) => join(cwd, `${name}.txt`));
  rmSync(removed);
  report(when, 'delete', { locations: [{ path: removed }] });
  renameSync(from, to);
  report(when, 'move', { locations: [{ path: from }, { path: to }] });
}

async function turn(id) {
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I begin.' } });
  await marked('go-before');
  await edit('before', onDisk);
  await edit('host-before', byHost);
  await byHost(join(cwd, 'host-plain.txt'), 'host-plain 1\nhost-plain two\nhost-plain 3\n');
  await byHost(join(cwd, 'new-host.txt'), 'new-host\n');
  create('new-before');
  onDisk(join(cwd, 'new-silent.txt'), 'new-silent\n');
  create('new-both');
  removeAndMove('before');
  leave('before');
  await marked('go-gap');
  await edit('gap', onDisk);
  onDisk(join(cwd, 'silent.txt'), 'silent 1\nsilent two\nsilent 3\n');
  create('new-gap');
  removeAndMove('gap');
  leave('gap');
  await marked('go-after');
  await edit('after', onDisk);
  await edit('host-after', byHost);
  // The user has saved another line of this file.
  await edit('both', onDisk, 'mine\n');
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'I am done.' } });
  send({ id, result: { stopReason: 'end_turn' } });
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.({ result, error });
    waiting.delete(id);
  } else if (method === 'initialize') {
    send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  } else if (method === 'session/new') {
    cwd = params.cwd;
    send({ id, result: { sessionId: 'editing' } });
  } else if (method === 'session/prompt') {
    void turn(id);
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: 'Unknown' } });
  }
});
process.stdin.on('end', () => process.exit(0));
