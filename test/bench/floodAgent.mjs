// An agent that writes much text as fast as its stdout accepts it, without the SDK: one JSON text per line, prepared in advance.
//
//   floodAgent.mjs <tools|markdown|replay> <file> [--plain]
//
// `file` gets the time of the first byte, in ms since the epoch. With --plain it writes the same updates at once, without a client.
import { createInterface } from 'node:readline';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

const [what, file, plain] = process.argv.slice(2);
// Each run has a session of its own: a known one would open in the folder of an earlier run.
const sessionId = `flood-${basename(dirname(file))}`;
const END = 'END OF THE FLOOD';

const line = (update) => JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }) + '\n';
const say = (text, messageId) => line({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });

const loads = {
  /** 1,000 tool calls with diffs, from pending to completed. */
  tools() {
    const lines = [];
    for (let call = 0; call < 1000; call++) {
      const toolCallId = `call-${call}`;
      const path = `/w/src/part${call}.ts`;
      const text = Array.from({ length: 20 }, (_, at) => `export const value${at} = ${call * at};`).join('\n');
      lines.push(
        line({
          sessionUpdate: 'tool_call',
          toolCallId,
          title: `Edit part${call}.ts`,
          kind: 'edit',
          status: 'pending',
          locations: [{ path }],
        }),
      );
      lines.push(line({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' }));
      lines.push(
        line({
          sessionUpdate: 'tool_call_update',
          toolCallId,
          status: 'completed',
          content: [{ type: 'diff', path, oldText: text.replaceAll('const', 'let'), newText: text }],
        }),
      );
    }
    return [...lines, say(END, 'end')];
  },
  /** 73 KB of Markdown in 20-byte chunks. */
  markdown() {
    const text = readFileSync(process.env.FLOOD_TEXT, 'utf8');
    const lines = [];
    for (let at = 0; at < text.length; at += 20) lines.push(say(text.slice(at, at + 20), 'answer'));
    return [...lines, say(`\n\n${END}`, 'answer')];
  },
  /** An earlier conversation of 5,000 entries. */
  replay() {
    const lines = [];
    for (let entry = 0; entry < 5000; entry++) {
      const step = entry % 5;
      if (step === 0)
        lines.push(
          line({
            sessionUpdate: 'user_message_chunk',
            messageId: `u${entry}`,
            content: { type: 'text', text: `Question ${entry}: what does part ${entry} do?` },
          }),
        );
      else if (step < 4)
        lines.push(
          line({
            sessionUpdate: 'tool_call',
            toolCallId: `c${entry}`,
            title: `Read part${entry}.ts`,
            kind: 'read',
            status: 'completed',
            content: [{ type: 'content', content: { type: 'text', text: `part ${entry}\n`.repeat(10) } }],
          }),
        );
      else lines.push(say(`Part ${entry} is **read**, with \`code\`, and a [link](src/part${entry}.ts).\n\n- one\n- two\n`, `a${entry}`));
    }
    return [...lines, say(END, 'end')];
  },
};

const load = loads[what]().join('');
const begin = () => writeFileSync(file, String(Date.now()));
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\n');

if (plain) {
  begin();
  process.stdout.write(load);
} else {
  createInterface({ input: process.stdin }).on('line', (text) => {
    const { id, method } = JSON.parse(text);
    const sessionCapabilities = what === 'replay' ? { list: {} } : {};
    if (method === 'initialize')
      answer(id, { protocolVersion: 1, agentCapabilities: { loadSession: what === 'replay', sessionCapabilities } });
    else if (method === 'session/new') answer(id, { sessionId });
    else if (method === 'session/list') answer(id, { sessions: [{ sessionId, cwd: process.cwd(), title: 'The flood' }] });
    else if (method === 'session/prompt' || method === 'session/load') {
      begin();
      process.stdout.write(load);
      answer(id, method === 'session/prompt' ? { stopReason: 'end_turn' } : {});
    } else if (id !== undefined) answer(id, {});
  });
}
