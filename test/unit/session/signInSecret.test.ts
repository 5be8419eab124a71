import assert from 'node:assert/strict';
import type { AuthMethod } from '../../../src/core/model/content';
import { no, opened, scene, statusOf } from './signInScene';

const METHODS: readonly AuthMethod[] = [{ methodId: 'api-key', name: 'API key', type: 'agent', asks: 'key', provider: 'openai' }];
const turn = () => new Promise(setImmediate);

describe('a sign-in that asks for a secret', () => {
  it('sends it with the request to the running agent, and removes it from logs', async () => {
    const { session, agent, account } = scene(METHODS);
    agent().newSession[0]!(no);
    session.signIn('api-key');
    assert.equal(account.asked[0]?.method.methodId, 'api-key');
    assert.equal(agent().authentications.length, 0, 'nothing is sent before the user has entered it');
    account.stored = { meta: { 'api-key': { apiKey: 'sk-1234' } }, values: { key: 'sk-1234' } };
    account.asked[0]!.finish();
    await turn();
    assert.deepEqual(agent().sent.at(-1), ['authenticate', 'api-key', account.stored]);
    assert.deepEqual(agent().redacted, [{ type: 'http', name: 'api-key', url: '', headers: { key: 'sk-1234' } }]);
    agent().authentications[0]!({ ok: true, value: undefined });
    opened(agent());
    assert.equal(statusOf(session), 'signed_in');
  });

  it('is not finished when the user cancels the question', async () => {
    const { session, agent, account } = scene(METHODS);
    agent().newSession[0]!(no);
    session.signIn('api-key');
    account.asked[0]!.fail({ code: 'auth.not_finished' });
    await turn();
    assert.deepEqual([statusOf(session), agent().authentications.length], ['required', 0]);
  });

  it('sends nothing when it was cancelled elsewhere', async () => {
    const { session, agent, account } = scene(METHODS);
    agent().newSession[0]!(no);
    session.signIn('api-key');
    session.signIn(undefined);
    assert.equal(account.asked[0]!.signal.aborted, true);
    account.asked[0]!.finish();
    await turn();
    assert.equal(agent().authentications.length, 0);
  });
});
