import assert from 'node:assert/strict';
import { batched } from '../../../src/util/batched';

describe('what is called in batches', () => {
  it('runs once for many calls, after them, and again for later ones', async () => {
    let runs = 0;
    const call = batched(() => void runs++);
    call();
    call();
    assert.equal(runs, 0);
    await Promise.resolve();
    assert.equal(runs, 1);
    call();
    await Promise.resolve();
    assert.equal(runs, 2);
  });
});
