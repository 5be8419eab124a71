import assert from 'node:assert/strict';
import { decodeAuthStatus } from '../../../../src/acp/v1/authStatus';

describe("the agent's account", () => {
  it('has the names of the accounts in use', () => {
    const accounts = [{ label: 'Claude Max', active: true, email: 'a@b.c' }, { label: 'API key' }];
    assert.deepEqual(decodeAuthStatus({ state: 'authenticated', accounts }), { state: 'authenticated', label: 'Claude Max' });
    assert.deepEqual(decodeAuthStatus({ state: 'authenticated', accounts: [{ label: 'A' }, { label: 'B' }, 5] }), {
      state: 'authenticated',
      label: 'A, B',
    });
    assert.deepEqual(decodeAuthStatus({ state: 'unauthenticated', accounts: null }), { state: 'unauthenticated' });
    assert.deepEqual(decodeAuthStatus({ state: '_new' }), { state: 'unknown' });
  });

  it('is read from the older form', () => {
    assert.deepEqual(decodeAuthStatus({ authStatus: { kind: 'api_key', label: 'API key', detail: 'A_KEY' } }), {
      state: 'authenticated',
      label: 'API key',
    });
    assert.deepEqual(decodeAuthStatus({ authStatus: { kind: 'none', label: 'Nobody' } }), { state: 'unauthenticated' });
  });

  it('is undefined for other parameters', () => {
    for (const params of [undefined, null, [], {}, { state: 5 }, { authStatus: 'none' }, { authStatus: {} }]) {
      assert.equal(decodeAuthStatus(params), undefined, JSON.stringify(params));
    }
  });
});
