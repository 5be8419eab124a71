import assert from 'node:assert/strict';
import { instantOf } from '../../../../src/acp/json/instant';
import { resetsAtIn } from '../../../../src/acp/jsonrpc/resetsAt';

describe('the reset in the data of an error', () => {
  const AT = Date.UTC(2026, 9, 6, 18);

  it('is read from the fields that agents and providers use', () => {
    for (const data of [
      { resetsAt: '2026-10-06T18:00:00Z' },
      { resets_at: AT / 1000 },
      { error: { resetAt: AT } },
      { headers: { 'x-ratelimit-reset-at': String(AT / 1000) } },
      { headers: { 'Retry-After': 'Tue, 06 Oct 2026 18:00:00 GMT' } },
      { details: [{ reason: 'x' }, { quotaResetTime: '2026-10-06T20:00:00+02:00' }] },
    ]) {
      assert.equal(resetsAtIn(data), AT, JSON.stringify(data));
    }
  });

  it('is undefined for another value', () => {
    const FAR = ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', '2026-99-99T18:00:00Z'];
    for (const value of ['soon', '', 5, -1, NaN, Infinity, null, {}, '2026-10-06', 'Tuesday', 1e17, ...FAR]) {
      assert.equal(instantOf(value), undefined, String(value));
    }
    assert.equal(resetsAtIn({ a: { b: { resetsAt: AT } } }), undefined);
    assert.equal(resetsAtIn({ createdAt: AT }), undefined);
  });
});
