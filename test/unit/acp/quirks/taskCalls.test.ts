import assert from 'node:assert/strict';
import type { Client } from '../../../../src/acp/dialect';
import { V1 } from '../../../../src/acp/v1/v1';
import type { EventInput } from '../../../../src/core/model/event';

const TASK = { description: 'Find the callers', prompt: 'List all callers of greet()', subagent_type: 'Explore' };
const CLAUDE = { _meta: { claudeCode: { toolName: 'Task' } } };
const QWEN = { _meta: { toolName: 'agent', provenance: 'builtin' } };

/** Decodes updates of one session. */
function decoder(agentInfo?: object): (update: object) => EventInput[] {
  let events: EventInput[] = [];
  const client = {
    onUpdate: (_: string, more: EventInput[]) => void events.push(...more),
    resolveSession: (sessionId: string) => ({ sessionId }),
    registerSubagent: () => true,
  } as unknown as Client;
  const interpreter = V1.interpreter(client, { timeoutMs: 1 });
  interpreter.dialect({ protocolVersion: 1, ...(agentInfo && { agentInfo }) }, {} as never);
  return (update) => {
    events = [];
    interpreter.onNotification('session/update', { sessionId: 's', update: { sessionUpdate: 'tool_call_update', ...update } });
    return events;
  };
}

/** The events as short lines. */
function lines(events: readonly EventInput[]): string[] {
  return events.map((event) => {
    if (event.type === 'subagent_update') {
      const { title, description, toolCallId } = event.patch;
      return `${event.parentId ?? ''}>${event.subagentId}: ${title} / ${description ?? ''} behind ${toolCallId}`;
    }
    return event.type === 'subagent_event' ? `${event.subagentId}: ${event.event.type}` : event.type;
  });
}

const STARTED = '>c: Find the callers / List all callers of greet() behind c';

describe('quirk: a tool call that only names a task', () => {
  for (const [agent, mark] of [
    ['claude-agent-acp before 0.71', CLAUDE],
    ['Qwen Code', QWEN],
    ['OpenCode', { title: 'task' }],
  ] as const) {
    it(`is a subagent of ${agent}, once its input is complete`, () => {
      const decode = decoder();
      const call = { toolCallId: 'c', ...mark };
      assert.deepEqual(lines(decode({ sessionUpdate: 'tool_call', ...call, status: 'pending', rawInput: {} })), ['tool_call_update']);
      assert.deepEqual(lines(decode({ ...call, status: 'in_progress', rawInput: TASK })), ['tool_call_update', STARTED]);
      assert.deepEqual(lines(decode({ ...call, status: 'in_progress', rawInput: TASK })), ['tool_call_update']);
      assert.deepEqual(lines(decode({ toolCallId: 'c', status: 'completed', rawInput: TASK })), ['tool_call_update']);
    });
  }

  it('is announced before its end, in a replay that has the input only there', () => {
    const decode = decoder();
    decode({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'task', status: 'pending', rawInput: {} });
    const end = { toolCallId: 'c', title: 'Find the callers', status: 'completed', rawInput: TASK };
    assert.deepEqual(lines(decode(end)), [STARTED, 'tool_call_update']);
  });

  it('is nested where it is marked with another one', () => {
    const decode = decoder();
    decode({ sessionUpdate: 'tool_call', toolCallId: 'c', ...QWEN, status: 'pending', rawInput: TASK });
    const inner = { toolCallId: 'd', _meta: { toolName: 'agent', parentToolCallId: 'c', subagentType: 'Explore' }, rawInput: TASK };
    assert.deepEqual(lines(decode({ sessionUpdate: 'tool_call', ...inner, status: 'pending' })), [
      'c: tool_call_update',
      'c>d: Find the callers / List all callers of greet() behind c/d',
    ]);
    const read = { toolCallId: 'e', title: 'Read', _meta: { toolName: 'read_file', parentToolCallId: 'd', subagentType: 'Explore' } };
    assert.deepEqual(lines(decode({ sessionUpdate: 'tool_call', ...read })), ['d: tool_call_update']);
  });

  it('stays a tool call where that is not certain', () => {
    const isTask = (update: object, agentInfo?: object) =>
      decoder(agentInfo)({ sessionUpdate: 'tool_call', toolCallId: 'c', status: 'pending', rawInput: TASK, ...update }).length > 1;
    assert.equal(isTask(CLAUDE), true);
    for (const update of [
      {},
      { title: 'Task' },
      { ...CLAUDE, status: 'completed' },
      { ...CLAUDE, rawInput: { ...TASK, prompt: '' } },
      { ...CLAUDE, rawInput: { ...TASK, subagent_type: undefined } },
      { ...CLAUDE, rawInput: { ...TASK, run_in_background: true } },
      { _meta: { claudeCode: { toolName: 'Bash' } } },
      { _meta: { toolName: 'Task' } },
    ]) {
      assert.equal(isTask(update), false, JSON.stringify(update));
    }
  });

  it('stays a tool call of an agent that announces its subagents', () => {
    const isTask = (version: string) =>
      decoder({ name: '@agentclientprotocol/claude-agent-acp', version })({
        sessionUpdate: 'tool_call',
        toolCallId: 'c',
        status: 'pending',
        rawInput: TASK,
        ...CLAUDE,
      }).length > 1;
    assert.deepEqual(['0.25.3', '0.70.0', '0.71.0', '0.100.0', '1.0.0'].map(isTask), [true, true, false, false, false]);
    const decode = decoder();
    decode({ sessionUpdate: 'subagent_update', sessionId: 'x', title: 'Explore' });
    assert.deepEqual(lines(decode({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'task', rawInput: TASK })), ['tool_call_update']);
  });
});

describe('quirk: the answer of a call that started a subagent in the background', () => {
  const NOTE = 'Async agent launched successfully. (This tool result is internal metadata)\nagentId: a615c234e4f00db96';
  const received = (messageId: string, text: string): EventInput[] =>
    decoder()({
      ...{ sessionUpdate: 'session_message', messageId, senderSessionId: 'a', recipientSessionId: 's' },
      content: [{ type: 'text', text }],
    });

  it('loses its text', () => {
    const [event] = received('toolu_1:reply', NOTE);
    assert.deepEqual(event, { type: 'session_message', messageId: 'toolu_1:reply', senderId: 'a', recipientId: 's', content: [] });
  });

  it('leaves the answers of other subagents, and their tasks', () => {
    for (const [messageId, text] of [
      ['toolu_1:reply', 'The callers are in a.ts.'],
      ['toolu_1', NOTE],
    ] as const) {
      const [event] = received(messageId, text);
      assert.deepEqual(event?.type === 'session_message' && event.content, [{ type: 'text', text }]);
    }
  });
});
