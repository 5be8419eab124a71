/** Errors that the conversation has moved past, and the wait after a rate limit. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import type { Failure } from '../../src/core/model/failure';
import { NO_CAPABILITIES } from '../../src/core/model/wellKnown';
import { initialized, message as said } from '../support/events';
import { type View, eachInItsOwnView } from './support/view';

const begun = (turnId: string, words = 'fix it'): EventInput[] => [{ type: 'turn_started', turnId }, said(words, turnId, 'user')];
const over = (turnId: string, failure: Failure): EventInput => ({ type: 'turn_ended', turnId, stopReason: 'error', failure });
const BAD: Failure = { code: 'request.failed', params: { method: 'session/prompt', code: -32603 }, detail: 'no credit\n\n' };
const LIMIT: Failure = { code: 'request.failed', params: { cause: 'rate_limit', retryAfter: 32 }, detail: 'rate limit' };
const EXITED: Failure = { code: 'agent.exited', params: { exitCode: 3 }, detail: 'panic: out of cheese\n' };

describe('an error', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const turn = (nth = 0) => view.page.getByRole('group', { name: 'End of turn' }).nth(nth);
  const primary = () => view.page.locator('.button:not(.button-secondary):visible');

  it('collapses to a line without a primary button when the next message is sent', async () => {
    await view.happen(...begun('t'), over('t', BAD));
    await turn().getByRole('button', { name: 'Retry', exact: true }).waitFor();
    assert.deepEqual(await primary().allInnerTexts(), ['Retry']);
    const tall = (await turn().boundingBox())!.height;
    await view.happen(...begun('u', 'again'), over('u', LIMIT));
    const line = turn().getByRole('button', { expanded: false }).first();
    await line.waitFor();
    assert.equal(await turn().locator('.failure').count(), 0);
    assert.ok((await turn().boundingBox())!.height < Math.min(60, tall), 'more than a line and the time');
    assert.deepEqual(await primary().allInnerTexts(), ['Retry'], 'that of the newest error');
    await line.press('Enter');
    await turn().locator('.failure').getByText('no credit').waitFor();
    await turn().getByRole('button', { name: 'Show Log' }).waitFor();
    assert.deepEqual(await primary().allInnerTexts(), ['Retry']);
  });

  it('collapses to a line after Retry', async () => {
    await view.happen(...begun('t'), over('t', BAD));
    await turn().getByRole('button', { name: 'Retry', exact: true }).click();
    await view.happen(...begun('u'));
    await turn().locator('.failure').waitFor({ state: 'detached' });
    await turn().getByRole('button', { expanded: false }).first().waitFor();
    assert.equal(await primary().count(), 0);
  });

  it('is not shown when the user stopped the agent, or a log is over', async () => {
    for (const [code, text] of [
      ['agent.stopped', 'You stopped the agent.'],
      ['session.replayed', 'End of the replayed log.'],
    ] as const) {
      await view.happen({ type: 'session_ready', sessionId: 's' }, { type: 'disconnected', failure: { code } });
      await view.page.getByRole('group', { name: text }).waitFor();
      assert.equal(await view.page.locator('.banner-failure').count(), 0);
    }
  });

  it('stays whole while only notices follow it', async () => {
    await view.happen(...begun('t'), over('t', BAD), { type: 'notice', noticeId: 'n', severity: 'info', title: 'A notice' });
    await view.page.getByText('A notice').first().waitFor();
    await turn().locator('.failure').waitFor();
  });

  it('leaves Retry as the only primary button after a crash', async () => {
    await view.happen({ ...initialized(), offers: { ...NO_CAPABILITIES, resume: true } } as EventInput, {
      type: 'session_ready',
      sessionId: 's',
    });
    await view.happen(...begun('t'), over('t', EXITED), { type: 'disconnected', failure: EXITED });
    await view.page.getByRole('button', { name: 'Restart', exact: true }).waitFor();
    assert.deepEqual(await primary().allInnerTexts(), ['Retry']);
  });

  it('has the only primary button beside an earlier error, changes to review and queued messages', async () => {
    const files = [{ path: '/w/cart.ts', operation: 'modify', added: 7, removed: 2 }];
    const queued: EventInput = { type: 'message_queued', queueId: 'q', content: [{ type: 'text', text: 'then this' }], size: 9 };
    await view.happen(...begun('t'), over('t', BAD), ...begun('u', 'again'), queued, over('u', LIMIT), {
      type: 'pending_changes',
      changes: { files, added: 7, removed: 2 },
    });
    await view.page.getByRole('button', { name: /1 file changed/ }).waitFor();
    await view.page.getByText('then this').waitFor();
    assert.deepEqual(await primary().allInnerTexts(), ['Retry']);
  });

  it('leaves the primary button to the banner of a lost session', async () => {
    await view.happen(...begun('t'), over('t', LIMIT));
    await turn().getByRole('button', { name: 'Retry', exact: true }).waitFor();
    await view.happen({ type: 'disconnected', failure: EXITED });
    await view.page.getByRole('button', { name: 'Restart', exact: true }).waitFor();
    await turn().getByRole('button', { name: 'Continue with Another Agent…' }).waitFor();
    assert.deepEqual(await primary().allInnerTexts(), ['Restart']);
    await view.happen({ type: 'session_ended' });
    await view.page.getByRole('button', { name: 'Restart', exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(await primary().allInnerTexts(), ['Continue in New Session']);
  });

  it('leaves the primary button to the banner when the earlier session cannot be opened', async () => {
    await view.happen(...begun('t'), over('t', LIMIT), {
      type: 'session_failed',
      failure: { code: 'request.failed', params: { method: 'session/resume', code: -32603 }, detail: 'gone' },
    });
    await view.page.locator('.banner-start').waitFor();
    assert.equal(await primary().count(), 1);
    assert.equal(await turn().locator('.button:not(.button-secondary)').count(), 0);
  });

  it('leaves Continue as the only primary button after a crash that follows a limit of tokens', async () => {
    await view.happen({ ...initialized(), offers: { ...NO_CAPABILITIES, resume: true } } as EventInput, {
      type: 'session_ready',
      sessionId: 's',
    });
    await view.happen(
      ...begun('t'),
      said('Half of it', 'a'),
      { type: 'turn_ended', turnId: 't', stopReason: 'max_tokens' },
      { type: 'disconnected', failure: EXITED },
    );
    await view.page.getByRole('button', { name: 'Restart', exact: true }).waitFor();
    assert.deepEqual(await primary().allInnerTexts(), ['Continue']);
  });

  it('has a primary button in its banner where nothing can be retried', async () => {
    await view.happen({ type: 'disconnected', failure: EXITED });
    await view.page.getByRole('button', { name: 'Restart', exact: true }).waitFor();
    assert.deepEqual(await primary().allInnerTexts(), ['Restart']);
  });

  it('shows output without trailing empty lines', async () => {
    await view.happen(...begun('t'), over('t', BAD));
    assert.equal(await turn().locator('.failure-detail').textContent(), 'no credit');
    await view.happen({ type: 'disconnected', failure: EXITED });
    const output = view.page.getByRole('group', { name: 'Disconnected' }).locator('.failure-detail');
    assert.equal(await output.textContent(), 'panic: out of cheese');
    const [height, line] = await output.evaluate(
      (element) => [element.clientHeight, parseFloat(getComputedStyle(element).lineHeight)] as const,
    );
    assert.ok(height < 2 * line + 12, `${height} px for a line of ${line} px`);
  });

  it('shows the last lines of a crashed agent before its command, which is long', async () => {
    const commandLine = `npx agent ${'--flag value '.repeat(100)}`;
    await view.happen({ type: 'disconnected', failure: { ...EXITED, params: { ...EXITED.params, commandLine } } });
    const banner = view.page.getByRole('group', { name: 'Disconnected' });
    const [output, command] = [
      await banner.locator('.failure-detail').boundingBox(),
      await banner.locator('.failure-command').boundingBox(),
    ];
    assert.ok(output!.y + output!.height <= command!.y, JSON.stringify({ output, command }));
    const body = (await banner.locator('.failure-body').boundingBox())!;
    assert.ok(output!.y + output!.height <= body.y + body.height, 'the lines are in sight');
  });

  it('shows its command whole or not at all, however low the page is', async () => {
    const commandLine = `/opt/tools/bin/node ${'/home/user/agents/'.repeat(8)}index.js`;
    const files = ['cart', 'format'].map((name) => ({ path: `/w/${name}.ts`, operation: 'modify', added: 7, removed: 2 }));
    const queued = ['q', 'r', 's'].map(
      (queueId): EventInput => ({ type: 'message_queued', queueId, content: [{ type: 'text', text: queueId }], size: 9 }),
    );
    await view.happen(...begun('t'), ...queued, { type: 'pending_changes', changes: { files, added: 14, removed: 4 } });
    await view.page.getByRole('button', { name: /2 files changed/ }).click();
    await view.happen({ type: 'disconnected', failure: { code: 'agent.exited', params: { exitCode: 3, commandLine } } });
    const banner = view.page.getByRole('group', { name: 'Disconnected' });
    const shown = new Set<boolean>();
    for (let height = 320; height <= 1040; height += 48) {
      await view.page.setViewportSize({ width: 640, height });
      await view.painted();
      const [body, words, command] = [
        (await banner.locator('.failure-body').boundingBox())!,
        (await banner.locator('.failure-words').boundingBox())!,
        (await banner.locator('.failure-command').boundingBox())!,
      ];
      const isIn = (box: typeof body) => box.x < body.x + body.width && box.y + box.height <= body.y + body.height + 1;
      const isOut = command.x >= body.x + body.width || command.y >= body.y + body.height;
      assert.ok(isIn(words), `the words at ${height} px: ${JSON.stringify({ words, body })}`);
      assert.ok(isIn(command) || isOut, `the command at ${height} px: ${JSON.stringify({ command, body })}`);
      shown.add(isIn(command));
    }
    assert.deepEqual([...shown], [false, true]);
  });
});

describe('a rate limit that says when to retry', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView(
    (opened) => (view = opened),
    async () => {
      await view.page.clock.install({ time: 1_800_000_000_000 });
      await view.ready();
      await view.tame();
      await view.happen(...begun('t'), over('t', LIMIT));
      await view.page.clock.runFor(100);
      await time().waitFor();
    },
  );

  const time = () => view.page.getByRole('timer');
  const button = (name: string) => view.page.getByRole('log').getByRole('button', { name, exact: true });
  const message = () => view.page.getByRole('textbox', { name: 'Message', exact: true });
  const retries = () => view.posted('retry_prompt');
  const later = (ms: number) => view.page.clock.runFor(ms);

  it('counts down without announcing each second, and sends nothing unasked', async () => {
    assert.equal(await time().innerText(), 'Retry in 32 s');
    const spoken = () => view.page.locator('[aria-live]:not([aria-live=off])').allInnerTexts();
    const before = await spoken();
    await later(2000);
    assert.equal(await time().innerText(), 'Retry in 30 s');
    assert.deepEqual(await spoken(), before);
    await later(31_000);
    await time().waitFor({ state: 'detached' });
    assert.equal(await button('Send When Ready').count(), 0);
    await button('Retry').waitFor();
    await later(60_000);
    assert.deepEqual(await retries(), []);
  });

  it('sends once when the time is over, if the user has asked for it', async () => {
    await button('Send When Ready').click();
    await later(1000);
    assert.match(await time().innerText(), /^Sends in 3[01] s$/);
    assert.deepEqual(await retries(), []);
    await later(32_000);
    assert.deepEqual(await view.postedAtLeast('retry_prompt'), [{ type: 'retry_prompt', turnId: 't' }]);
    await later(60_000);
    assert.equal((await retries()).length, 1);
  });

  for (const [how, stop] of [
    ['Stop Waiting', () => button('Stop Waiting').click()],
    ['Escape', () => view.page.keyboard.press('Escape')],
    ['a message that is typed', () => message().pressSequentially('x')],
  ] as const) {
    it(`stops waiting on ${how}`, async () => {
      await button('Send When Ready').click();
      await button('Stop Waiting').waitFor();
      await stop();
      await button('Send When Ready').waitFor();
      await later(60_000);
      assert.deepEqual(await retries(), []);
    });
  }

  it('can be retried at once', async () => {
    await button('Retry').click();
    assert.deepEqual(await retries(), [{ type: 'retry_prompt', turnId: 't' }]);
    assert.equal(await time().count(), 0);
  });
});
