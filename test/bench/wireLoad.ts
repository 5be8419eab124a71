/** The number of updates in the `wire` benchmark, in the proportions of a working session. */

import { Translation } from '../agent/scripted/translation';

export const UPDATES = 100_000;

/** The response to a client's `initialize`, which comes before the updates. */
export const INITIALIZED = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}\n';
export const INITIALIZED_V2 =
  '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2,"info":{"name":"bench","version":"0"},"capabilities":{"session":{}}}}\n';

const WORDS =
  'the agent reads a file and then says what it found in it, one piece of a sentence at a time, with `code` and **emphasis** '.split(' ');

/**
 * Returns one line per message; the same text on every call. In version 2, the conversation is the same one. Its messages have ids and its diffs are
 * patches.
 */
export function wireLoad(version: 1 | 2 = 1): string {
  const lines: string[] = [];
  const sessionId = 'sess_0123456789abcdef';
  const translation = new Translation('');
  const send = (sent: object): void => {
    const update = version === 1 ? sent : translation.update(sent as Record<string, unknown>);
    lines.push(JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update } }));
  };
  let message = 0;
  for (let index = 0; index < UPDATES; index++) {
    const step = index % 20;
    const toolCallId = `call_${Math.floor(index / 20)}`;
    const word = (offset: number): string => WORDS[(index + offset) % WORDS.length]!;
    if (step === 0) {
      message++;
      send({
        sessionUpdate: 'tool_call',
        toolCallId,
        title: `Read file ${word(0)}.ts`,
        kind: 'read',
        status: 'pending',
        locations: [{ path: `/home/user/project/${word(1)}.ts`, line: index }],
        rawInput: { path: `/home/user/project/${word(1)}.ts` },
      });
    } else if (step === 1) {
      send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' });
    } else if (step === 2) {
      const newText = Array.from({ length: 14 }, (_, line) => `export const ${word(line)}${line} = ${index};`).join('\n');
      send({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'completed',
        content: [
          { type: 'diff', path: `/home/user/project/${word(1)}.ts`, oldText: newText.replaceAll('const', 'let'), newText },
          { type: 'content', content: { type: 'text', text: 'Applied.' } },
        ],
        rawOutput: { ok: true },
      });
    } else if (step === 3) {
      send({ sessionUpdate: 'usage_update', used: index, size: 200_000, cost: { amount: index / 1e5, currency: 'USD' } });
    } else if (step === 4 && index % 100 === 4) {
      send({
        sessionUpdate: 'plan',
        entries: ['one', 'two', 'three'].map((content) => ({ content: `${content} ${word(2)}`, priority: 'high', status: 'pending' })),
      });
    } else {
      const kind = step < 8 ? 'agent_thought_chunk' : 'agent_message_chunk';
      send({
        sessionUpdate: kind,
        content: { type: 'text', text: `${word(0)} ${word(1)} ${word(2)} ` },
        ...(message % 2 === 0 && { messageId: `msg_${message}_${kind}` }),
      });
    }
  }
  return lines.join('\n') + '\n';
}
