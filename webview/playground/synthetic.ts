/** A long synthetic session, for testing length and speed. */
import type { SessionEvent, EventInput } from '../../src/core/model/event';
import { ANSWER, LOG, NEW_CODE, OLD_CODE } from './galleryTexts';

/** ms between the events */
const STEP = 30;

/** Returns `turns` turns of ten entries each: a question, a thought, reads, an edit, a command, an answer in chunks. */
export function syntheticEvents(turns: number): SessionEvent[] {
  const events: EventInput[] = [
    { type: 'session_opened', agentName: 'Demo Agent', cwd: '/home/ada/sample' },
    { type: 'session_ready', sessionId: 's1' },
    { type: 'session_info', title: `${turns} turns` },
  ];
  for (let turn = 0; turn < turns; turn++) {
    events.push(...oneTurn(turn));
  }
  return events.map((event, index) => ({ ...event, at: index * STEP }) as SessionEvent);
}

function oneTurn(turn: number): EventInput[] {
  const turnId = `t${turn}`;
  const path = `/home/ada/sample/src/greet${turn}.ts`;
  const tool = (name: string, kind: string): EventInput => ({
    type: 'tool_call_update',
    toolCallId: `${name}${turn}`,
    patch: { title: `${name} src/greet${turn}.ts`, kind, status: 'completed', locations: [{ path }] },
  });
  return [
    { type: 'turn_started', turnId },
    { type: 'message', role: 'user', messageId: `u${turn}`, content: [{ type: 'text', text: `Question ${turn + 1}: how does it greet?` }] },
    { type: 'message_chunk', role: 'thought', messageId: `h${turn}`, content: { type: 'text', text: 'There is **one** caller.' } },
    ...['Read', 'Find', 'Look at', 'List'].map((name) => tool(name, 'read')),
    {
      type: 'tool_call_update',
      toolCallId: `edit${turn}`,
      patch: {
        title: `Edit src/greet${turn}.ts`,
        kind: 'edit',
        status: 'completed',
        content: [{ type: 'diff', changes: [{ operation: 'modify', path, oldText: OLD_CODE, newText: NEW_CODE }] }],
      },
    },
    { type: 'terminal_update', terminalId: `term${turn}`, command: 'npm test', output: LOG, exitStatus: { exitCode: 0 } },
    {
      type: 'tool_call_update',
      toolCallId: `run${turn}`,
      patch: { title: 'npm test', kind: 'execute', status: 'completed', content: [{ type: 'terminal', terminalId: `term${turn}` }] },
    },
    ...(ANSWER.match(/[\s\S]{1,40}/g) ?? []).map(
      (text): EventInput => ({ type: 'message_chunk', role: 'agent', messageId: `a${turn}`, content: { type: 'text', text } }),
    ),
    { type: 'turn_ended', turnId, stopReason: 'end_turn' },
  ];
}
