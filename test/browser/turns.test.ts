/** Everything around the conversation's text: the end of a turn, thoughts, usage, plans. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SessionEvent, EventInput } from '../../src/core/model/event';
import { brokenIn } from './support/axe';
import { type View, allInOneView, keepPicture, root } from './support/view';
import { chunk, message, permissionRequest, toolCall, toolDiff } from '../support/events';

describe('view: turns and their surroundings', function () {
  this.timeout(60_000);
  let view: View;

  allInOneView((opened) => (view = opened));

  const edit = (toolCallId: string, path: string, oldText: string | null, newText: string) =>
    toolCall(toolCallId, { title: 'Edit', kind: 'edit', status: 'completed', content: [toolDiff(path, oldText, newText)] });

  describe('the end of a turn', () => {
    it('sums up the changes in one line, which expands to the files and their diffs', async () => {
      await view.happen(
        { type: 'turn_started', turnId: 't' },
        edit('1', '/home/ada/sample/src/a.ts', 'a\nb\n', 'a\nB\nc\n'),
        edit('2', '/home/ada/sample/src/a.ts', 'a\nB\nc\n', 'a\nB\nC\n'),
        edit('3', '/home/ada/sample/new.ts', null, 'x\n'),
        {
          type: 'tool_call_update',
          toolCallId: '4',
          patch: { title: 'rm', kind: 'delete', status: 'completed', locations: [{ path: '/home/ada/sample/old.ts' }] },
        },
        { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
      );
      const turn = view.page.getByRole('group', { name: 'End of turn' });
      const line = turn.getByRole('button', { name: '3 files changed' });
      assert.match(await line.innerText(), /3 files changed\s*\+3\s*−1/);
      assert.equal(await line.getAttribute('aria-expanded'), 'false');
      await line.press('Enter');
      const rows = turn.getByRole('listitem');
      assert.deepEqual(
        (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
        ['src/a.ts +2 −1 Open File', 'new.ts New file +1 −0 Open File', 'old.ts Deleted'],
      );
      await rows.nth(0).getByRole('button', { name: 'src/a.ts', exact: true }).click();
      await rows.nth(1).getByRole('button', { name: 'Open File new.ts' }).click();
      assert.equal(await rows.nth(2).getByRole('button').count(), 0);
      assert.deepEqual(await view.posted('open_turn_file'), [{ type: 'open_turn_file', entryId: 'turn:t', file: 0 }]);
      assert.deepEqual(await view.posted('open_location'), [{ type: 'open_location', path: '/home/ada/sample/new.ts' }]);
    });

    it('is absent when it would be empty', async () => {
      const plan = (...contents: string[]): EventInput => ({
        type: 'plan_update',
        planId: 'late',
        plan: { type: 'items', entries: contents.map((content) => ({ content, priority: 'low', status: 'pending' })) },
      });
      await view.happen({ type: 'turn_started', turnId: 't' }, chunk('Quick.'), {
        type: 'turn_ended',
        turnId: 't',
        stopReason: 'end_turn',
      });
      await view.page.locator('[data-slot="turn:t"]').waitFor({ state: 'attached' });
      assert.equal(await view.page.locator('[data-slot="turn:t"] > *').count(), 0);
      // Later facts about the turn may appear and disappear.
      await view.happen(plan('One'));
      await view.page.getByRole('group', { name: 'End of turn' }).getByText('Plan').waitFor();
      await view.happen(plan());
      await view.page.getByRole('group', { name: 'End of turn' }).waitFor({ state: 'detached' });
    });

    it('has the time of every turn, without the time in which the user was asked', async () => {
      const turn = (turnId: string, from: number, to: number, between: SessionEvent[] = []): SessionEvent[] => [
        { type: 'turn_started', turnId, at: from },
        { ...message(turnId, turnId, 'user'), at: from },
        ...between,
        { ...chunk(`Answer to ${turnId}`, `a-${turnId}`), at: to },
        { type: 'turn_ended', turnId, stopReason: 'end_turn', at: to },
      ];
      const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
      const events = [
        ...turn('long', 0, 31_000),
        ...turn('short', 40_000, 40_400),
        ...turn('asked', 50_000, 71_000, [
          { ...toolCall('x', { title: 'make', kind: 'execute', status: 'pending' }), at: 51_000 },
          { ...permissionRequest('p', 'make', { subject: { toolCallId: 'x' }, options }), at: 51_000 },
          { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y', at: 61_000 },
        ]),
        ...turn('stopped', 80_000, 82_000).map((event) => (event.type === 'turn_ended' ? { ...event, stopReason: 'cancelled' } : event)),
      ];
      await view.page.evaluate((all) => window.playground.stage.events(all), events);
      const ends = view.page.getByRole('group', { name: 'End of turn' });
      await ends.nth(3).waitFor();
      assert.deepEqual(
        (await ends.locator('.turn-line').allInnerTexts()).map((line) => line.replace(/\s+/g, ' ')),
        ['31 s', '0.4 s', '11 s', 'Stopped 2 s'],
      );
    });

    it('omits files when none changed, and uses the singular for one', async () => {
      await view.happen({ type: 'turn_started', turnId: 't' }, { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
      await view.happen({ type: 'turn_started', turnId: 't2' }, edit('1', '/home/ada/sample/a', 'a', 'b'), {
        type: 'turn_ended',
        turnId: 't2',
        stopReason: 'end_turn',
      });
      await view.page.getByRole('button', { name: '1 file changed' }).waitFor();
      assert.equal(await view.page.locator('.turn-files').count(), 1);
    });
  });

  describe('usage by turn', () => {
    const used = (amount: number, context: number): EventInput => ({
      type: 'usage',
      usage: { used: context, size: 200_000, cost: { amount, currency: 'USD' } },
    });
    const turn = (turnId: string, ...events: EventInput[]): EventInput[] => [
      { type: 'turn_started', turnId },
      { type: 'message', role: 'user', messageId: turnId, content: [{ type: 'text', text: turnId }] },
      ...events,
      { type: 'turn_ended', turnId, stopReason: 'end_turn' },
    ];

    it('lists the cost of each turn, and offers to compact if the agent can', async () => {
      await view.happen(
        ...turn('a', used(0.5, 20_000), { type: 'turn_usage', usage: { total: 3450 } }),
        ...turn('b', used(0.75, 158_000)),
        { type: 'available_commands', commands: [{ name: 'compact', description: 'Makes room' }] },
      );
      const button = view.page.getByRole('button', { name: 'Context: 158K of 200K (79%), $0.75' });
      assert.match((await button.innerText()).replace(/\s+/g, ' '), /^158K \/ 200K \$0\.75$/);
      assert.match((await button.getAttribute('class')) ?? '', /usage-much/);
      await button.press('Enter');
      const rows = view.page.getByRole('table', { name: 'By Turn' }).getByRole('row');
      await rows.first().waitFor();
      assert.deepEqual(
        (await rows.allInnerTexts()).map((row) => row.replace(/\s+/g, ' ')),
        ['Turn Context Tokens Cost', '2 158K – $0.25', '1 20K 3.5K $0.50'],
      );
      await view.page.getByRole('button', { name: 'Compact Conversation' }).click();
      assert.deepEqual(await view.postedAtLeast('prompt'), [{ type: 'prompt', content: [{ type: 'text', text: '/compact' }] }]);
      assert.ok(await view.page.locator('.usage').evaluate((element) => element === document.activeElement));
      await view.happen({ type: 'available_commands', commands: [] }, used(1, 190_000));
      // The warning is not shown by colour alone.
      await view.page.locator('.usage .icon-warning').waitFor();
      await view.page.locator('.usage').press('Enter');
      await view.page.getByRole('group', { name: 'Usage' }).waitFor();
      assert.equal(await view.page.getByRole('button', { name: 'Compact Conversation' }).count(), 0);
      for (const [index, width] of [300, 420, 900].entries()) {
        await view.page.setViewportSize({ width, height: 600 });
        await view.page.evaluate((name) => window.playground.applyTheme(name), ['dark', 'light', 'hc'][index]!);
        await keepPicture(view.page, path.join(root, 'test-results', 'sendNow', `usage-${width}.png`));
      }
      await view.page.keyboard.press('Escape');
      await view.page.setViewportSize({ width: 900, height: 800 });
    });
  });

  describe('plans', () => {
    const plan = (...statuses: string[]): EventInput => ({
      type: 'plan_update',
      planId: 'plan',
      plan: { type: 'items', entries: statuses.map((status, index) => ({ content: `Step ${index}`, priority: 'low', status })) },
    });

    it('are above the text box while their turn runs, and in its end afterwards', async () => {
      const shown = view.page.getByRole('region', { name: 'Plan', exact: true });
      const dock = view.page.locator('.dock').getByRole('region', { name: 'Plan', exact: true });
      await view.happen({ type: 'turn_started', turnId: '1' }, plan('completed', 'in_progress'));
      await dock.getByText('1/2').waitFor();
      await view.happen(plan('completed', 'completed'), { type: 'turn_ended', turnId: '1', stopReason: 'end_turn' });
      const turn = view.page.getByRole('group', { name: 'End of turn' }).filter({ hasText: 'Plan' }).first();
      await turn.getByText('2/2').waitFor();
      assert.deepEqual([await shown.count(), await dock.count()], [1, 0]);
      await turn.getByRole('button', { name: /Plan/ }).click();
      assert.deepEqual(await turn.getByRole('listitem').count(), 2);
      // An unfinished plan of an earlier turn does not belong to the next one.
      await view.happen({ type: 'turn_started', turnId: '2' }, plan('pending'), {
        type: 'turn_ended',
        turnId: '2',
        stopReason: 'end_turn',
      });
      await view.happen({ type: 'turn_started', turnId: '3' }, chunk('Something else'));
      await view.page.getByText('Something else').waitFor();
      assert.deepEqual([await shown.count(), await dock.count()], [2, 0]);
    });
  });

  describe('thoughts', () => {
    const label = async (...pieces: readonly (readonly [at: number, event: EventInput])[]): Promise<string[]> => {
      const start = Date.now() - 60_000;
      await view.page.evaluate(
        (events) => window.playground.stage.events(events),
        pieces.map(([at, event]) => ({ ...event, at: start + at }) as SessionEvent),
      );
      await view.painted();
      return view.page.locator('.thought .fold-button').allInnerTexts();
    };
    const think = (messageId: string, words: string) => chunk(words, messageId, 'thought');
    const tool = (toolCallId: string) => toolCall(toolCallId, { title: toolCallId, status: 'completed' });
    const started: EventInput = { type: 'turn_started', turnId: 't' };
    const ended: EventInput = { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' };

    it('show their own duration, and none when it is unknown', async () => {
      const shown = await label(
        [0, started],
        [0, think('a', 'One ')],
        [4000, think('a', 'more.')],
        [5000, tool('x')],
        [6000, think('b', 'At once.')],
        [9000, tool('y')],
        [10_000, think('c', 'Before ')],
        [20_000, tool('z')],
        [30_000, think('c', 'and after.')],
        [31_000, ended],
      );
      assert.deepEqual(shown, ['Thought for 4 s', 'Thought', 'Thought']);
    });

    it('show how long they have been running, and their code and lists', async () => {
      assert.match((await label([0, started], [0, think('a', 'See:\n\n```ts\nlet a = 1;\n```\n\n- one\n- two')]))[0]!, /^Thinking…/);
      await view.page.locator('.thought .fold-button').click();
      await view.page.locator('.thought .code-text').getByText('let a = 1;').waitFor();
      assert.equal(await view.page.locator('.thought li').count(), 2);
    });
  });

  describe('usage', () => {
    it('opens its details, also by keyboard, and closes with Escape', async () => {
      await view.happen(
        { type: 'usage', usage: { used: 190_000, size: 200_000, cost: { amount: 0.00001, currency: 'USD' } } },
        { type: 'turn_usage', usage: { total: 3450, input: 3300, output: 150, cachedRead: 0 } },
      );
      const button = view.page.getByRole('button', { name: 'Context: 190K of 200K (95%), $0.00001' });
      await button.press('Enter');
      const details = view.page.getByRole('group', { name: 'Usage' });
      const text = (await details.innerText()).replace(/\s+/g, ' ');
      for (const part of [
        'Context: 190K of 200K (95%)',
        'Used 190,000',
        'Size 200,000',
        'Session Cost $0.00001',
        'Input 3,300',
        'Cache Read 0',
        'Total 3,450',
        'Context is almost full. Earlier messages may be dropped.',
      ]) {
        assert.ok(text.includes(part), `${part} in ${text}`);
      }
      await view.page.keyboard.press('Escape');
      assert.equal(await details.count(), 0);
      assert.ok(await button.evaluate((element) => element === document.activeElement));
      await button.click();
      await view.page.getByLabel('Message', { exact: true }).focus();
      await details.waitFor({ state: 'detached' });
    });
  });

  describe('plans', () => {
    const plan = (planId: string, ...statuses: string[]): EventInput => ({
      type: 'plan_update',
      planId,
      plan: { type: 'items', entries: statuses.map((status, index) => ({ content: `Step ${index + 1}`, priority: 'low', status })) },
    });

    it('show their progress, and collapse when they are completed, once', async () => {
      await view.happen(plan('p', 'completed', 'in_progress', 'cancelled', '_waiting'));
      const section = view.page.getByRole('region', { name: 'Plan' });
      const header = section.getByRole('button');
      assert.match((await header.innerText()).replace(/\s+/g, ' '), /^Plan 1\/3 Step 2$/);
      assert.deepEqual(
        await section
          .getByRole('progressbar', { name: '1 of 3 done' })
          .evaluate((bar) => [(bar as HTMLProgressElement).value, (bar as HTMLProgressElement).max]),
        [1, 3],
      );
      await header.click();
      assert.equal(await section.getByRole('listitem').count(), 4);
      assert.ok(await section.getByText('_waiting').isVisible());
      await view.happen(plan('p', 'completed', 'completed', 'cancelled'));
      await section.getByText('2/2').waitFor();
      assert.match(await header.innerText(), /Done/);
      assert.equal(await header.getAttribute('aria-expanded'), 'false');
      assert.equal(await section.getByRole('progressbar').count(), 0);
      await header.click();
      await view.happen(plan('p', 'completed', 'completed'));
      assert.equal(await header.getAttribute('aria-expanded'), 'true');
    });

    it('are numbered when there are several, and leave space for the rest', async () => {
      for (const planId of ['a', 'b']) {
        await view.happen(plan(planId, ...Array.from({ length: 60 }, () => 'pending')));
      }
      for (const name of ['Plan', 'Plan 2']) {
        await view.page.getByRole('region', { name, exact: true }).getByRole('button').click();
      }
      const height = await view.page.locator('.plans').evaluate((element) => element.getBoundingClientRect().height / innerHeight);
      assert.ok(height < 0.5, String(height));
    });
  });

  describe('all of them together', () => {
    for (const theme of ['dark', 'light', 'hc', 'hc-light']) {
      it(`can be read in ${theme}, and axe finds nothing`, async () => {
        await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
        await view.happen(
          { type: 'turn_started', turnId: 't' },
          edit('1', '/home/ada/sample/src/a.ts', 'a\n', 'b\n'),
          {
            type: 'plan_update',
            planId: 'p',
            plan: {
              type: 'items',
              entries: [
                { content: 'One', priority: 'high', status: 'completed' },
                { content: 'Two', priority: 'low', status: '_odd' },
              ],
            },
          },
          {
            type: 'plan_update',
            planId: 'q',
            plan: { type: 'items', entries: [{ content: 'One', priority: 'high', status: 'completed' }] },
          },
          { type: 'usage', usage: { used: 196_000, size: 200_000, cost: { amount: 1, currency: 'EUR' } } },
          { type: 'turn_ended', turnId: 't', stopReason: 'max_tokens' },
          ...['info', 'warning', 'error', 'error'].map(
            (severity, index) =>
              ({
                type: 'notice',
                noticeId: `${index}`,
                severity,
                title: `A notice ${index}`,
                description: 'With some words. '.repeat(20),
              }) as const,
          ),
        );
        await view.page.getByRole('button', { name: '1 file changed' }).click();
        for (const header of await view.page.locator('.plan-header').all()) {
          await header.click();
        }
        await view.page.locator('.usage').click();
        await view.painted();
        assert.deepEqual(await brokenIn(theme, view), []);
        await mkdir(path.join(root, 'test-results', 'turns'), { recursive: true });
        await keepPicture(view.page, path.join(root, 'test-results', 'turns', `${theme}.png`));
        await view.page.getByRole('button', { name: 'Dismiss all' }).click();
      });
    }
  });
});
