import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/** Returns the loaded modules of the SDK, of zod and of the tools, after a program has run. */
function loadedBy(program: string): readonly string[] {
  const whole = `
    require('./test/support/tsx.cjs');
    (async () => {
      ${program}
      const wanted = /[\\\\/](?:@modelcontextprotocol|zod)[\\\\/]|[\\\\/]mcp[\\\\/]editor[\\\\/](?:tools|server|toolCall)/;
      console.log(JSON.stringify(Object.keys(require.cache).filter((file) => wanted.test(file))));
      process.exit();
    })();`;
  return JSON.parse(execFileSync(process.execPath, ['-e', whole], { cwd: ROOT, encoding: 'utf8' })) as string[];
}

const SERVERS = `
  const { EditorServers } = require('./src/application/mcp/editorServers.ts');
  const servers = new EditorServers({
    version: '1', bridge: { command: 'node', file: 'bridge' }, socketFolder: require('os').tmpdir(),
    tools: async () => [], settings: () => ({}), observer: async () => ({ begin: () => undefined }), onError: console.error,
  });
  const capabilities = { stdio: true, http: true, sse: false, acp: false };
  const roots = { cwd: '/w', additionalDirectories: [] };
  const server = await servers.declare({ key: 'a', agentId: 'a', agentName: 'A', roots, capabilities });`;

describe('the code of the MCP server', function () {
  this.timeout(60_000);

  it('is not loaded by a session', () => {
    assert.deepEqual(loadedBy(`require('./src/session/session.ts'); require('./src/session/sessions.ts');`), []);
  });

  it('is not loaded by the setting, nor by the declaration of the server', () => {
    assert.deepEqual(loadedBy(`require('./src/application/mcp/editorToolsSetting.ts'); ${SERVERS}`), []);
  });

  it("is loaded by the agent's first message", () => {
    const message = `
      await fetch(server.url, {
        method: 'POST',
        headers: { ...server.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });`;
    assert.ok(loadedBy(`${SERVERS}${message}`).length > 2);
  });
});
