/** The line below the header while the connection to a remote agent is made again. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import type { Failure } from '../../src/core/model/failure';
import { initialized } from '../support/events';
import { broken } from './support/axe';
import { eachInItsOwnView, type View } from './support/view';

const HOST = 'agents.example:8443';
const LOST: Failure = { code: 'remote.closed', params: { host: HOST } };
const AWAY: Failure = { code: 'remote.unreachable', params: { host: HOST } };
const wait = (attempt: number, seconds: number): EventInput => ({
  type: 'reconnect_scheduled',
  reconnect: { attempt, at: Date.now() + seconds * 1000, host: HOST, wasBusy: false },
});

describe('a broken connection to a remote agent', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));
  beforeEach(async () => {
    await view.tame();
    const offers = { ...initialized(), offers: { ...(initialized() as { offers?: object }).offers, resume: true } };
    await view.happen(offers as EventInput);
    await view.page.getByRole('textbox', { name: 'Message', exact: true }).fill('half a thought');
    await view.happen({ type: 'disconnected', failure: LOST }, wait(1, 8));
  });

  const line = () => view.page.getByRole('group', { name: `Reconnecting to ${HOST}…` });
  const said = (words: string | RegExp) => view.page.getByRole('status').getByText(words);

  it('is counted down in a line below the header, and keeps the draft', async () => {
    await line()
      .getByText(/^Reconnecting to agents\.example:8443 in [678] s…$/)
      .waitFor();
    const [header, below] = await Promise.all([view.page.locator('header').first().boundingBox(), line().boundingBox()]);
    assert.ok(Math.abs(header!.y + header!.height - below!.y) <= 1);
    // The line replaces the banner above the message box.
    assert.equal(await view.page.getByText('Agent disconnected').count(), 0);
    assert.equal(await view.page.getByRole('textbox', { name: 'Message', exact: true }).inputValue(), 'half a thought');
    assert.deepEqual(await broken(view), []);
  });

  it('is tried at once from the keyboard, and says so while it is tried', async () => {
    await line().getByRole('button', { name: 'Retry Now' }).press('Enter');
    assert.deepEqual(await view.postedAtLeast('action'), [{ type: 'action', action: 'resume' }]);
    await view.happen({ type: 'session_opened', agentName: 'Far', cwd: '/w' });
    await line().getByText(`Reconnecting to ${HOST}…`, { exact: true }).waitFor();
    assert.equal(await line().getByRole('button').count(), 0);
  });

  it('is announced once, politely, and not again for each attempt or second', async () => {
    await said(`Reconnecting to ${HOST}…`).waitFor({ state: 'attached' });
    for (const attempt of [2, 3]) {
      await view.happen(
        { type: 'session_opened', agentName: 'Far', cwd: '/w' },
        { type: 'session_failed', failure: AWAY },
        wait(attempt, 8),
      );
    }
    await line()
      .getByText(/in [678] s…$/)
      .waitFor();
    assert.equal(await said(/can't be reached/).count(), 0);
    assert.ok((await said(`Reconnecting to ${HOST}…`).count()) <= 1);
    assert.equal(await line().getByRole('timer').getAttribute('aria-live'), null);
    assert.equal(
      await view.page
        .getByRole('alert')
        .getByText(/Reconnecting/)
        .count(),
      0,
    );
  });

  it('ends with the session as it was, and one quiet line', async () => {
    await view.happen(
      { type: 'session_opened', agentName: 'Far', cwd: '/w' },
      { type: 'session_ready', sessionId: 's' },
      {
        type: 'notice',
        noticeId: 'n',
        severity: 'info',
        title: '',
        failure: { code: 'session.reconnected', params: { host: HOST, method: 'resume' } },
      },
    );
    await line().waitFor({ state: 'detached' });
    await view.page.getByRole('log').getByText(`Reconnected to ${HOST}. Updates that the agent sent in between may be missing.`).waitFor();
    assert.deepEqual(await broken(view), []);
  });

  it('shows the failure when no attempt follows, and says it', async () => {
    await view.happen(
      { type: 'session_opened', agentName: 'Far', cwd: '/w' },
      { type: 'session_failed', failure: AWAY },
      { type: 'reconnect_scheduled' },
    );
    await line().waitFor({ state: 'detached' });
    await said(/can't be reached/)
      .first()
      .waitFor({ state: 'attached' });
    await view.page.getByRole('button', { name: 'Retry', exact: true }).waitFor();
  });
});
