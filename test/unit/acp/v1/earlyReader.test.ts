/** The reader of the early dialect is loaded with the first message of the dialect, without changing the order of messages. */
import assert from 'node:assert/strict';
import { readEarly } from '../../../../src/acp/v1/early/reader';
import type { Respond } from '../../../../src/acp/jsonrpc/incoming';
import type { Interpreter } from '../../../../src/acp/protocolVersion';
import { connected, updateOf } from '../support';

const message = (text: string) => updateOf({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
const lines = (...messages: object[]): string => messages.map((each) => JSON.stringify(each) + '\n').join('');
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe('the reader of the early dialect', () => {
  it('keeps the order of updates, answers and the end of the connection', async () => {
    const ends: string[] = [];
    const { transport, client, dialect } = connected({}, { onEnd: () => void client.calls.push({ name: 'onEnd', args: undefined }) });
    client.onTurnEnded = (sessionId, args) => void client.calls.push({ name: 'onTurnEnded', sessionId, args });
    dialect.prompt('S', [{ type: 'text', text: 'a' }], (outcome) => ends.push(outcome.ok ? 'ended' : outcome.failure.code));
    const id = (transport.last as { id: number }).id;
    transport.feed(
      lines(
        message('one'),
        updateOf({ type: 'tool_call', toolCallId: 't', toolName: 'read' }),
        message('two'),
        { jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } },
        message('three'),
      ),
    );
    transport.finish({ exitCode: 0 });
    dialect.cancel('S');
    await later();
    const told = client.calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
    const order = ['one', '"title":"read"', 'two', 'onTurnEnded', 'three', 'onEnd'].map((part) =>
      told.findIndex((line) => line.includes(part)),
    );
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      told.join('\n'),
    );
    assert.ok(!order.includes(-1), told.join('\n'));
    assert.deepEqual(ends, ['ended']);
  });

  it('sends a prompt again as text, once, and then as text at once', async () => {
    const { transport, dialect } = connected({});
    const ends: boolean[] = [];
    const prompts = () =>
      transport.sent
        .map((json) => JSON.parse(json) as { method?: string; params?: { prompt?: unknown } })
        .filter(({ method }) => method === 'session/prompt');
    const error = { code: -32602, message: 'Invalid params: prompt must be a string' };
    const answer = (result: object) => transport.feed({ jsonrpc: '2.0', id: (transport.last as { id: number }).id, ...result });
    dialect.prompt('S', [{ type: 'text', text: 'a' }], ({ ok }) => ends.push(ok));
    answer({ error });
    await later();
    answer({ result: { stopReason: 'end_turn' } });
    dialect.prompt('S', [{ type: 'text', text: 'b' }], ({ ok }) => ends.push(ok));
    answer({ error });
    assert.deepEqual(
      prompts().map(({ params }) => params!.prompt),
      [[{ type: 'text', text: 'a' }], 'a', 'b'],
    );
    assert.deepEqual(ends, [true, false]);
  });

  it('does not send a refused prompt again after Stop', async () => {
    const { transport, client, dialect } = connected({});
    dialect.prompt('S', [{ type: 'text', text: 'a' }], () => undefined);
    const { id } = transport.last as { id: number };
    dialect.cancel('S');
    transport.feed({ jsonrpc: '2.0', id, error: { code: -32602, message: 'prompt must be a string' } });
    await later();
    assert.equal((transport.last as { method: string }).method, 'session/cancel');
    assert.deepEqual(
      client.ends.map(({ stopReason }) => stopReason),
      ['cancelled'],
    );
  });

  it('does not let a late answer to a refused request answer another one with its id', () => {
    const asked: Respond[] = [];
    const answers: unknown[] = [];
    const standard = {
      onRequest: (_method: string, _params: unknown, respond: Respond) => void asked.push(respond),
      onNotification: () => undefined,
    } as unknown as Interpreter;
    const reader = readEarly(standard, { notify: (_, params) => void answers.push((params as { outcome?: unknown }).outcome) });
    const ask = (toolName: string): void =>
      reader.onNotification('session/update', {
        sessionId: 'S',
        update: { type: 'permission_request', requestId: 1, toolName, input: {} },
      });
    ask('read');
    ask('write');
    assert.deepEqual([asked.length, answers], [1, ['reject_once']]);
    ask('delete');
    asked[0]!.result({ outcome: { outcome: 'selected', optionId: 'allow_once' } });
    assert.deepEqual([asked.length, answers], [2, ['reject_once']]);
    asked[1]!.result({ outcome: { outcome: 'selected', optionId: 'reject_once' } });
    asked[1]!.result({ outcome: { outcome: 'selected', optionId: 'allow_once' } });
    assert.deepEqual(answers, ['reject_once', 'reject_once']);
  });
});
