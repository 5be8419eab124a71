import assert from 'node:assert/strict';
import { initializeExtrasOf } from '../../../../src/acp/v1/initializeExtras';

describe('v1: fields of initialize beyond the model', () => {
  it('are empty when every field is understood, null included', () => {
    const answer = {
      protocolVersion: 1,
      agentInfo: { name: 'a', title: null, version: '1' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true },
        sessionCapabilities: { list: {}, close: null },
        auth: { logout: {} },
      },
      authMethods: [
        { id: 'a', name: 'A', description: null, future: { kept: 'with the method' } },
        { id: 't', name: 'T', type: 'terminal', args: ['-l'], env: { A: '1' } },
        { id: 'v', name: 'V', type: 'env_var', vars: [{ name: 'KEY', label: 'Key', secret: false }], link: 'https://example.com' },
      ],
      _meta: null,
    };
    assert.deepEqual(initializeExtrasOf(answer), {});
    assert.deepEqual(initializeExtrasOf({}), {});
  });

  it('are _meta, unknown fields, and each member that is not fully understood', () => {
    const odd: Record<string, unknown>[] = [
      { agentInfo: { name: 'a', homepage: 'https://example.com' } },
      { agentInfo: 'a' },
      { agentInfo: { title: 7 } },
      { agentCapabilities: { mcpCapabilities: { http: true } } },
      { agentCapabilities: { _meta: { fork: true } } },
      { agentCapabilities: { loadSession: {} } },
      { agentCapabilities: { sessionCapabilities: { list: { pages: true } } } },
      { agentCapabilities: { constructor: true } },
      { authMethods: {} },
      { authMethods: [{ name: 'no id' }] },
      { authMethods: [{ id: 'a', description: 7 }] },
      { authMethods: [{ id: 'a', args: ['for no terminal'] }] },
      { authMethods: [{ id: 't', type: 'terminal', env: { A: 1 } }] },
      { authMethods: [{ id: 'v', type: 'env_var', vars: [{ name: 'A=B' }, { name: 'C' }] }] },
      { authMethods: [{ id: 'v', vars: [{ name: 'C' }] }] },
      { models: ['small'] },
    ];
    for (const extra of odd) {
      assert.deepEqual(initializeExtrasOf({ protocolVersion: 1, ...extra, _meta: { m: 1 } }), { meta: { m: 1 }, extra });
    }
  });
});
