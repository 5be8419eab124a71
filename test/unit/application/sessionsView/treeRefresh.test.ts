import assert from 'node:assert/strict';
import { TreeRefresh } from '../../../../src/application/sessionsView/treeRefresh';

describe('a tree that is refreshed', () => {
  /** A clock that advances while the test waits. */
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

  it('is settled before the first refresh', async () => {
    const redraw = new TreeRefresh(clock);
    assert.equal(redraw.isOver, true);
    assert.equal(await redraw.settled(), true);
  });

  it('is settled when VS Code has requested all rows, not only the root', async () => {
    const redraw = new TreeRefresh(clock);
    redraw.requested();
    assert.equal(redraw.isOver, false);
    const asks = [now + 300, now + 350, now + 420];
    meanwhile = () => asks.filter((at) => at === now || (at < now && at > now - 25)).forEach(() => redraw.rowsFetched());
    assert.equal(await redraw.settled(), true);
    assert.ok(now >= 1000 + 420 + 100, String(now));
  });

  it('gives up when VS Code requests nothing, because the tree is hidden', async () => {
    const redraw = new TreeRefresh(clock);
    redraw.requested();
    assert.equal(await redraw.settled(), false);
    redraw.rowsFetched();
    assert.equal(await redraw.settled(), true);
  });
});
