/** Retry: a prompt whose turn has failed is sent once more. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import type { Failure } from '../../src/core/model/failure';
import { NO_CAPABILITIES } from '../../src/core/model/wellKnown';
import { initialized, message as said } from '../support/events';
import { type View, eachInItsOwnView } from './support/view';

const begun: readonly EventInput[] = [{ type: 'turn_started', turnId: 't' }, said('fix it', 't', 'user')];
const over = (failure: Failure): EventInput => ({ type: 'turn_ended', turnId: 't', stopReason: 'error', failure });
const EXITED: Failure = { code: 'agent.exited', params: { exitCode: 3 } };
const BAD: Failure = { code: 'request.failed', params: { method: 'session/prompt', code: -32603 }, detail: 'no credit' };

describe('Retry', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const retry = () => view.page.getByRole('log').getByRole('button', { name: 'Retry', exact: true });
  const message = () => view.page.getByRole('textbox', { name: 'Message', exact: true });

  it('sends the prompt once, and removes the returned text from the box', async () => {
    await view.happen(...begun, over(BAD));
    await view.send({ type: 'restore_text', text: 'fix it' });
    await message().press('End');
    await retry().focus();
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.postedAtLeast('retry_prompt'), [{ type: 'retry_prompt', turnId: 't' }]);
    assert.equal(await message().inputValue(), '');
    assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Message');
    await view.happen({ type: 'turn_started', turnId: 'u' }, said('fix it', 'u', 'user'));
    await retry().waitFor({ state: 'detached' });
    assert.equal((await view.posted('prompt')).length, 0);
  });

  it('is offered, and announced, with the log for a turn without an answer', async () => {
    await view.happen(...begun, said('\n', 'blank', 'agent'), { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    const turn = view.page.getByRole('group', { name: 'End of turn' });
    await turn.getByText('The agent ended its turn without an answer.').waitFor();
    assert.equal(await view.page.getByRole('log').getByRole('group', { name: 'Agent', exact: true }).count(), 0);
    await view.page
      .locator('[aria-live]', { hasText: 'The agent ended its turn without an answer.' })
      .first()
      .waitFor({ state: 'attached' });
    await turn.getByRole('button', { name: 'Show Log' }).waitFor();
    await retry().click();
    assert.deepEqual(await view.postedAtLeast('retry_prompt'), [{ type: 'retry_prompt', turnId: 't' }]);
    await view.happen({ type: 'turn_started', turnId: 'next' }, said('again', 'again', 'user'), said('Here.', 'here', 'agent'));
    await turn.getByRole('button').first().waitFor({ state: 'detached' });
    assert.equal(await turn.innerText(), 'The agent ended its turn without an answer.');
  });

  it('keeps text that was typed since', async () => {
    await view.happen(...begun, over(BAD));
    await message().fill('something else');
    await view.send({ type: 'restore_text', text: 'fix it' });
    assert.equal(await message().inputValue(), 'fix it\n\nsomething else');
    await retry().click();
    assert.equal(await message().inputValue(), 'something else');
  });

  it('is offered for the last failed turn, not for a stopped one or an ended session', async () => {
    await view.happen(...begun, over(BAD));
    await retry().waitFor();
    await view.happen({ type: 'session_ended' });
    await retry().waitFor({ state: 'detached' });
  });

  it('is the only text of the turn after a crash: the banner gives the reason', async () => {
    const offers = { ...NO_CAPABILITIES, resume: true };
    await view.happen({ ...initialized(), offers } as EventInput, { type: 'session_ready', sessionId: 's' });
    await view.happen(...begun, over(EXITED), { type: 'disconnected', failure: EXITED });
    await retry().waitFor();
    assert.equal(await view.page.locator('.failure-words', { hasText: "The agent's process exited" }).count(), 1);
    await retry().click();
    assert.equal((await view.postedAtLeast('retry_prompt')).length, 1);
  });
});
