/** Every message of the protocol's own version 1 documentation, through the whole edge: nothing unknown, nothing lost. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decodeBlock, decodeToolContent, encodeBlock } from '../../../src/acp/v1Content';
import { decodeConfigOptions } from '../../../src/acp/v1Config';
import { decodeAuthMethods } from '../../../src/acp/v1Handshake';
import { connected, settle } from './support';

interface Example {
  readonly src: string;
  readonly line: number;
  readonly json: Record<string, unknown> & { readonly method?: string; readonly params?: Record<string, unknown>; readonly result?: unknown };
}

const examples = readFileSync(path.join(__dirname, '../../fixtures/frames/protocol-v1-examples.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Example);

/** All texts and numbers in `value`, but not those under `without`. */
function leavesOf(value: unknown, without: readonly string[]): unknown[] {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' || typeof value === 'number' ? [value] : [];
  }
  return Object.entries(value).flatMap(([key, inner]) => (without.includes(key) ? [] : leavesOf(inner, without)));
}

function assertNothingLost(source: unknown, decoded: unknown, without: readonly string[], what: string): void {
  const kept = new Set(leavesOf(decoded, []));
  for (const leaf of leavesOf(source, without)) {
    assert.ok(kept.has(leaf), `${what}: ${JSON.stringify(leaf)} is not in ${JSON.stringify(decoded)}`);
  }
}

/** Methods of the client's that this client does not offer yet, and vendor's own. */
const NOT_OFFERED = new Set(['elicitation/create', '_zed.dev/workspace/buffers']);
const OURS = new Set(['session/prompt', 'session/new', 'session/cancel', 'session/set_mode', 'session/set_config_option', 'session/close']);

describe("the protocol's own examples", () => {
  const untested: string[] = [];
  for (const { src, line, json } of examples) {
    const { method } = json;
    const name = `${path.basename(src, '.mdx')}:${line} ${method ?? (json.result !== undefined ? 'result' : (json.type as string) ?? '')}`;

    if (method === 'session/update') {
      it(name, () => {
        const { transport, client } = connected();
        transport.feed(json);
        assert.ok(client.happenings.length > 0);
        assert.ok(client.happenings.every(({ type, extra }) => type !== 'unknown' && extra === undefined), JSON.stringify(client.happenings));
        assertNothingLost(json.params, client.calls, ['sessionUpdate'], name);
      });
    } else if (method?.startsWith('fs/') || method?.startsWith('terminal/') || method === 'session/request_permission') {
      it(name, async () => {
        const { transport, client } = connected();
        client.file = () => Promise.resolve('text');
        transport.feed(json);
        assertNothingLost(json.params, client.calls, [], name);
        await settle();
        assert.equal(transport.last.id, json.id);
        assert.ok('result' in transport.last, JSON.stringify(transport.last)); // Its form was checked against the schema when it was sent.
      });
    } else if (method !== undefined && NOT_OFFERED.has(method)) {
      it(name, () => {
        const { transport } = connected();
        transport.feed(json);
        assert.equal((transport.last.error as { code: number }).code, -32601);
      });
    } else if (method === '_zed.dev/file_opened') {
      it(name, () => {
        const { transport, client } = connected();
        transport.feed(json);
        assert.deepEqual(client.calls[0], { name: 'onUnknown', args: { method, params: json.params } });
      });
    } else if (method !== undefined && OURS.has(method)) {
      it(name, () => {
        const { transport, dialect } = connected({ agentCapabilities: { sessionCapabilities: { close: {} } } });
        const params = json.params as { sessionId: string; prompt: unknown[]; modeId: string; configId: string; value: string | boolean; cwd: string };
        const ignore = (): void => undefined;
        switch (method) {
          case 'session/prompt':
            dialect.prompt(params.sessionId, params.prompt.map(decodeBlock), ignore);
            break;
          case 'session/new':
            dialect.newSession({ cwd: params.cwd, additionalDirectories: [] }, ignore);
            break;
          case 'session/cancel':
            dialect.cancel(params.sessionId);
            break;
          case 'session/set_mode':
            dialect.setConfig(params.sessionId, '$mode', params.modeId, ignore);
            break;
          case 'session/set_config_option':
            dialect.setConfig(params.sessionId, params.configId, params.value, ignore);
            break;
          default:
            dialect.closeSession!(params.sessionId, ignore);
        }
        assert.equal(transport.last.method, method);
        // We pass no servers and no _meta yet; everything else is as in the example.
        const { _meta, mcpServers, ...expected } = json.params as Record<string, unknown>;
        const { mcpServers: none, ...sent } = transport.last.params as Record<string, unknown>;
        assert.deepEqual(sent, expected, JSON.stringify([_meta, mcpServers, none]));
      });
    } else if (isInitializeResult(json.result)) {
      it(name, () => {
        const { dialect } = connected(json.result as object);
        const { authMethods, agentInfo } = json.result as Record<string, unknown>;
        assertNothingLost([authMethods, agentInfo], dialect, [], name);
      });
    } else if (isSession(json.result)) {
      it(name, () => {
        const { transport, dialect } = connected();
        let outcome: unknown;
        dialect.newSession({ cwd: '/', additionalDirectories: [] }, (result) => (outcome = result));
        transport.feed({ ...json, id: 2 });
        assertNothingLost(json.result, outcome, [], name);
      });
    } else if (src.includes('authentication') && json.name !== undefined) {
      it(name, () => assertNothingLost(json, decodeAuthMethods([json]), [], name));
    } else if (typeof json.type === 'string' && ['text', 'image', 'audio', 'resource', 'resource_link'].includes(json.type)) {
      it(name, () => {
        assert.deepEqual(encodeBlock(decodeBlock(json)), json);
      });
    } else if (typeof json.type === 'string' && ['content', 'diff', 'terminal'].includes(json.type)) {
      it(name, () => {
        const decoded = decodeToolContent(json);
        assert.equal(decoded.type, json.type);
        assertNothingLost(json, decoded, [], name);
      });
    } else if (json.type === 'boolean') {
      it(name, () => assertNothingLost(json, decodeConfigOptions([json], []), [], name));
    } else {
      untested.push(name);
    }
  }

  it('that no test above covers are our own words, or answers of those', () => {
    // Requests that this client does not make yet or that are tested elsewhere, answers without a body of interest, server configurations.
    const kinds = /(?: (?:initialize|authenticate|logout|session\/(?:load|resume|list|delete))| result| http| sse| )$/;
    assert.deepEqual(untested.filter((name) => !kinds.test(name)), []);
    assert.ok(untested.length < examples.length / 2.5, `${untested.length} of ${examples.length}`);
  });
});

function isInitializeResult(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'protocolVersion' in result;
}

function isSession(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'sessionId' in result;
}
