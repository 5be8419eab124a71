import assert from 'node:assert/strict';
import { decodeAuthMethods } from '../../../../src/acp/v1/handshake';

const login = { id: 'login', name: 'Log in', description: 'Run `opencode auth login` in the terminal' };
const decoded = (raw: object): object => {
  const [{ type, command, args, env }] = decodeAuthMethods([{ ...login, ...raw }]) as never as [Record<string, unknown>];
  return { type, ...(command !== undefined && { command }), ...(args !== undefined && { args }), ...(env !== undefined && { env }) };
};
const meta = (offered: unknown): object => ({ _meta: { 'terminal-auth': offered } });

describe('quirk: a terminal’s command in _meta', () => {
  it('makes a method of type terminal, as OpenCode 1.18 and Copilot CLI 1.0 send it', () => {
    assert.deepEqual(decoded(meta({ command: 'opencode', args: ['auth', 'login'], label: 'OpenCode Login' })), {
      type: 'terminal',
      command: 'opencode',
      args: ['auth', 'login'],
    });
    assert.deepEqual(decoded(meta({ command: '/opt/copilot', args: ['login'], env: { A: 'b' } })), {
      type: 'terminal',
      command: '/opt/copilot',
      args: ['login'],
      env: { A: 'b' },
    });
    assert.deepEqual(decoded(meta({ args: ['login'] })), { type: 'terminal', args: ['login'] });
    assert.deepEqual(decodeAuthMethods([{ ...login, ...meta({ command: 'x' }) }])[0]!.name, 'Log in');
  });

  it('changes nothing for agents that send a type too, as Claude and Pi do', () => {
    const beside = meta({ command: '/usr/bin/node', args: ['/opt/agent.js', '--cli', 'auth', 'login'] });
    assert.deepEqual(decoded({ ...beside, type: 'terminal', args: ['--cli', 'auth', 'login'] }), {
      type: 'terminal',
      args: ['--cli', 'auth', 'login'],
    });
    assert.deepEqual(decoded({ ...beside, type: 'agent' }), { type: 'agent' });
    assert.deepEqual(decoded({ ...beside, type: 'env_var' }), { type: 'agent' });
  });

  it('changes nothing for agents whose methods have other members in _meta, or no _meta', () => {
    for (const raw of [
      {},
      { _meta: null },
      { _meta: { 'api-key': { provider: 'google' } } },
      { _meta: { type: 'terminal', args: ['--auth-type=openai'] } },
      { _meta: { 'agent-auth': {} } },
    ]) {
      assert.deepEqual(decoded(raw), { type: 'agent' }, JSON.stringify(raw));
    }
  });

  it('is read only from _meta, not from the method itself', () => {
    assert.deepEqual(decoded({ type: 'terminal', command: 'evil', args: ['login'] }), { type: 'terminal', args: ['login'] });
    assert.deepEqual(decoded({ command: 'evil' }), { type: 'agent' });
  });

  it('is ignored when it is not a well-formed command', () => {
    for (const offered of [
      null,
      'opencode auth login',
      [],
      { command: 7, args: [] },
      { command: ' ', args: [] },
      { command: 'x', args: 'login' },
      { command: 'x', args: [1] },
      { command: 'x', args: ['a\0b'] },
      { command: 'x', args: [], env: { A: 1 } },
      { command: 'x', args: [], env: ['A=b'] },
      { command: 'x', args: ['y'.repeat(3000)] },
    ]) {
      assert.deepEqual(decoded(meta(offered)), { type: 'agent' }, JSON.stringify(offered).slice(0, 80));
    }
  });
});
