/** A permission request moves between its card and the quick pick with the focus. */
import assert from 'node:assert/strict';
import { ANSWER_DELAY_MS, PermissionPromptQueue } from '../../../../src/session/permission/promptQueue';
import { QUIET_MS } from '../../../../src/session/permission/idleDetector';
import { askOf, FakeClock, FakePresenter } from './fakes';

describe('a permission request between card and quick pick', () => {
  let clock: FakeClock;
  let presenter: FakePresenter;
  let service: PermissionPromptQueue;
  let answers: string[];

  beforeEach(() => {
    clock = new FakeClock();
    presenter = new FakePresenter();
    service = new PermissionPromptQueue(presenter, clock);
    answers = [];
  });

  afterEach(() => service.dispose());

  const ask = (permissionId: string, sessionKey = 's1') =>
    service.prompt(askOf(permissionId, { sessionKey }), (optionId) => void answers.push(`${permissionId} ${optionId}`));
  const onScreen = () => presenter.current?.ask.permissionId;
  const toCard = () => presenter.be({ place: () => 'card' });
  const toEditor = () => presenter.be({ place: () => 'pick' });

  it('opens no pick while the card asks', () => {
    toCard();
    ask('a');
    clock.pass(60_000);
    assert.equal(onScreen(), undefined);
  });

  it('opens the pick after a moment of quiet when the focus leaves the card', () => {
    toCard();
    ask('a');
    clock.pass(60_000);
    presenter.type();
    toEditor();
    clock.pass(QUIET_MS - 1);
    assert.equal(onScreen(), undefined);
    clock.pass(1);
    assert.equal(onScreen(), 'a');
  });

  it('closes the pick when the focus reaches the card, without an answer', () => {
    toEditor();
    ask('a');
    clock.pass(QUIET_MS + ANSWER_DELAY_MS);
    const pick = presenter.current!;
    toCard();
    assert.equal(pick.open, false);
    pick.pick('yes');
    assert.deepEqual(answers, []);
    assert.equal(service.waiting, 1);
  });

  it('closes a pick that opened by itself when the card beneath it comes into sight', () => {
    toEditor();
    ask('a');
    clock.pass(QUIET_MS);
    const pick = presenter.current!;
    pick.listener.drawn();
    presenter.be({ place: () => undefined, beneath: ['a'] });
    assert.equal(pick.open, false);
    toCard();
    clock.pass(60_000);
    assert.equal(onScreen(), undefined);
    toEditor();
    clock.pass(QUIET_MS);
    assert.equal(onScreen(), 'a');
  });

  it('keeps a pick that the user has touched or asked for when the card beneath it comes into sight', () => {
    toEditor();
    ask('a');
    clock.pass(QUIET_MS + ANSWER_DELAY_MS);
    presenter.current!.listener.moved();
    presenter.be({ place: () => undefined, beneath: ['a'] });
    assert.equal(onScreen(), 'a');
    presenter.current!.hide();
    service.reopen();
    presenter.be({ beneath: ['a'] });
    assert.equal(onScreen(), 'a');
  });

  it('asks in the pick again when the user has gone to the card and then left it', () => {
    toEditor();
    ask('a');
    clock.pass(QUIET_MS);
    // VS Code hides the pick before the page reports its focus.
    presenter.current!.hide();
    clock.pass(100);
    toCard();
    clock.pass(60_000);
    assert.equal(onScreen(), undefined);
    toEditor();
    clock.pass(QUIET_MS);
    assert.equal(onScreen(), 'a');
    assert.deepEqual(answers, []);
  });

  it('stays postponed when Escape closed the pick, even after a later visit to the card', () => {
    toEditor();
    ask('a');
    clock.pass(QUIET_MS);
    presenter.current!.hide();
    clock.pass(5_000);
    toCard();
    toEditor();
    clock.pass(60_000);
    assert.equal(onScreen(), undefined);
  });

  it('stays postponed when Escape closed a pick that was opened over the card', () => {
    toCard();
    ask('a');
    service.reopen();
    assert.equal(onScreen(), 'a');
    presenter.be({ place: () => undefined });
    presenter.current!.hide();
    toCard();
    toEditor();
    clock.pass(60_000);
    assert.equal(onScreen(), undefined);
  });

  it('keeps a pick that the user opened while its card is visible', () => {
    toCard();
    ask('a');
    service.reopen();
    toCard();
    clock.pass(ANSWER_DELAY_MS);
    presenter.current!.pick('no');
    assert.deepEqual(answers, ['a no']);
  });

  it('keeps the pick that has taken the focus from its place', () => {
    toEditor();
    ask('a');
    clock.pass(QUIET_MS);
    presenter.be({ place: () => undefined });
    assert.equal(onScreen(), 'a');
  });

  it('asks for the session in front first, then for the oldest of the others', () => {
    toEditor();
    const [x, y, a] = [ask('x', 's2'), ask('y', 's3'), ask('a')];
    const seen: (string | undefined)[] = [];
    for (const [offered] of [[a], [x], [y]] as const) {
      clock.pass(QUIET_MS);
      seen.push(onScreen());
      offered.dispose();
    }
    assert.deepEqual(seen, ['a', 'x', 'y']);
  });
});
