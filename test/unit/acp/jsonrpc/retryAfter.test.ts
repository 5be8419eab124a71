import assert from 'node:assert/strict';
import { failureOfError } from '../../../../src/acp/jsonrpc/rpc';
import { retryAfterIn } from '../../../../src/acp/jsonrpc/retryAfter';

describe('the time after which a request may be sent again', () => {
  const inData = (data: unknown) => retryAfterIn(data, 'Rate limit exceeded');

  it('is read from the fields that agents and providers use', () => {
    assert.equal(inData({ retryAfter: 32 }), 32);
    assert.equal(inData({ retry_after: '12' }), 12);
    assert.equal(inData({ headers: { 'Retry-After': '7' } }), 7);
    assert.equal(inData({ error: { type: 'rate_limit_error', retry_after_seconds: 3 } }), 3);
    assert.equal(inData({ retryAfterMs: 1500 }), 2);
    assert.equal(inData({ error: { details: [{ '@type': 'QuotaFailure' }, { retryDelay: '41.5s' }] } }), 42);
    assert.equal(inData({ retryAfter: '250ms' }), 1);
    assert.equal(inData({ retryAfter: '2 minutes' }), 120);
    assert.equal(inData({ retryAfter: 'PT5H' }), 18_000);
    assert.equal(inData({ retryAfter: 'P1DT30M' }), 88_200);
  });

  it('is read from the message when the data has none', () => {
    assert.equal(retryAfterIn(undefined, 'Rate limit reached for gpt-5. Please try again in 20s.'), 20);
    assert.equal(retryAfterIn({ code: 429 }, 'Too many requests, retry after 1.5 minutes'), 90);
    assert.equal(retryAfterIn(undefined, 'Please try again in 640ms'), 1);
    assert.equal(retryAfterIn(undefined, 'Tried again in 3 places, try again in a while'), undefined);
  });

  it('is undefined for values that are not a waiting time', () => {
    for (const value of [
      0,
      -3,
      NaN,
      Infinity,
      '',
      'soon',
      '1e3',
      null,
      true,
      [5],
      { seconds: 5 },
      2_678_401,
      'Wed, 25 Nov 2026 22:00:00 GMT',
    ]) {
      assert.equal(inData({ retryAfter: value }), undefined, String(value));
    }
    assert.equal(inData({ a: { b: { retryAfter: 3 } } }), undefined);
    assert.equal(inData('retryAfter: 3'), undefined);
  });

  it('is a parameter of the failure', () => {
    assert.deepEqual(failureOfError('session/prompt', { code: 429, message: 'rate limit', data: { retryAfter: 32 } }), {
      code: 'request.failed',
      params: { method: 'session/prompt', code: 429, retryAfter: 32 },
      detail: 'rate limit\n{"retryAfter":32}',
    });
    assert.deepEqual(failureOfError('session/prompt', { code: 429, message: 'rate limit' }).params, {
      method: 'session/prompt',
      code: 429,
    });
  });
});
