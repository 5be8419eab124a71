// Agents whose messages are recorded, and readers of the sessions' journals.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../harness/lib/paths.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { scripted } from '../e2e/agents.mjs';

/**
 * An `acpHost.agents` entry for the scripted agent, and a reader of its messages, oldest first.
 * @returns {{entry: object, file: string, wire: () => {at: number, to: 'agent' | 'client', message: any}[]}}
 */
export function recorded(setup, tag) {
  const file = join(tempDir('recorded'), `${tag}.jsonl`);
  const { command, args, env } = scripted(setup, tag);
  const entry = { command, args: [join(root, 'test', 'soak', 'recorder.mjs'), file, command, ...args], env };
  return { entry, file, wire: () => parsed(file) };
}

/** The complete lines of a JSON-lines file; none for a missing file. A truncated last line is left out. */
export function parsed(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** The folder with the journals of all sessions, on the server with this folder. */
export function storeOf(dir) {
  return join(dir, 'data', 'User', 'globalStorage', 'acp-host.acp-host', 'store');
}

/** The journals in a store: absolute path → whole lines, the header first. */
export function journals(store) {
  const folders = join(store, 'folders');
  const names = readdirSync(folders, { recursive: true }).filter((name) => name.endsWith('.jsonl'));
  return new Map(names.map((name) => [join(folders, name), parsed(join(folders, name))]));
}

/** The messages in a journal: `user: …` or `agent: …`, with the chunks joined. */
export function saidIn(lines) {
  const said = [];
  const byId = new Map();
  for (const { event } of lines) {
    if (event?.type !== 'message' && event?.type !== 'message_chunk') continue;
    if (event.role === 'thought') continue;
    const text = [event.content].flat().map((block) => block?.text ?? '');
    const id = `${event.role} ${event.messageId}`;
    if (!byId.has(id)) said.push(byId.set(id, { role: event.role, text: '' }).get(id));
    byId.get(id).text = (event.type === 'message' ? '' : byId.get(id).text) + text.join('');
  }
  return said.map(({ role, text }) => `${role}: ${text}`);
}
