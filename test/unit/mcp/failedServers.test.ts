import assert from 'node:assert/strict';
import { failedServersIn } from '../../../src/mcp/failedServers';

const NAMES = new Set(['bad', 'my server', 'a, b', 'constructor']);

describe('the servers that a line of stderr reports as failed', () => {
  for (const [line, expected] of [
    ['Warning: MCP server(s) failed to start: bad, other, my server. Continuing with built-in tools', ['bad', 'my server']],
    ["Error during discovery for MCP server 'bad': spawn /nonexistent/mcp ENOENT", ['bad']],
    ['MCP ERROR (my server): Connection closed', ['my server']],
    ['[codex-acp forwarded startup error] MCP server `bad` failed to start: No such file or directory', ['bad']],
    ['MCP client for `bad` timed out', ['bad']],
    ['Failed to connect to MCP server "a, b"', ['a, b']],
    ["Error during discovery for MCP server 'unknown': failed", []],
    ['MCP server `bad` is ready', []],
    ['bad failed', []],
    [`MCP server(s) failed to start: ${'x'.repeat(1_000_000)}`, []],
  ] as const) {
    it(`of ${line.slice(0, 60)}`, () => assert.deepEqual(failedServersIn(line, NAMES), expected));
  }
});
