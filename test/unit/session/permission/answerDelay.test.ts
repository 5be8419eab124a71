/** The start of the half second in which a quick pick ignores answers. */
import assert from 'node:assert/strict';
import { ANSWER_DELAY_MS, NEW_KEY_MS, PermissionPromptQueue } from '../../../../src/session/permission/promptQueue';
import { QUIET_MS } from '../../../../src/session/permission/idleDetector';
import { askOf, FakeClock, FakePresenter } from './fakes';

describe('the time without answers of a permission request in a quick pick', () => {
  let clock: FakeClock;
  let presenter: FakePresenter;
  let service: PermissionPromptQueue;
  let outcome: string | undefined;

  /** A pick that accepts answers. */
  beforeEach(() => {
    clock = new FakeClock();
    presenter = new FakePresenter();
    service = new PermissionPromptQueue(presenter, clock);
    outcome = undefined;
    const offered = service.prompt(askOf('a'), (answer) => {
      outcome = answer;
      offered.dispose();
    });
    clock.pass(QUIET_MS + ANSWER_DELAY_MS);
  });

  afterEach(() => {
    service.dispose();
    assert.equal(clock.pending, 0);
  });

  it('starts when the window has drawn the row, however busy the window is', () => {
    presenter.undrawn = [];
    presenter.current!.listener.moved();
    clock.pass(ANSWER_DELAY_MS);
    presenter.current!.listener.moved();
    clock.pass(2 * ANSWER_DELAY_MS);
    presenter.current!.pick('yes');
    presenter.draw();
    clock.pass(NEW_KEY_MS - 1);
    presenter.current!.pick('yes');
    assert.equal(outcome, undefined);
    clock.pass(1);
    presenter.current!.pick('no');
    assert.equal(outcome, 'no');
  });

  it('ends after the keys that waited while the extension host was busy', () => {
    presenter.current!.listener.moved();
    // When the timer of the second runs late, keys from before its end must still be processed.
    clock.after(NEW_KEY_MS, () => presenter.current?.pick('yes'));
    clock.pass(NEW_KEY_MS);
    assert.equal(outcome, undefined);
    presenter.current!.pick('no');
    assert.equal(outcome, 'no');
  });
});
