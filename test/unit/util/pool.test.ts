/** Parallel work with a limit. */
import assert from 'node:assert/strict';
import { mapInPool } from '../../../src/util/pool';

describe('work in a pool', () => {
  it('returns the results in the order of the items, and respects the limit', async () => {
    let [running, most] = [0, 0];
    const results = await mapInPool([30, 1, 10, 1], 2, async (ms) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, ms));
      running--;
      return ms;
    });
    assert.deepEqual([results, most], [[30, 1, 10, 1], 2]);
  });
});
