import assert from 'node:assert/strict';
import { askedSecret } from '../../../src/acp/quirks/askedSecret';
import { decodeAuthMethods } from '../../../src/acp/v1/handshake';
import { secretFor, secretIn } from '../../../src/application/signIn/secretText';

describe('secrets that are sent with a sign-in', () => {
  it('are asked for by methods with their key in _meta', () => {
    const methods = decodeAuthMethods([
      { id: 'api-key', name: 'API Key', _meta: { 'api-key': { provider: 'openai' } } },
      { id: 'gateway', name: 'Gateway', _meta: { gateway: { protocol: 'anthropic' } } },
      { id: 'login', name: 'Login', type: 'terminal', _meta: { 'api-key': { provider: 'x' } } },
      { id: 'plain', name: 'Plain', _meta: { 'api-key': true, other: {} } },
    ]);
    assert.deepEqual(
      methods.map(({ asks, provider }) => [asks, provider]),
      [
        ['key', 'openai'],
        ['gateway', 'anthropic'],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    assert.deepEqual(askedSecret({ gateway: { protocol: 1 } }), { asks: 'gateway' });
    assert.equal(askedSecret({ gateway: { protocol: 'x'.repeat(1000) } })?.provider?.length, 40);
  });

  it('are sent in the form that the agent reads', () => {
    assert.deepEqual(secretFor({ key: 'k', provider: 'google' }).meta, { 'api-key': 'k' });
    assert.deepEqual(secretFor({ key: 'k', provider: 'openai' }).meta, { 'api-key': { apiKey: 'k' } });
    const gateway = { baseUrl: 'https://g.example', headers: { Authorization: 'Bearer k' } };
    assert.deepEqual(secretFor(gateway), { meta: { gateway }, values: gateway.headers });
  });

  it('are read from the secret storage, unless they are malformed', () => {
    assert.deepEqual(secretIn('{"key":"k","provider":"google","other":1}'), { key: 'k', provider: 'google' });
    assert.deepEqual(secretIn('{"baseUrl":"https://a","headers":{"A":"b","C":1}}'), { baseUrl: 'https://a', headers: { A: 'b' } });
    for (const text of [undefined, '', 'null', '[]', '{"key":1}', '{']) {
      assert.equal(secretIn(text), undefined);
    }
  });
});
