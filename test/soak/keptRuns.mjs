// Agents that a keeper holds: their processes, their long turns, and what the journal of a session has of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { root } from '../harness/lib/paths.mjs';
import { script } from '../e2e/agents.mjs';
import { journals, saidIn } from './recorded.mjs';

/** The steps of a turn that streams numbered texts, and has tool calls, permission requests and commands with numbers. */
export function numberedTurn(id, times, pause = 100) {
  const says = (from) => [0, 1, 2, 3, 4].flatMap((at) => [{ say: `<${id}.\${n}.${from + at}>` }, { sleep: pause }]);
  const call = { toolCallId: `${id}-call-\${n}`, title: `Run ${id} \${n}`, kind: 'execute', rawInput: { command: `make ${id}-\${n}` } };
  const read = { toolCallId: `${id}-read-\${n}`, title: `Read ${id} \${n}`, kind: 'read' };
  return script(
    {
      repeat: {
        times,
        steps: [
          ...says(1),
          { tool: { ...read, status: 'in_progress' } },
          { sleep: pause },
          { toolUpdate: { toolCallId: read.toolCallId, status: 'completed' } },
          ...says(6),
          { tool: { ...call, status: 'pending' } },
          { permission: { toolCall: call } },
          { terminal: { command: 'sh', args: ['-c', `echo start; sleep 0.8; echo end-${id}-\${n}`], toolCallId: call.toolCallId } },
          { toolUpdate: { toolCallId: call.toolCallId, status: 'completed' } },
          { think: `{${id}.\${n}}` },
        ],
      },
    },
    { say: `<${id}.end>` },
  );
}

/** The text without the scripts in the user's messages. */
export const answersIn = (text) => text.replace(/@script.*/g, '');

/** Returns a reader of journals with the product's own code: the path of a journal → the entries of the conversation. */
export async function conversationReader() {
  const outfile = join(root, 'out', 'test', `conversation-reader-${process.pid}.mjs`);
  await build({
    stdin: {
      contents: `
        export { parseJournal } from './src/session/journal/journalReader';
        export { reduce } from './src/core/reduce/reduce';
        export { EMPTY_STATE, isAbsent } from './src/core/model/state';`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outfile,
    logLevel: 'error',
  });
  // The service of esbuild would be left until the end of the run.
  await stop();
  const { parseJournal, reduce, EMPTY_STATE, isAbsent } = await import(outfile);
  return (file) => {
    const state = parseJournal(readFileSync(file, 'utf8')).events.reduce(reduce, EMPTY_STATE);
    return [...state.entries.inMemory()].filter((entry) => !isAbsent(entry));
  };
}

/** The path of the journal of the session that begins with this message. */
export function journalFileOf(store, title) {
  return [...journals(store)].find(([, lines]) => saidIn(lines).some((each) => each.includes(title)))?.[0];
}

const textIn = (entries, role) =>
  entries
    .flatMap((entry) => (entry.kind === 'message' && entry.role === role ? entry.content : []))
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');

/** Asserts that the conversation has each frame that the agent has sent once, and that the agent got each answer once. Returns the counts. */
export function isWhole(entries, wire) {
  const updates = wire.flatMap(({ to, message }) => (to === 'client' && message.params?.update ? [message.params.update] : []));
  const sent = (kind) => updates.filter(({ sessionUpdate }) => sessionUpdate === kind);
  const textOf = (kind) =>
    sent(kind)
      .map(({ content }) => content.text)
      .join('');
  assert.equal(textIn(entries, 'agent'), textOf('agent_message_chunk'), 'the texts of the agent');
  assert.equal(textIn(entries, 'thought'), textOf('agent_thought_chunk'), 'the thoughts of the agent');
  const calls = entries.filter(({ kind }) => kind === 'tool_call');
  const status = new Map();
  for (const update of updates.filter(({ toolCallId }) => toolCallId !== undefined)) {
    status.set(update.toolCallId, update.status ?? status.get(update.toolCallId));
  }
  assert.deepEqual(
    calls.map(({ toolCallId, status }) => `${toolCallId} ${status}`),
    [...status].map(([id, last]) => `${id} ${last}`),
    'the tool calls',
  );
  const asked = wire.filter(({ to, message }) => to === 'client' && message.method !== undefined && message.id !== undefined);
  const answers = wire.filter(({ to, message }) => to === 'agent' && message.method === undefined).map(({ message }) => message);
  assert.deepEqual(
    answers.map(({ id }) => id).sort((a, b) => a - b),
    asked.map(({ message }) => message.id).sort((a, b) => a - b),
    'each request of the agent has one answer',
  );
  const permissions = asked.filter(({ message }) => message.method === 'session/request_permission').map(({ message }) => message);
  const outcomeOf = ({ id }) => answers.find((answer) => answer.id === id).result?.outcome?.outcome;
  assert.deepEqual(
    entries.flatMap((entry) =>
      entry.kind === 'permission' && entry.subject.toolCallId !== undefined ? [`${entry.subject.toolCallId} ${entry.outcome?.type}`] : [],
    ),
    permissions.map((message) => `${message.params.toolCall.toolCallId} ${outcomeOf(message)}`),
    'the permission requests',
  );
  const prompts = wire.filter(({ to, message }) => to === 'agent' && message.method === 'session/prompt');
  assert.equal(
    entries.filter(({ kind, role }) => kind === 'message' && role === 'user').length,
    prompts.length,
    'the messages of the user',
  );
  return { texts: sent('agent_message_chunk').length, calls: calls.length, permissions: permissions.length, requests: asked.length };
}

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
export function numbers(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
