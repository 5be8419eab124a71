import assert from 'node:assert/strict';
import { Limits } from '../../../../src/acp/v1/limits';

const quota = (updatedAt: string | undefined, ...ids: string[]) => ({
  sessionUpdate: 'quota_update',
  ...(updatedAt !== undefined && { updatedAt }),
  pools: [{ id: 'plan', meters: ids.map((id) => ({ id, usedPercent: 10 })) }],
});
const claude = (limit: object) => ({ sessionUpdate: 'usage_update', used: 1, size: 2, _meta: { '_claude/rateLimit': limit } });
const meters = (event: ReturnType<Limits['inUpdate']>): string[] | undefined =>
  event?.type === 'quota'
    ? event.pools.flatMap((pool) => pool.meters.map(({ id, status }) => [pool.id, id, status ?? ''].join(' ')))
    : undefined;

describe('the limits of an account', () => {
  it('come from the later snapshot', () => {
    const limits = new Limits();
    assert.deepEqual(meters(limits.inUpdate('s', quota('2026-10-06T13:00:00Z', 'a'))), ['plan a ']);
    assert.deepEqual(meters(limits.inUpdate('s', quota('2026-10-06T12:00:00Z', 'b'))), ['plan a ']);
    assert.deepEqual(meters(limits.inUpdate('s', quota('2026-10-06T15:00:00+01:00', 'c'))), ['plan c ']);
    assert.deepEqual(meters(limits.inUpdate('s', quota(undefined, 'd'))), ['plan d ']);
    assert.deepEqual(meters(limits.inUpdate('other', quota('2026-10-06T12:00:00Z', 'b'))), ['plan b ']);
  });

  it('collect the windows of an agent that reports one at a time', () => {
    const limits = new Limits();
    assert.deepEqual(meters(limits.inUpdate('s', claude({ status: 'allowed', rateLimitType: 'five_hour' }))), ['plan five_hour ok']);
    const both = ['plan five_hour ok', 'plan seven_day ok', 'extra_usage overage exceeded'];
    const added = claude({ status: 'allowed', rateLimitType: 'seven_day', overageStatus: 'rejected' });
    assert.deepEqual(meters(limits.inUpdate('s', added)), both);
    const exceeded = ['plan five_hour exceeded', ...both.slice(1)];
    assert.deepEqual(meters(limits.inUpdate('s', claude({ status: 'rejected', rateLimitType: 'five_hour' }))), exceeded);
  });

  it('are bounded, and have no words of the language in them', () => {
    const limits = new Limits();
    for (let index = 0; index < 200; index++) {
      limits.inUpdate('s', claude({ status: 'allowed', rateLimitType: `w${index}` }));
    }
    const known = meters(limits.inUpdate('s', claude({ status: 'allowed', rateLimitType: 'last' })))!;
    assert.deepEqual([known.length, known.at(-1)], [50, 'plan last ok']);
    const statuses = ['constructor', '__proto__', 'toString'];
    assert.deepEqual(
      statuses.map((status) => meters(new Limits().inUpdate('s', claude({ status, rateLimitType: 'a' })))),
      statuses.map((status) => [`plan a ${status}`]),
    );
  });

  it('are absent from other updates', () => {
    const limits = new Limits();
    for (const update of [
      { sessionUpdate: 'usage_update', used: 1, size: 2 },
      claude({}),
      { sessionUpdate: 'quota_update', pools: 'none' },
    ]) {
      assert.equal(limits.inUpdate('s', update), undefined, JSON.stringify(update));
    }
  });
});
