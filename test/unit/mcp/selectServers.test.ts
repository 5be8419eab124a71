import assert from 'node:assert/strict';
import type { McpCapabilities, McpServer } from '../../../src/core/mcp/mcpServer';
import { selectServers } from '../../../src/mcp/selectServers';

const files: McpServer = { type: 'stdio', name: 'Files', command: '/bin/files', args: [], env: {} };
const issues: McpServer = { type: 'http', name: 'Issues', url: 'https://issues.example/mcp', headers: {} };
const events: McpServer = { type: 'sse', name: 'Events', url: 'https://events.example/sse', headers: {} };
const editor: McpServer = { type: 'acp', name: 'Editor', serverId: 'editor-1' };
const all = [files, issues, events, editor];

const none: McpCapabilities = { stdio: false, http: false, sse: false, acp: false };
const names = (servers: readonly McpServer[]): string[] => servers.map(({ name }) => name);

describe('the MCP servers for an agent', () => {
  const cases: readonly (readonly [what: string, capabilities: Partial<McpCapabilities>, passed: string[]])[] = [
    ['nothing but stdio, as every agent of version 1 does', { stdio: true }, ['Files']],
    ['HTTP and SSE', { stdio: true, http: true, sse: true }, ['Files', 'Issues', 'Events']],
    ['servers of the client, without stdio, as an agent of version 2 may do', { http: true, acp: true }, ['Issues', 'Editor']],
    ['no servers', {}, []],
  ];
  for (const [what, capabilities, passed] of cases) {
    it(`fit one that takes ${what}`, () => {
      const selected = selectServers(all, { ...none, ...capabilities });
      assert.deepEqual(names(selected.passed), passed);
      assert.deepEqual(
        selected.leftOut,
        all.filter(({ name }) => !passed.includes(name)).map((server) => ({ server, reason: 'unsupported' })),
      );
    });
  }

  it('contain each name once', () => {
    const second: McpServer = { ...files, command: '/bin/other' };
    const remote: McpServer = { ...issues, name: 'Events' };
    assert.deepEqual(selectServers([files, second, remote, events], { ...none, stdio: true, sse: true }), {
      passed: [files, events],
      leftOut: [
        { server: second, reason: 'duplicate_name' },
        { server: remote, reason: 'unsupported' },
      ],
    });
  });
});
