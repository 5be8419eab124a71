import assert from 'node:assert/strict';
import { lazy } from '../../../src/util/lazy';

describe('lazy', () => {
  it('loads at the first call, once', async () => {
    let loads = 0;
    const load = lazy(() => Promise.resolve(++loads));
    assert.equal(loads, 0);
    assert.deepEqual(await Promise.all([load(), load()]), [1, 1]);
    assert.equal(load(), load());
  });

  it('tries again after a failure', async () => {
    let loads = 0;
    const load = lazy(() => (++loads === 1 ? Promise.reject(new Error('gone')) : loads));
    await assert.rejects(load(), /gone/);
    assert.equal(await load(), 2);
  });
});
