/** How turns and connections begin, end and fail. The events of each scenario are in test/golden/scenarios/connection/. */
import { scenarios } from './suite';

const EDIT = { toolCallId: 'edit-1', title: 'Edit calc.js' };

scenarios('connection', (scenario) => {
  scenario(
    'update-before-session',
    { setup: { beforeNew: [{ say: 'early' }, { commands: [{ name: 'go', description: 'Goes' }] }] } },
    async (stage) => {
      await stage.turn({ say: 'later' });
    },
  );

  scenario('update-after-turn', {}, async (stage) => {
    await stage.turn({ say: 'in time' }, { afterResponse: [{ say: 'late' }, { usage: { used: 5, size: 10 } }] });
    await stage.seen('usage');
  });

  scenario('prompt-error', {}, async (stage) => {
    await stage.turn({ say: 'so far' }, { error: { code: -32050, message: 'out of credit', data: { plan: 'free' } } });
    await stage.turn({ say: 'and on' });
  });

  scenario('refusal', {}, async (stage) => {
    await stage.turn({ stopReason: 'refusal' });
  });

  scenario('agent-dies', {}, async (stage) => {
    await stage.turn({ say: 'last words' }, { tool: EDIT }, { stderr: 'panic: on purpose\n' }, { exit: 3 });
  });

  scenario('noise', {}, async (stage) => {
    await stage.turn(
      { noise: 'npm warn something\n' },
      { say: 'heard' },
      { noise: 'no line end yet ' },
      { noise: '\n{"broken": \n' },
      { say: ' anyway' },
    );
  });

  scenario('cancel-while-streaming', {}, async (stage) => {
    await stage.ready();
    stage.script({ tool: EDIT }, { onCancel: [{ say: 'stopping' }] }, { say: 'going on' }, { waitCancel: true }, { say: 'never said' });
    await stage.seen('message_chunk');
    stage.cancel();
    await stage.turnEnd();
    await stage.turn({ say: 'next turn' });
  });

  scenario('malformed-updates', {}, async (stage) => {
    await stage.turn(
      { say: 'one' },
      { update: { sessionUpdate: 'tool_call', title: 7 } },
      { update: { sessionUpdate: 'plan', entries: 'none' } },
      { update: { sessionUpdate: 'usage_update', used: 'much', size: -1 } },
      { raw: { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'session-1', update: null } } },
      { raw: { jsonrpc: '2.0', method: 'session/update', params: 'what' } },
      { raw: { jsonrpc: '2.0', id: 'nobody-asked', result: {} } },
      { say: ' two' },
    );
  });

  scenario('unknown-request', {}, async (stage) => {
    await stage.turn(
      { request: { method: '_vendor/dance', params: {} } },
      { request: { method: 'fs/read_text_file', params: { sessionId: 'session-1' } } },
    );
  });

  scenario('unknown-session', {}, async (stage) => {
    await stage.turn(
      {
        raw: {
          jsonrpc: '2.0',
          method: 'session/update',
          params: { sessionId: 'other', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'not yours' } } },
        },
      },
      { request: { method: 'fs/read_text_file', params: { sessionId: 'other', path: '${cwd}/calc.js' } } },
    );
  });

  scenario('agent-not-found', { launch: { command: 'no-such-agent-anywhere', args: [] } }, async (stage) => {
    await stage.seen('session_failed');
  });

  scenario('wrong-version', { setup: { initialize: { protocolVersion: 99 } } }, async (stage) => {
    await stage.seen('session_failed');
  });
});
