import assert from 'node:assert/strict';
import { V1Updates } from '../../../../src/acp/v1/updates';

const failed = {
  sessionUpdate: 'tool_call',
  toolCallId: 'mcp_startup.my.server.cec2424b-a724-4273-907e-eb382c0c097d',
  kind: 'other',
  title: 'mcp__my.server__startup',
  status: 'failed',
  content: [
    { type: 'content', content: { type: 'text', text: '[codex-acp forwarded startup error] MCP server `my.server` failed to start' } },
  ],
};
const decode = (update: object) => new V1Updates().decode('S', { sessionId: 'S', update });

describe('an MCP server that Codex could not start', () => {
  it('is a notice that names it, in place of a tool call', () => {
    assert.deepEqual(decode(failed), [
      {
        type: 'notice',
        noticeId: 'server-my.server',
        severity: 'warning',
        title: '',
        failure: { code: 'mcp.failed', params: { servers: 'my.server' }, detail: 'MCP server `my.server` failed to start' },
      },
    ]);
  });

  it('may have no text, and other calls stay calls', () => {
    assert.equal(decode({ ...failed, content: 7 })[0]?.type, 'notice');
    for (const other of [{ status: 'completed' }, { toolCallId: 'mcp_startup.x' }, { toolCallId: 'call_1' }]) {
      assert.equal(decode({ ...failed, ...other })[0]?.type, 'tool_call_update');
    }
  });
});
