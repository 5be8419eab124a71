/**
 * Every message of the protocol's own documents. Messages of version 1 are understood without loss. Messages of drafts and of version 2, which the
 * client does not speak, break nothing, and what is not understood in them is kept.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { V1_CAPABILITIES } from '../../../../src/acp/v1/v1';
import { decodeBlock, encodeBlock } from '../../../../src/acp/v1/content';
import { assertValid, definitionOf } from '../../../support/schema';
import { hasUnknown, lostIn } from '../../compliance/edge';
import type { Message } from '../reading';
import { meant, readingOf } from '../reading';
import { connected } from '../support';

interface Example {
  readonly src: string;
  readonly line: number;
  readonly json: Message;
}

function examplesOf(file: string): Example[] {
  return readFileSync(path.join(__dirname, '../../../fixtures/frames', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Example);
}

function nameOf({ src, line, json }: Example): string {
  const what = json.method ?? ['result', 'error', 'type'].find((key) => key in json) ?? Object.keys(json).join(' ');
  return `${path.basename(src, '.mdx')}:${line} ${String(what)}`;
}

/** The method that a response on the same page belongs to. */
function answered({ src, json }: Example, before: readonly Example[]): string | undefined {
  const request = before.findLast(
    (other) => other.src === src && other.json.id === json.id && other.json.id !== undefined && 'method' in other.json,
  );
  return 'method' in json ? undefined : (request?.json.method as string | undefined);
}

describe("the protocol's own examples", () => {
  const examples = examplesOf('protocol-v1-examples.jsonl');

  examples.forEach((example, index) => {
    const name = nameOf(example);
    const { json } = example;
    it(name, async () => {
      const method = answered(example, examples.slice(0, index));
      const { kind, told, error } = await readingOf(json, method);
      if (kind === 'ours') {
        assertOurs(json, method);
        return;
      }
      // Zed's own extension, which no other client has.
      assert.equal(error, json.method === '_zed.dev/workspace/buffers' ? -32601 : undefined, name);
      if (json.method !== undefined && (json.method as string).startsWith('_')) {
        return;
      }
      assert.equal(hasUnknown(told), false, `${name}: ${JSON.stringify(told)}`);
      assert.deepEqual(lostIn(meant(json, method), told), [], `${name}: ${JSON.stringify(told)}`);
      if (kind === 'content block') {
        assert.deepEqual(encodeBlock(decodeBlock(json)), json);
      }
    });
  });

  it('are complete', () => {
    assert.equal(examples.length, 94);
  });
});

/** Asserts that a client's message in an example equals the one that this client sends, or is valid when this client sends no such message. */
function assertOurs(json: Message, answers: string | undefined): void {
  const { method, params, clientCapabilities, result } = json as {
    method?: string;
    params?: Message;
    clientCapabilities?: Message;
    result?: Message;
  };
  if (clientCapabilities !== undefined) {
    assert.deepEqual(without(clientCapabilities, V1_CAPABILITIES), {});
  } else if (method === 'initialize' || method === undefined) {
    const definition = method
      ? 'InitializeRequest'
      : answers?.startsWith('_')
        ? undefined
        : answers
          ? definitionOf('client', answers, 'result')
          : 'McpServer';
    // An answer may be null where the schema has an object without required fields.
    if (definition !== undefined) {
      assertValid(definition, params ?? ('result' in json ? (result ?? {}) : json), method ?? answers ?? 'a server');
    }
  } else {
    const { transport, dialect } = connected({ agentCapabilities: OFFERS });
    const sent = params as unknown as Sent;
    ask(dialect, method, sent);
    assert.equal(transport.last.method, method);
    // This client passes no servers, no _meta and no further directories here. Everything else is as in the example.
    const { _meta, mcpServers, additionalDirectories, ...expected } = params ?? {};
    const { mcpServers: none, ...actual } = transport.last.params as Message;
    assert.deepEqual(actual, expected, JSON.stringify([_meta, mcpServers, additionalDirectories, none]));
  }
}

const OFFERS = { loadSession: true, sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} }, auth: { logout: {} } };

interface Sent {
  readonly sessionId: string;
  readonly prompt: unknown[];
  readonly modeId: string;
  readonly configId: string;
  readonly value: string | boolean;
  readonly cwd: string;
  readonly cursor: string;
  readonly methodId: string;
}

function ask(
  dialect: ReturnType<typeof connected>['dialect'],
  method: string,
  { sessionId, prompt, modeId, configId, value, cwd, cursor, methodId }: Sent,
): void {
  const ignore = (): void => undefined;
  const setup = { cwd, additionalDirectories: [], mcpServers: [] };
  const asks: Readonly<Record<string, () => unknown>> = {
    authenticate: () => dialect.authenticate(methodId, ignore),
    logout: () => dialect.logout!(ignore),
    'session/new': () => dialect.newSession(setup, ignore),
    'session/load': () => dialect.loadSession!(sessionId, setup, ignore),
    'session/resume': () => dialect.resumeSession!(sessionId, setup, ignore),
    'session/list': () => dialect.listSessions!({ ...(cwd && { cwd }), ...(cursor && { cursor }) }, ignore),
    'session/delete': () => dialect.deleteSession!(sessionId, ignore),
    'session/close': () => dialect.closeSession!(sessionId, ignore),
    'session/prompt': () => dialect.prompt(sessionId, prompt.map(decodeBlock), ignore),
    'session/cancel': () => dialect.cancel(sessionId),
    'session/set_mode': () => dialect.setConfig(sessionId, '$mode', modeId, ignore),
    'session/set_config_option': () => dialect.setConfig(sessionId, configId, value, ignore),
  };
  assert.ok(asks[method], `${method} is none of ours`);
  asks[method]();
}

/** The members of `all` that are not in `part`. */
function without(all: Message, part: Message): Message {
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => {
      if (!(key in part)) {
        return [[key, value]];
      }
      const rest = typeof value === 'object' && value !== null ? without(value as Message, part[key] as Message) : {};
      return Object.keys(rest).length > 0 ? [[key, rest]] : [];
    }),
  );
}

for (const [what, file, count] of [
  ['drafts', 'protocol-rfds-examples.jsonl', 145],
  ['version 2', 'protocol-v2-examples.jsonl', 107],
] as const) {
  describe(`the examples of ${what}`, () => {
    const examples = examplesOf(file);

    examples.forEach((example, index) => {
      const name = nameOf(example);
      it(`break nothing: ${name}`, async () => {
        const { json } = example;
        const { kind, told, error } = await readingOf(json, answered(example, examples.slice(0, index)));
        if (error === undefined && (kind === 'session/update' || kind.startsWith('_'))) {
          assert.ok((told as unknown[]).length > 0, name);
          assert.deepEqual(lostIn(meant(json), told), [], `${name}: ${JSON.stringify(told)}`);
        }
        // Refused messages are answered with the protocol's error codes.
        if (error !== undefined) {
          assert.ok([-32601, -32602].includes(error), `${name}: ${error}`);
        }
      });
    });

    it('are complete', () => assert.equal(examples.length, count));
  });
}
