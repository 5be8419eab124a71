import assert from 'node:assert/strict';
import { gathered, inTimeSlices } from '../../../../src/application/shared/timeSlice';

function* slow(count: number): Iterable<string> {
  for (let n = 0; n < count; n++) {
    const until = performance.now() + 4;
    while (performance.now() < until) {}
    yield String(n % 10);
  }
}

describe('paced work', () => {
  it('yields to other work, in its own order', async () => {
    let turns = 0;
    let over = false;
    const count = (): void => void (over || (turns++, setImmediate(count)));
    count();
    assert.equal(await gathered(inTimeSlices(slow(30)), 1000), '0123456789'.repeat(3));
    over = true;
    assert.ok(turns >= 5, `${turns} turns in 120 ms`);
  });

  it('ends when it is cancelled, and at the limit', async () => {
    let checks = 0;
    const stop = (): void => {
      if (++checks === 3) {
        throw new Error('given up');
      }
    };
    await assert.rejects(gathered(inTimeSlices(slow(1000), stop), Infinity), /given up/);
    assert.equal(await gathered(inTimeSlices(slow(1000)), 3), undefined);
  });
});
