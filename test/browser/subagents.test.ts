import assert from 'node:assert/strict';
import { asSubagentEvents } from '../../src/core/subagents/innerEvents';
import type { SubagentPatch } from '../../src/core/model/subagent';
import type { EventInput } from '../../src/core/model/event';
import { broken } from './support/axe';
import { eachInItsOwnView, type View } from './support/view';
import { chunk, message, permissionRequest, toolCall, toolDiff, toolText } from '../support/events';

const update = (subagentId: string, patch: SubagentPatch, parentId?: string): EventInput => ({
  type: 'subagent_update',
  subagentId,
  patch,
  ...(parentId !== undefined && { parentId }),
});
const inner = (subagentId: string, ...events: EventInput[]): EventInput[] => asSubagentEvents(subagentId, events);
const running: SubagentPatch = { work: { state: 'running' }, canCancel: true };

describe('subagent cards', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const card = (name: string) => view.page.getByRole('article', { name: new RegExp(`^Sub-agent ${name}`) });
  const header = (name: string) => card(name).locator('> .tool-head > .tool-header');

  it('show name, task, status, tool and tokens, and open to the same entries as any conversation', async () => {
    await view.happen(
      update('x', { title: 'Explore', description: 'Find the callers of greet', ...running }),
      ...inner(
        'x',
        { type: 'usage', usage: { used: 12_300, size: 200_000 } },
        message('Looking for **callers**.', 'm'),
        toolCall('c', { title: 'Change a.ts', kind: 'edit', status: 'completed', content: [toolDiff('/a.ts', 'a\n', 'b\n')] }),
        toolCall('r', { title: 'Read b.ts', kind: 'read', status: 'in_progress' }),
        {
          type: 'plan_update',
          planId: 'plan',
          plan: { type: 'items', entries: [{ content: 'Look', priority: 'high', status: 'pending' }] },
        },
      ),
    );
    await card('Explore, Running').waitFor();
    const words = await card('Explore').innerText();
    for (const word of ['Explore', 'Find the callers of greet', '12K tokens', 'Read b.ts']) {
      assert.ok(words.includes(word), `${word} in ${words}`);
    }
    assert.equal(await view.page.getByText('Looking for').count(), 0);
    assert.equal(await header('Explore').getAttribute('aria-expanded'), 'false');
    await header('Explore').click();
    const conversation = view.page.getByRole('group', { name: 'Conversation of Explore' });
    await conversation.locator('strong', { hasText: 'callers' }).waitFor();
    await conversation.getByRole('article', { name: /^Change a\.ts, Done/ }).waitFor();
    await conversation.locator('.diff-line.add').first().waitFor();
    await conversation.getByRole('button', { name: /Plan/ }).waitFor();
    await view.happen(...inner('x', chunk(' And more.', 'm')));
    await conversation.getByText('And more.').waitFor();
    await header('Explore').click();
    await conversation.waitFor({ state: 'detached' });
  });

  it('are nested, and show at every level that one of them waits', async () => {
    await view.happen(
      update('x', { title: 'Explore', ...running }),
      update('y', { title: 'Reader', ...running }, 'x'),
      update('z', { title: 'Other', ...running }),
      ...inner('y', toolCall('t', { title: 'rm build', kind: 'execute', status: 'pending' })),
      {
        ...permissionRequest('p', 'rm build', {
          options: [{ optionId: 'y', name: 'Allow', kind: 'allow_once' }],
          subject: { toolCallId: 'y/t' },
        }),
        askedBy: 'Reader',
        subagentId: 'y',
      },
    );
    await card('Explore, Waiting for you').waitFor();
    await card('Other, Running').waitFor();
    await header('Explore').click();
    await card('Reader, Waiting for you').waitFor();
    await view.page.getByText('Sub-agent Reader asks').waitFor();
    await card('Reader').getByRole('button', { name: 'Show Question' }).click();
    await view.page.waitForFunction(() => document.activeElement?.getAttribute('data-entry-id') === 'permission:p');
    await view.happen({ type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' });
    await card('Explore, Running').waitFor();
    // The answered question is one line, which still names the subagent.
    assert.match(await view.page.getByRole('group', { name: 'rm build' }).innerText(), /rm build Reader\s+Allowed/);
  });

  it('stop one of them, where the agent can do that', async () => {
    await view.happen(update('x', { title: 'Explore', ...running }), update('z', { title: 'Other', work: { state: 'running' } }));
    assert.equal(await card('Other').getByRole('button', { name: 'Stop Other' }).count(), 0);
    await card('Explore').getByRole('button', { name: 'Stop Explore' }).click();
    assert.deepEqual((await view.postedAtLeast('stop_subagent'))[0], { type: 'stop_subagent', subagentId: 'x' });
    await view.happen({ type: 'subagent_cancelling', subagentId: 'x' });
    await card('Explore, Stopping').waitFor();
    await view.happen(update('x', { work: { state: 'idle', stopReason: 'cancelled' } }));
    await card('Explore, Stopped').waitFor();
    assert.equal(await card('Explore').getByRole('button', { name: /^Stop/ }).count(), 0);
  });

  it('follow their tool call, and show messages between the agents', async () => {
    await view.happen(
      update('x', { title: 'Explore', work: { state: 'idle', stopReason: 'error', detail: 'Out of quota' } }),
      toolCall('t', { title: 'Task', kind: 'think', status: 'completed', content: [{ type: 'session', sessionId: 'x' }] }),
      { type: 'session_message', messageId: 'm', senderId: 'x', content: [{ type: 'text', text: 'Nothing found.' }] },
    );
    await card('Explore, Failed').getByText('Out of quota').waitFor();
    const slots = await view.page
      .locator('.log > .page > [data-slot]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-slot')));
    assert.deepEqual(slots.slice(-3), ['tool_call:t', 'subagent:x', 'session_message:m']);
    await view.page.getByRole('button', { name: 'Message from Explore' }).click();
    await view.page.getByText('Nothing found.').waitFor();
  });

  it('show a task once, in the conversation of the recipient', async () => {
    const task = {
      type: 'session_message',
      messageId: 'm',
      recipientId: 'x',
      content: [{ type: 'text', text: 'Find the callers' }],
    } as const;
    await view.happen(update('x', { title: 'Explore', ...running }), task);
    const button = view.page.getByRole('button', { name: 'Message to Explore' });
    await button.waitFor();
    await view.happen(...inner('x', task));
    await button.waitFor({ state: 'detached' });
    await header('Explore').click();
    await button.click();
    await view.page.getByText('Find the callers').waitFor();
  });

  it('show hostile names as text, and have no accessibility problems, open and closed', async () => {
    await view.happen(
      update('<img src=x onerror=alert(1)>', { title: '<b>Bold</b>\u202e', description: 'x'.repeat(5000), ...running }),
      ...inner(
        '<img src=x onerror=alert(1)>',
        message('Hi', 'm'),
        toolCall('c', { title: 'Run', status: 'failed', content: [toolText('No')] }),
      ),
    );
    assert.equal(await view.page.locator('.subagent img, .subagent b').count(), 0);
    const closed = await broken(view);
    await view.page.locator('.subagent .tool-header').first().click();
    await view.page.getByRole('article', { name: /^Run, Failed/ }).waitFor();
    assert.deepEqual([closed, await broken(view)], [[], []]);
  });

  it('request the conversation from the host when the page opens them first', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => message(`Line ${index}.`, `m${index}`));
    await view.happen(
      update('x', { title: 'Explore', ...running }),
      ...inner('x', ...lines),
      update('y', { title: 'Reader' }, 'x'),
      ...inner('y', message('Deep.', 'm')),
    );
    await view.page.evaluate(() => window.playground.stage.snapshot([]));
    await header('Explore').click();
    await view.page.getByText('Line 99.').waitFor();
    await header('Reader').click();
    await view.page.getByText('Deep.').waitFor();
    await view.happen(...inner('x', chunk(' And more.', 'm99')));
    await view.page.getByText('Line 99. And more.').waitFor();
  });

  it('are named beside the files that they changed, in the turn and in the review', async () => {
    const file = { path: '/a/b.ts', operation: 'modify', added: 1, removed: 1 };
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      ...['x', 'y', 'z'].map((name) => update(name, { title: `<b>${name}</b>` })),
      { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
      {
        type: 'turn_changes',
        turnId: 't',
        changes: {
          files: [
            { ...file, subagents: ['x', 'gone', 'y', 'z'] },
            { ...file, path: '/a/c.ts' },
          ],
        },
      },
      { type: 'pending_changes', changes: { files: [{ ...file, subagents: ['x'] }], added: 1, removed: 1 } },
    );
    const list = view.page.getByRole('group', { name: 'End of turn' });
    await list.getByRole('button', { name: '2 files changed' }).click();
    await list.getByText('by <b>x</b>, <b>y</b> and 1 more').waitFor();
    assert.equal(await list.getByText(/^by /).count(), 1);
    const bar = view.page.getByRole('group', { name: 'Changes to review' });
    await bar.getByRole('button', { name: '1 file changed' }).click();
    await bar.getByText('by <b>x</b>', { exact: true }).waitFor();
  });

  it('show 200 subagents', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `s${index}`);
    await view.happen(
      ...names.map((name) => update(name, { title: name, ...running })),
      ...names.flatMap((name) => inner(name, message('Hi', 'm'))),
    );
    await card('s199, Running').waitFor();
    await header('s199').click();
    await view.page.getByRole('group', { name: 'Conversation of s199' }).getByText('Hi').waitFor();
  });
});
