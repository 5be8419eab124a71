/** The work in the background above the message box, and the messages that the agent suggests below it. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { permissionRequest } from '../support/events';
import { brokenIn } from './support/axe';
import { eachInItsOwnView, type View } from './support/view';

const task = (taskId: string, patch: object): EventInput => ({ type: 'background_task', taskId, patch });

describe('background tasks', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const list = () => view.page.getByRole('group', { name: 'Background tasks' });
  const message = () => view.page.getByRole('textbox', { name: 'Message' });

  it('are listed with their state, output and Stop', async () => {
    assert.equal(await list().count(), 0);
    await view.happen(
      { type: 'tool_call_update', toolCallId: 'c', patch: { title: 'npm run dev', kind: 'execute', status: 'completed' } },
      { type: 'terminal_update', terminalId: 'c', command: 'npm run dev' },
      { type: 'terminal_output', terminalId: 'c', text: 'Listening on 3000\r\n' },
      task('t', { name: 'Dev server', toolCallId: 'c', canStop: true, outputPath: '/tmp/dev.output', summary: 'It listens.' }),
      task('u', { name: 'Watcher' }),
    );
    await list().getByRole('button', { name: '2 tasks in the background' }).click();
    await list()
      .getByRole('button', { name: /^Dev server\s*Running/ })
      .click();
    await list().getByText('Listening on 3000').waitFor();
    await list().getByText('It listens.').waitFor();
    assert.deepEqual(await brokenIn('dark', view), []);
    await list().getByRole('button', { name: 'Open output: dev.output' }).click();
    assert.equal((await view.postedAtLeast('open_location'))[0]?.path, '/tmp/dev.output');
    // Only one of them can be stopped.
    assert.equal(
      await list()
        .getByRole('button', { name: /^Stop / })
        .count(),
      1,
    );
    await list().getByRole('button', { name: 'Stop Dev server' }).click();
    assert.deepEqual(await view.postedAtLeast('stop_task'), [{ type: 'stop_task', taskId: 't' }]);
    await view.page.getByRole('article', { name: /npm run dev, In background/ }).waitFor();
    await view.happen(task('t', { status: 'stopped' }), task('u', { status: 'completed' }));
    await list().getByRole('button', { name: 'Background tasks ended' }).waitFor();
    await view.page.getByRole('article', { name: /npm run dev, Done/ }).waitFor();
  });

  it("include the agent's own list, with the Stop of each piece of work", async () => {
    await view.happen(
      { type: 'tool_call_update', toolCallId: 'm', patch: { title: 'Monitor the log', status: 'in_progress', canCancel: true } },
      { type: 'terminal_update', terminalId: 'c', command: 'npm run dev', canCancel: true },
      { type: 'subagent_update', subagentId: 's', patch: { title: 'Explore', work: { state: 'running' }, canCancel: true } },
      {
        type: 'background_work',
        items: [
          { type: 'terminal', terminalId: 'c' },
          { type: 'tool_call', toolCallId: 'm' },
          { type: 'subagent', subagentId: 's' },
          { type: '_new' },
        ],
      },
    );
    await list().getByRole('button', { name: '4 tasks in the background' }).click();
    await list()
      .getByRole('button', { name: /^_new\s*Running/ })
      .waitFor();
    assert.deepEqual(await brokenIn('dark', view), []);
    for (const name of ['Stop npm run dev', 'Stop Monitor the log', 'Stop Explore']) {
      await list().getByRole('button', { name }).click();
    }
    assert.deepEqual(await view.postedAtLeast('stop_terminal'), [{ type: 'stop_terminal', terminalId: 'c' }]);
    assert.deepEqual(await view.postedAtLeast('stop_tool_call'), [{ type: 'stop_tool_call', toolCallId: 'm' }]);
    assert.deepEqual(await view.postedAtLeast('stop_subagent'), [{ type: 'stop_subagent', subagentId: 's' }]);
    await view.page.getByRole('article', { name: /Monitor the log, In background/ }).waitFor();
    await view.happen({ type: 'background_work', items: [] });
    await list().waitFor({ state: 'detached' });
  });

  it('can be marked as ended when the agent reports no end', async () => {
    await view.happen(
      { type: 'turn_started', turnId: 'one' },
      { type: 'tool_call_update', toolCallId: 'c', patch: { title: 'touch a', kind: 'execute', status: 'in_progress', content: [] } },
      { type: 'tool_call_update', toolCallId: 'd', patch: { title: 'Watch the logs', kind: 'other', status: 'in_progress' } },
      { type: 'terminal_update', terminalId: 'c', command: 'touch a' },
      { type: 'turn_ended', turnId: 'one', stopReason: 'end_turn' },
    );
    await list().getByRole('button', { name: '1 task in the background' }).click();
    await list()
      .getByRole('button', { name: /^touch a\s*Running/ })
      .click();
    await list().getByText('The agent has not reported an end.').waitFor();
    assert.deepEqual(await brokenIn('dark', view), []);
    await list().getByRole('button', { name: 'Mark touch a as Ended' }).click();
    await view.happen(
      { type: 'tool_call_update', toolCallId: 'c', patch: { status: 'unfinished' } },
      { type: 'terminal_update', terminalId: 'c', released: true },
    );
    await list().waitFor({ state: 'detached' });
    await view.page.getByRole('article', { name: /touch a, Not finished/ }).waitFor();
    const card = view.page.getByRole('article', { name: /Watch the logs, In background/ });
    await card.locator('.tool-header').click();
    await card.getByText('The agent has not reported an end.').waitFor();
    assert.deepEqual(await brokenIn('dark', view), []);
    await card.getByRole('button', { name: 'Mark as Ended' }).click();
    await view.happen({ type: 'tool_call_update', toolCallId: 'd', patch: { status: 'unfinished' } });
    await view.page.getByRole('article', { name: /Watch the logs, Not finished/ }).waitFor();
    assert.deepEqual(await view.postedAtLeast('mark_ended', 2), [
      { type: 'mark_ended', toolCallId: 'c' },
      { type: 'mark_ended', toolCallId: 'd' },
    ]);
    assert.equal(await view.page.getByRole('button', { name: /Mark .*Ended/ }).count(), 0);
  });

  it('give the focus back to the message box when the list goes', async () => {
    await view.happen(task('t', { name: 'Dev server', status: 'completed' }));
    await list().getByRole('button', { name: 'Background tasks ended' }).focus();
    await view.happen({ type: 'turn_started', turnId: 'next' });
    await list().waitFor({ state: 'detached' });
    assert.equal(await message().evaluate((element) => element === document.activeElement), true);
  });
});

describe('the activity of a turn', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  it("is the agent's own word for it", async () => {
    const shows = (text: string) => view.page.locator('.activity').getByText(text, { exact: true }).waitFor();
    await view.happen({ type: 'turn_started', turnId: 'one' });
    await shows('Working…');
    await view.happen({ type: 'turn_activity', activity: 'requires_action' });
    await shows('Waiting for you');
    await view.happen({ type: 'turn_activity', activity: 'unknown' });
    await shows('State unknown');
    await view.happen({ type: 'turn_activity', activity: '_compacting' });
    await shows('Working: _compacting');
    assert.deepEqual(await brokenIn('dark', view), []);
    await view.happen({ type: 'turn_activity', activity: 'running' });
    await shows('Working…');
  });
});

describe('suggested messages', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const chips = () => view.page.getByRole('group', { name: 'Suggested messages' });
  const message = () => view.page.getByRole('textbox', { name: 'Message' });
  const suggest: EventInput = { type: 'prompt_suggestions', suggestions: ['Run the tests', 'Commit it'] };

  it('are taken by Tab or a click, and not sent', async () => {
    await view.happen(suggest);
    await chips().getByRole('button', { name: 'Commit it' }).waitFor();
    assert.deepEqual(await brokenIn('dark', view), []);
    await message().focus();
    await view.page.keyboard.press('Tab');
    assert.equal(await message().inputValue(), 'Run the tests');
    assert.equal(await chips().count(), 0);
    await message().fill('');
    await chips().getByRole('button', { name: 'Commit it' }).click();
    assert.equal(await message().inputValue(), 'Commit it');
    assert.equal((await view.posted('prompt')).length, 0);
  });

  it('leave Tab alone while the box has text, and go with the next turn', async () => {
    await view.happen(suggest);
    await chips().waitFor();
    await message().fill('Mine');
    await view.page.keyboard.press('Tab');
    assert.equal(await message().inputValue(), 'Mine');
    await message().fill('');
    await chips().waitFor();
    await view.happen({ type: 'turn_started', turnId: 'next' });
    await chips().waitFor({ state: 'detached' });
  });
});

describe("the agent's advice", function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  it('to refuse preselects that answer', async () => {
    const options = [
      { optionId: 'n', name: 'Keep it', kind: 'reject_once' },
      { optionId: 'y', name: 'Delete it', kind: 'allow_once' },
    ];
    await view.happen({ ...permissionRequest('p1', 'Delete?', { options }), defaultToNo: true } as EventInput);
    const answer = (name: string) => view.page.getByRole('button', { name, exact: true });
    await answer('Keep it').waitFor();
    const primary = (name: string) => answer(name).evaluate((button) => !button.classList.contains('button-secondary'));
    assert.deepEqual([await primary('Keep it'), await primary('Delete it')], [true, false]);
    assert.match((await answer('Keep it').getAttribute('aria-keyshortcuts')) ?? '', /Control\+Enter/);
  });

  it('for an option is in the list', async () => {
    await view.happen({
      type: 'config_options',
      options: [
        {
          type: 'select',
          configId: 'm',
          name: 'Model',
          currentValue: 'a',
          recommended: 'b',
          groups: [
            {
              choices: [
                { value: 'a', name: 'Small' },
                { value: 'b', name: 'Large', description: 'For hard work' },
              ],
            },
          ],
        },
      ],
    });
    await view.page.getByRole('combobox', { name: /Model/ }).click();
    await view.page.getByRole('option', { name: /Large/ }).getByText('Recommended · For hard work').waitFor();
  });

  it('about a failed turn is a button, and Retry only where it helps', async () => {
    await view.happen(
      { type: 'turn_started', turnId: '1' },
      { type: 'message', role: 'user', messageId: '1', content: [{ type: 'text', text: 'go' }] },
      {
        type: 'turn_ended',
        turnId: '1',
        stopReason: 'error',
        failure: { code: 'turn.failed', params: { actions: 'new_session', category: 'limit' }, detail: 'The context is full.' },
      },
    );
    const end = view.page.getByRole('group', { name: 'End of turn' });
    await end.getByText('The context is full.').waitFor();
    await end.getByRole('button', { name: 'Continue in New Session' }).waitFor();
    assert.equal(await end.getByRole('button', { name: 'Retry' }).count(), 0);
  });

  it('about a failure of the session is in its notice', async () => {
    await view.happen({ type: 'notice', noticeId: 'f', severity: 'error', title: 'Overloaded', actions: ['new_session', 'retry'] });
    const notice = view.page.getByRole('note').filter({ hasText: 'Overloaded' });
    await notice.getByRole('button', { name: 'Continue in New Session' }).click();
    assert.equal((await view.postedAtLeast('action'))[0]?.action, 'continue_in_new');
  });

  it('shows the file of a plan', async () => {
    await view.happen({ type: 'plan_update', planId: 'p', plan: { type: 'markdown', content: '# Plan', path: '/w/plans/one.md' } });
    await view.page.getByRole('button', { name: 'Plan', exact: true }).click();
    await view.page.getByRole('button', { name: 'one.md' }).click();
    assert.equal((await view.postedAtLeast('open_location'))[0]?.path, '/w/plans/one.md');
  });
});
