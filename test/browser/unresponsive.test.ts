/** The page of an agent that continues after Stop, and of one that works between turns. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { chunk, toolCall } from '../support/events';
import { eachInItsOwnView, type View } from './support/view';

const TURN: EventInput = { type: 'turn_started', turnId: 't' };
const STOP: EventInput = { type: 'turn_cancelling' };
const UNANSWERED: EventInput = { type: 'stop_unanswered' };

describe('an agent that continues working', function () {
  this.timeout(30_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const box = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const stop = () => view.page.getByRole('button', { name: 'Stop', exact: true });
  const offer = () => view.page.getByRole('group', { name: /isn't responding to Stop/ });
  const restart = () => offer().getByRole('button', { name: 'Restart Agent', exact: true });
  const heard = (words: RegExp) =>
    view.page.getByRole('alert').or(view.page.getByRole('status')).getByText(words).last().waitFor({ state: 'attached' });

  it('is stopped again by a second Escape or click, once Stop has reached the agent', async () => {
    await view.happen(TURN);
    await box().press('Escape');
    await box().press('Escape');
    await view.postedAtLeast('cancel', 1);
    await view.happen(STOP);
    await view.page.getByTitle('Stopping…').waitFor();
    await box().press('Escape');
    await stop().click();
    assert.equal((await view.postedAtLeast('cancel', 3)).length, 3);
    assert.equal(await offer().count(), 0);
  });

  it('can be restarted after Stop, which is announced and leaves the focus in the composer', async () => {
    await view.happen(TURN, STOP, UNANSWERED);
    await view.page.getByText('Stopping…', { exact: true }).waitFor();
    await heard(/isn't responding to Stop\. Restarting the agent also restarts its other sessions\. Restart Agent/);
    await restart().focus();
    await view.page.keyboard.press('Enter');
    const [action] = await view.postedAtLeast('action', 1);
    assert.equal(action?.action, 'restart_agent');
    await view.happen({ type: 'turn_ended', turnId: 't', stopReason: 'cancelled' });
    await offer().waitFor({ state: 'detached' });
    assert.equal(await box().evaluate((element) => element === document.activeElement), true);
  });

  it('shows its activity between turns, a button to stop it, and its text below the end of the turn', async () => {
    await view.happen(TURN, chunk('Started.', 'm'), { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    assert.equal(await stop().count(), 0);
    await view.happen(
      { type: 'work_started', workId: 'w' },
      chunk('The build failed.', 'm'),
      toolCall('b', { title: 'build', status: 'in_progress' }),
    );
    await view.page.getByText('Working…', { exact: true }).waitFor();
    await box().press('Escape');
    await view.postedAtLeast('cancel', 1);
    await stop().click();
    await view.postedAtLeast('cancel', 2);
    assert.equal(await view.page.locator('[data-slot="agent:m"]').innerText(), 'Started.');
    assert.equal(await view.page.locator('[data-slot="agent:m~w"]').innerText(), 'The build failed.');
    await view.happen({ type: 'turn_cancelling' });
    await view.page
      .getByRole('article', { name: /^build/ })
      .getByText('Canceled', { exact: true })
      .waitFor();
    await view.happen({ type: 'work_ended', workId: 'w' });
    await stop().waitFor({ state: 'detached' });
    await box().fill('next');
    await view.page.getByRole('button', { name: 'Send', exact: true }).click();
    await view.postedAtLeast('prompt', 1);
  });

  it('marks a call that continues in the background after its turn, in place of Canceled', async () => {
    await view.happen(TURN, toolCall('dev', { title: 'npm run dev', status: 'in_progress' }));
    await view.happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    const card = view.page.getByRole('article', { name: /^npm run dev/ });
    await card.getByText('In background', { exact: true }).waitFor();
    await view.happen(toolCall('dev', { status: 'completed' }));
    await card.getByText('Done', { exact: true }).waitFor();
  });
});
