/** Undos of one session run one after the other, with other work of the store between them. */
import assert from 'node:assert/strict';
import { type Undoing, undoing } from '../../support/changes/undoing';
import { Workspace } from '../../support/changes/workspace';

describe('the queue of undos', () => {
  let workspace: Workspace;
  let user: Undoing;
  beforeEach(async () => {
    workspace = new Workspace(false);
    ['a.txt', 'b.txt'].forEach((name) => workspace.write(name, `${name}\n`));
    await workspace.settle();
    user = undoing(workspace, workspace.session());
    await user.turn(() => ['a.txt', 'b.txt'].forEach((name) => workspace.write(name, 'agent\n')));
  });
  afterEach(() => {
    user.dispose();
    workspace.dispose();
  });

  it('is busy until every file is written, and until a failure ends', async () => {
    assert.equal(user.undo.order.isBusy, false);
    const plans = await user.undo.plan(user.review.files.map((file) => ({ file })));
    assert.equal(user.undo.order.isBusy, false);
    const first = user.undo.perform(plans.slice(0, 1));
    const second = user.undo.perform(plans.slice(1));
    assert.equal(user.undo.order.isBusy, true);
    await first;
    assert.equal(user.undo.order.isBusy, true);
    await second;
    assert.deepEqual([workspace.read('a.txt'), workspace.read('b.txt'), user.undo.order.isBusy], ['a.txt\n', 'b.txt\n', false]);
    await assert.rejects(user.undo.order.run(() => Promise.reject(new Error('full'))));
    assert.equal(user.undo.order.isBusy, false);
  });

  it('runs other work after the running undo, and before the next', async () => {
    const plans = await user.undo.plan(user.review.files.map((file) => ({ file })));
    const seen: string[] = [];
    const first = user.undo.perform(plans.slice(0, 1));
    const between = user.undo.order.run(async () => void seen.push(workspace.read('a.txt'), workspace.read('b.txt')));
    const second = user.undo.perform(plans.slice(1));
    await Promise.all([first, between, second]);
    assert.deepEqual(seen, ['a.txt\n', 'agent\n']);
  });
});
