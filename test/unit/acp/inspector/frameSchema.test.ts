import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { checkFrame } from '../../../../src/acp/inspector/frameSchema';
import { readSchema } from '../../../support/inspectedAgents';

const schema = readSchema(1);

/** The problems as `path kind expected`. */
function problems(message: object, isSent = false, method?: string): readonly string[] {
  return checkFrame({ jsonrpc: '2.0', ...message }, schema, { isSent, method }).problems.map(({ path: at, kind, expected = '' }) =>
    `${at} ${kind} ${expected}`.trim(),
  );
}

const update = (value: object): object => ({ method: 'session/update', params: { sessionId: 's', update: value } });

describe('a message compared with the schema', () => {
  it('fits when all is right', () => {
    assert.deepEqual(problems(update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' } })), []);
    assert.deepEqual(problems({ id: 1, method: 'session/new', params: { cwd: '/a', mcpServers: [] } }, true), []);
    assert.deepEqual(problems({ id: 1, result: { sessionId: 's' } }, false, 'session/new'), []);
    assert.deepEqual(problems({ id: 1, error: { code: -1, message: 'no' } }, false, 'session/new'), []);
  });

  it('names missing members, wrong types and values, and members that are unknown', () => {
    assert.deepEqual(problems({ id: 1, method: 'session/new', params: { mcpServers: 'none', colour: 1 } }, true), [
      'params.cwd missing',
      'params.mcpServers type array',
      'params.colour unknown',
    ]);
    const [status] = problems(update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', status: 'sleeping' }));
    assert.match(status ?? '', /^params\.update\.status value pending, in_progress, completed, failed/);
    const [kind] = problems(update({ sessionUpdate: 'hologram' }));
    assert.match(kind ?? '', /^params\.update\.sessionUpdate variant user_message_chunk, agent_message_chunk/);
    assert.deepEqual(problems(update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text' } })), [
      'params.update.content.text missing',
    ]);
  });

  it('leaves `_meta` alone', () => {
    assert.deepEqual(problems({ method: 'session/cancel', params: { sessionId: 's', _meta: { any: { thing: 1 } } } }, true), []);
  });

  it('reads the messages between proxies', () => {
    const inner = { method: 'session/new', params: { mcpServers: [] } };
    assert.deepEqual(problems({ id: 1, method: 'proxy/successor', params: inner }), ['params.params.cwd missing']);
    assert.deepEqual(problems({ id: 1, method: '_proxy/successor/send/request', params: { message: inner } }), [
      'params.message.params.cwd missing',
    ]);
    assert.deepEqual(problems({ id: 1, method: 'proxy/initialize', params: {} }, true), ['params.protocolVersion missing']);
  });

  it('is not compared when its method is unknown', () => {
    assert.equal(checkFrame({ jsonrpc: '2.0', method: '_vendor/ping', params: { a: 1 } }, schema, { isSent: false }).method, undefined);
    assert.deepEqual(problems({ id: 1, result: null }, false, 'session/cancel'), []);
    assert.deepEqual(problems({ jsonrpc: '1.0', method: '_x' }), ['jsonrpc value "2.0"']);
    assert.equal(checkFrame([1], schema, { isSent: false }).problems[0]?.kind, 'type');
  });

  it('ends in time for values made to be slow', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 500; depth++) {
      deep = { content: [deep], type: 'content' };
    }
    const many = Array.from({ length: 50_000 }, (_, index) => ({ type: 'resource', resource: { uri: index } }));
    const started = performance.now();
    checkFrame({ jsonrpc: '2.0', ...update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'T', content: [deep] }) }, schema, {
      isSent: false,
    });
    checkFrame({ jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { sessionId: 's', prompt: many } }, schema, { isSent: true });
    assert.ok(performance.now() - started < 5000);
  });

  it('agrees with a full validator about recorded messages', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...schema, $id: 'acp' }, 'acp');
    const folder = path.resolve('test/fixtures/frames');
    let compared = 0;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.ndjson'))) {
      for (const line of readFileSync(path.join(folder, file), 'utf8').split('\n')) {
        const message = messageIn(line);
        if (message?.method !== 'session/update') {
          continue;
        }
        const found = checkFrame(message, schema, { isSent: false }).problems.filter(
          ({ kind, path: at }) => kind !== 'unknown' && at !== 'jsonrpc',
        );
        const isValid = ajv.validate({ $ref: 'acp#/$defs/SessionNotification' }, message.params);
        assert.equal(found.length === 0, isValid, `${line.slice(0, 500)}\n${JSON.stringify(found)}`);
        compared++;
      }
    }
    assert.ok(compared > 100, `${compared}`);
  });
});

function messageIn(line: string): { readonly method?: string; readonly params?: unknown } | undefined {
  try {
    const value = JSON.parse(line) as { message?: object; msg?: object };
    return value.message ?? value.msg ?? value;
  } catch {
    return undefined;
  }
}
