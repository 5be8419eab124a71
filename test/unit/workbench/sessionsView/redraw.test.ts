import assert from 'node:assert/strict';
import { Redraw } from '../../../../src/workbench/sessionsView/redraw';

describe('a tree that is drawn again', () => {
  /** Time goes on when somebody waits. */
  let now = 1000;
  let meanwhile = (): void => {};
  const clock = {
    now: () => now,
    after(ms: number, callback: () => void) {
      setImmediate(() => {
        now += ms;
        meanwhile();
        callback();
      });
      return { dispose() {} };
    },
  };
  beforeEach(() => (meanwhile = () => {}));

  it('is drawn before it is drawn again', async () => {
    const redraw = new Redraw(clock);
    assert.equal(redraw.isOver, true);
    assert.equal(await redraw.over(), true);
  });

  it('is drawn when VS Code has asked for all rows, and not for the root alone', async () => {
    const redraw = new Redraw(clock);
    redraw.begun();
    assert.equal(redraw.isOver, false);
    const asks = [now + 300, now + 350, now + 420];
    meanwhile = () => asks.filter((at) => at === now || (at < now && at > now - 25)).forEach(() => redraw.asked());
    assert.equal(await redraw.over(), true);
    assert.ok(now >= 1000 + 420 + 100, String(now));
  });

  it('is given up where VS Code asks for nothing, as for a tree that is hidden', async () => {
    const redraw = new Redraw(clock);
    redraw.begun();
    assert.equal(await redraw.over(), false);
    redraw.asked();
    assert.equal(await redraw.over(), true);
  });
});
