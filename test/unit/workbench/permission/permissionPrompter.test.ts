/** Notifications of permission requests whose session is out of sight. */
import assert from 'node:assert/strict';
import type { Disposable } from '../../../../src/core/platform/disposable';
import { ANSWER_DELAY_MS, PermissionPromptQueue } from '../../../../src/session/permission/promptQueue';
import { permissionPrompter, UNSEEN_MS } from '../../../../src/workbench/permission/permissionPrompter';
import { askOf, FakeClock, FakePresenter } from '../../session/permission/fakes';

describe('a permission request of a session out of sight', () => {
  let clock: FakeClock;
  let presenter: FakePresenter;
  let queue: PermissionPromptQueue;
  let notified: string[];
  let isVisible: boolean;
  let mayNotify: boolean;
  let isNotified: boolean;
  /** Closes the last notification. */
  let close: () => void;

  beforeEach(() => {
    clock = new FakeClock();
    presenter = new FakePresenter();
    queue = new PermissionPromptQueue(presenter, clock);
    notified = [];
    isVisible = isNotified = false;
    mayNotify = true;
  });
  afterEach(() => queue.dispose());

  const prompterOf = (present: 'auto' | 'both' | 'card' = 'auto') =>
    permissionPrompter({
      clock,
      permissions: queue,
      presentation: { value: present },
      panels: { isVisible: () => isVisible },
      picks: presenter,
      mayNotify: () => mayNotify,
      isNotified: () => isNotified,
      notify: ({ permissionId }) => {
        notified.push(permissionId);
        return new Promise((resolve) => (close = resolve));
      },
    });
  const ask = (present?: 'auto' | 'both' | 'card'): Disposable => prompterOf(present).prompt(askOf('a'), () => assert.fail('answered'));

  it('is notified at once when the focus is not known', () => {
    presenter.be({ place: () => undefined });
    ask();
    assert.deepEqual(notified, ['a']);
    clock.pass(UNSEEN_MS);
    assert.deepEqual(notified, ['a']);
  });

  it('is not notified when the user has just answered another in a pick that they opened', () => {
    presenter.be({ ready: false, place: () => undefined });
    const before = queue.prompt(askOf('before'), () => before.dispose());
    queue.reopen();
    clock.pass(ANSWER_DELAY_MS);
    presenter.current!.pick('yes');
    ask();
    clock.pass(UNSEEN_MS);
    assert.equal(presenter.current?.ask.permissionId, 'a');
    assert.deepEqual(notified, []);
  });

  it('is notified after a while when a hidden page still has the focus by its last report', () => {
    presenter.be({ place: () => 'card' });
    ask();
    clock.pass(UNSEEN_MS - 1);
    assert.deepEqual(notified, []);
    clock.pass(1);
    assert.deepEqual(notified, ['a']);
  });

  it('is notified when the focus was lost before a pick could open', () => {
    presenter.be({ place: () => 'pick' });
    presenter.type();
    ask();
    presenter.be({ place: () => undefined });
    clock.pass(UNSEEN_MS);
    assert.equal(presenter.current, undefined);
    assert.deepEqual(notified, ['a']);
  });

  it('is not notified when a pick asks it, and when the user has hidden that', () => {
    presenter.be({ place: () => 'pick' });
    ask();
    clock.pass(1000);
    presenter.current!.hide();
    clock.pass(UNSEEN_MS);
    assert.deepEqual(notified, []);
  });

  it('is not notified once it is answered, or its session is in sight', () => {
    presenter.be({ place: () => 'card' });
    ask().dispose();
    clock.pass(UNSEEN_MS);
    ask();
    isVisible = true;
    clock.pass(UNSEEN_MS);
    assert.deepEqual(notified, []);
  });

  it('is not notified twice, or against the setting', () => {
    presenter.be({ place: () => 'card' });
    isNotified = true;
    ask();
    clock.pass(UNSEEN_MS);
    isNotified = mayNotify = false;
    ask('both');
    clock.pass(UNSEEN_MS);
    assert.deepEqual(notified, []);
  });

  it('is notified beside another one of its session only when the notification of that one is closed or outdated', async () => {
    const prompter = prompterOf('card');
    const prompt = (id: string): Disposable => prompter.prompt(askOf(id), () => assert.fail('answered'));
    const first = prompt('a');
    prompt('b');
    assert.deepEqual(notified, ['a']);
    first.dispose();
    const third = prompt('c');
    assert.deepEqual(notified, ['a', 'c'], 'an ignored notification stays in the list of VS Code');
    close();
    await new Promise(setImmediate);
    prompt('d');
    third.dispose();
    prompt('e');
    assert.deepEqual(notified, ['a', 'c', 'd']);
  });
});
