/** The files that a running turn has changed so far, above the composer. Pictures go to test-results/runningChanges/. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { EventInput } from '../../src/core/model/event';
import { message } from '../support/events';
import { broken } from './support/axe';
import { type View, eachInItsOwnView, keepPicture, root } from './support/view';

const FOLDER = '/home/ada/sample';
const CART = { path: `${FOLDER}/src/cart.ts`, operation: 'modify' };
const TEST = { path: `${FOLDER}/test/cart.test.ts`, operation: 'add' };
const OLD = { path: `${FOLDER}/old.bin`, operation: 'delete' };
const running = (...files: (typeof CART)[]): EventInput => ({ type: 'running_changes', files });
const pending = (...files: (typeof CART)[]): EventInput => ({ type: 'pending_changes', changes: { files, added: 3, removed: 1 } });

describe('the changes of a running turn', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    await view.tame();
    await view.happen({ type: 'turn_started', turnId: 't' }, message('Fix the cart', 't', 'user'));
  });

  const bar = () => view.page.getByRole('group', { name: 'Changes of the running turn' });
  const review = () => view.page.getByRole('group', { name: 'Changes to review' });
  const summary = () => bar().getByRole('button', { name: /changed so far/ });
  const rows = () => bar().getByRole('list', { name: 'Files changed so far' }).getByRole('listitem');

  it('are counted while it runs, without Keep and Undo, until the review has them', async () => {
    await view.happen(running(CART));
    await bar().getByRole('button', { name: '1 file changed so far', exact: true }).waitFor();
    await view.happen(running(CART, TEST, OLD));
    await bar().getByRole('button', { name: '3 files changed so far', exact: true }).waitFor();
    assert.equal(await bar().getByRole('button').count(), 1);
    await view.happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' }, pending(CART, TEST, OLD));
    await review().waitFor();
    await bar().waitFor({ state: 'detached' });
    await view.happen({ type: 'running_changes', files: [] });
    assert.match(await review().innerText(), /3 files changed/);
  });

  it('open their files, where the editor shows the changes', async () => {
    await view.happen({ ...running(CART, TEST, OLD), more: 4 } as EventInput);
    await summary().click();
    await rows().nth(3).waitFor();
    assert.deepEqual(
      (await rows().allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()),
      ['src/cart.ts', 'test/cart.test.ts New file', 'old.bin Deleted', 'and 4 more'],
    );
    await bar().getByText('Keep and Undo are available when the turn ends.').waitFor();
    await rows().nth(0).getByRole('button').click();
    assert.deepEqual(
      (await view.posted('open_location')).map(({ path }) => path),
      [CART.path],
    );
    assert.equal(await rows().nth(2).getByRole('button').count(), 0);
    assert.deepEqual(await broken(view), []);
  });

  it('are beside the changes that wait already, each file in one of the lists', async () => {
    await view.happen(pending(CART), running(CART, TEST));
    await bar().getByText('1 file changed so far').waitFor();
    await review().getByText('1 file changed').waitFor();
    await view.happen(pending(CART, TEST));
    await bar().waitFor({ state: 'detached' });
  });

  it('return the focus to the message box when they are gone', async () => {
    await view.happen(running(CART));
    await summary().focus();
    await view.happen({ type: 'running_changes', files: [] });
    await bar().waitFor({ state: 'detached' });
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Message');
  });

  it('leave the room of a low page to the changes that can be kept and undone', async () => {
    await view.page.setViewportSize({ width: 300, height: 500 });
    await view.happen(pending(CART), running(TEST));
    await review().waitFor();
    assert.equal(await bar().isVisible(), false);
    await view.happen({ type: 'pending_changes' });
    await bar().waitFor();
  });

  it('show no hidden characters of a path', async () => {
    await view.happen(running({ path: `${FOLDER}/a\u202egpj.ts`, operation: 'modify' }));
    await summary().click();
    await rows().nth(0).waitFor();
    assert.doesNotMatch(await bar().innerText(), /\u202e/);
  });

  it('has pictures', async () => {
    mkdirSync(`${root}/test-results/runningChanges`, { recursive: true });
    await view.happen(pending(CART), running(TEST, OLD));
    await summary().click();
    for (const [width, height] of [
      [300, 600],
      [640, 560],
    ] as const) {
      await view.page.setViewportSize({ width, height });
      await view.painted();
      await keepPicture(view.page, `${root}/test-results/runningChanges/${width}.png`);
    }
  });
});
