/** The limits of the agent's account: the meter, and the wait at a limit. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import type { Failure } from '../../src/core/model/failure';
import { initialized, message as said } from '../support/events';
import { type View, eachInItsOwnView } from './support/view';

const HOUR = 3_600_000;
const begun: EventInput[] = [{ type: 'turn_started', turnId: 't' }, said('fix it', 't', 'user')];
const LIMIT: Failure = { code: 'request.failed', params: { cause: 'usage_limit', retryAfter: 5 * 3600 }, detail: 'limit' };

describe('a limit of the account', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const button = (name: string | RegExp) => view.page.getByRole('log').getByRole('button', { name });

  it('lets the conversation continue by itself at a time, until the user gives up', async () => {
    await view.happen(...begun, { type: 'turn_ended', turnId: 't', stopReason: 'error', failure: LIMIT });
    assert.equal(await button('Send When Ready').count(), 0);
    await button(/^Continue at /).click();
    assert.deepEqual(await view.postedAtLeast('continue_later'), [{ type: 'continue_later', turnId: 't' }]);
    await view.happen({ type: 'continue_scheduled', continuesAt: Date.now() + 5 * HOUR, turnId: 't' });
    await view.page.getByText(/^Continues by itself at /).waitFor();
    await button('Stop Waiting').click();
    assert.equal((await view.postedAtLeast('stop_waiting')).length, 1);
    await view.happen({ type: 'continue_scheduled' });
    await button(/^Continue at /).waitFor();
  });

  it('offers another agent, and another account where the agent has a sign-in', async () => {
    await view.happen({ ...initialized(), authMethods: [{ methodId: 'b', name: 'Browser', type: 'agent' }] } as EventInput, ...begun, {
      type: 'turn_ended',
      turnId: 't',
      stopReason: 'error',
      failure: LIMIT,
    });
    await button('Continue with Another Agent…').waitFor();
    await button('Switch Account…').click();
    assert.deepEqual(await view.postedAtLeast('action'), [{ type: 'action', action: 'switch_account' }]);
  });

  it('continues with another account of the agent', async () => {
    await view.happen(...begun, { type: 'turn_ended', turnId: 't', stopReason: 'error', failure: LIMIT });
    assert.equal((await view.postedAtLeast('accounts')).length, 1);
    assert.equal(await button(/^Continue with Claude/).count(), 0);
    await view.send({ type: 'accounts', accounts: [{ agentId: 'Claude Code (work)', name: 'Claude Code (work)' }] });
    await button('Continue with Claude Code (work)').click();
    assert.deepEqual(await view.postedAtLeast('continue_with_account'), [{ type: 'continue_with_account', agentId: 'Claude Code (work)' }]);
  });

  it('shows what is used and when it resets', async () => {
    const resetsAt = (await view.page.evaluate(() => Date.now())) + 2 * HOUR;
    await view.happen({
      type: 'quota',
      pools: [
        {
          id: 'plan',
          meters: [
            { id: 'five_hour', usedPercent: 97, status: 'warning', resetsAt },
            { id: 'seven_day', usedPercent: 12 },
          ],
        },
        { id: 'extra_usage', label: 'Extra', state: 'exhausted', meters: [{ id: 'cap', used: { value: '5', unit: 'USD' } }] },
      ],
    });
    await view.page.getByRole('button', { name: /5-hour limit: 97% used/ }).click();
    const details = view.page.getByRole('group', { name: 'Usage' });
    await details.getByRole('progressbar', { name: '5-hour limit' }).waitFor();
    const text = await details.innerText();
    assert.match(text, /5-hour limit\s*97%\s*Resets at /);
    assert.match(text, /Weekly limit\s*12%/);
    assert.match(text, /Extra · Used up\s*cap\s*\$5\.00/);
  });
});
