import assert from 'node:assert/strict';
import { ANSWER_DELAY_MS } from '../../../../../src/core/approval/answerDelay';
import { AnswerGuard } from '../../../../../webview/transcript/permission/answerGuard';

/** A button of 60 × 24 px at this corner. */
const at = (left: number, top: number) => ({ left, top, right: left + 60, bottom: top + 24 });
const point = { x: 30, y: 112 };

describe('guard of a card’s answers', () => {
  it('rejects answers in the first half second', () => {
    const guard = new AnswerGuard(1000);
    assert.equal(guard.stand(1000, at(10, 100)), true);
    assert.equal(guard.takesKey(1000 + ANSWER_DELAY_MS - 1), false);
    assert.equal(guard.takesClick(1000 + ANSWER_DELAY_MS - 1, point, at(10, 100)), false);
    assert.equal(guard.takesKey(1000 + ANSWER_DELAY_MS), true);
    assert.equal(guard.takesClick(1000 + ANSWER_DELAY_MS, point, at(10, 100)), true);
  });

  it('rejects a click on a button that moved there less than half a second ago, but not a key', () => {
    const guard = new AnswerGuard(0);
    guard.stand(0, at(10, 300));
    assert.equal(guard.stand(5000, at(10, 100)), true, 'the card above it went');
    assert.equal(guard.takesClick(5010, point, at(10, 100)), false);
    assert.equal(guard.takesClick(5000 + ANSWER_DELAY_MS - 1, point, at(10, 100)), false);
    assert.equal(guard.takesKey(5010), true);
    assert.equal(guard.takesClick(5000 + ANSWER_DELAY_MS, point, at(10, 100)), true);
  });

  it('accepts a click on a button that moves less than its height, as under streaming text', () => {
    const guard = new AnswerGuard(0);
    guard.stand(0, at(10, 110));
    guard.stand(4900, at(10, 105));
    guard.stand(5000, at(10, 100));
    assert.equal(guard.takesClick(5001, { x: 30, y: 120 }, at(10, 100)), true);
    assert.equal(guard.takesClick(5001, { x: 30, y: 103 }, at(10, 100)), false, 'it was not there');
  });

  it('distinguishes a button from another one that was there', () => {
    const guard = new AnswerGuard(0);
    guard.stand(0, at(80, 100));
    guard.stand(3000, at(10, 100));
    assert.equal(guard.takesClick(3100, point, at(10, 100)), false);
  });

  it('records no move without movement, and forgets old ones', () => {
    const guard = new AnswerGuard(0);
    guard.stand(0, at(10, 100));
    for (let time = 1000; time < 100_000; time += 1000) {
      assert.equal(guard.stand(time, at(10, 101)), false);
    }
    for (let time = 100_000; time < 110_000; time += 100) {
      guard.stand(time, at(10, time / 10));
    }
    assert.ok((guard as unknown as { positions: unknown[] }).positions.length < 10);
  });
});
