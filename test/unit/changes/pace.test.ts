import assert from 'node:assert/strict';
import { Pace } from '../../../src/changes/disk/pace';
import { inPool } from '../../../src/util/pool';

/** Keeps the processor busy for this many ms. */
function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    Math.random();
  }
}

describe('Pace', () => {
  it('lets timers run between many loops that wait at the same time', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const pace = new Pace();
    await inPool([...Array(400).keys()], 200, async () => {
      busy(1);
      await pace.heavyStep();
      busy(1);
      await pace.heavyStep();
    });
    clearInterval(timer);
    // 800 ms of work in slices of 8 ms. Without an order of the loops, each slice would be one step of all 200 loops.
    assert.ok(ticks > 10, `${ticks}`);
  });

  it('resumes every loop', async () => {
    const done: number[] = [];
    const pace = new Pace();
    await inPool([...Array(50).keys()], 50, async (index) => {
      busy(1);
      await pace.heavyStep();
      done.push(index);
    });
    assert.equal(new Set(done).size, 50);
  });
});
