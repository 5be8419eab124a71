import assert from 'node:assert/strict';
import { batched } from '../../../src/util/batched';

describe('a batched function', () => {
  it('runs once after many calls, and again after later ones', async () => {
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
