/** A store full of typical sessions: streamed answers, tool calls with their outputs, commands. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionEvent, EventInput } from '../../src/core/model/event';
import { folderNameOf } from '../../src/session/storage/folderName';
import { nameOf, tagOf } from '../../src/session/storage/indexEntry';

export const FOLDER = '/home/user/project';

const WORDS =
  'the and with for this that function return const import export file path session error result value number string object array promise await async build check commit branch merge review service client server request response handle update create remove'.split(
    ' ',
  );
const RARE = 'zebracorn';

/**
 * @param bytes the size of each journal @returns a word that one of twenty sessions contains; in half of them two chunks of a message split
 * it
 */
export async function fillStore(root: string, sessions: number, bytes: number): Promise<{ readonly rare: string }> {
  // Small journals have small turns.
  const steps = bytes < 100_000 ? 1 : 10;
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below;
  const text = (count: number): string => Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(' ') + ' ';
  const directory = path.join(root, 'folders', folderNameOf(FOLDER));
  mkdirSync(directory, { recursive: true });
  mkdirSync(path.join(root, 'index'), { recursive: true });
  const now = 1_790_000_000_000;
  for (let index = 0; index < sessions; index++) {
    const key = `m${index.toString(36).padStart(5, '0')}-0badcafe`;
    const at = now - index * 60_000;
    const file = path.join(directory, `${key}.jsonl`);
    let seq = 0;
    const line = (event: EventInput | SessionEvent): string => JSON.stringify({ seq: seq++, event: { ...event, at: at + seq } }) + '\n';
    const piece = (messageId: string, words: string): string =>
      line({ type: 'message_chunk', role: 'agent', messageId, content: { type: 'text', text: words } });
    writeFileSync(file, JSON.stringify({ acpHostJournal: 1, key, agentName: 'Agent', cwd: FOLDER, createdAt: at }) + '\n');
    let written = 0;
    for (let turn = 0; written < bytes; turn++) {
      let lines = line({ type: 'message', role: 'user', messageId: `u${turn}`, content: [{ type: 'text', text: text(20) }] });
      for (let step = 0; step < steps; step++) {
        for (let count = 0; count < 3 * steps; count++) {
          lines += piece(`a${turn}-${step}`, text(4));
        }
        const toolCallId = `t${turn}-${step}`;
        const content = [{ type: 'content' as const, content: { type: 'text' as const, text: text(80 * steps) } }];
        lines += line({ type: 'tool_call_update', toolCallId, patch: { title: `Read ${WORDS[step]}`, status: 'completed', content } });
        lines += line({ type: 'terminal_output', terminalId: toolCallId, text: text(20 * steps) });
      }
      if (turn === 0 && index % 20 === 0) {
        lines += index % 40 === 0 ? piece('found', RARE.slice(0, 5)) + piece('found', `${RARE.slice(5)} `) : piece('found', `${RARE} `);
      }
      lines += line({ type: 'turn_ended', turnId: `u${turn}`, stopReason: 'end_turn' });
      appendFileSync(file, lines);
      written += lines.length;
    }
    const summary = { key, agentName: 'Agent', cwd: FOLDER, createdAt: at, title: text(6), prompt: '', sessionId: key, changedAt: at };
    writeFileSync(path.join(directory, `${key}.summary.json`), JSON.stringify(summary));
    const entry = { key, folder: folderNameOf(FOLDER), at, archived: false, pinned: false, revision: 0, tag: tagOf('Agent', key) };
    writeFileSync(path.join(root, 'index', nameOf(entry)), '');
    await Promise.resolve();
  }
  return { rare: RARE };
}
