/** What stands around the conversation's words: the end of a turn, notices, usage, plans, pictures, the user's own long texts. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SessionEvent, SessionHappening } from '../../src/core/event';
import { PIXELS } from '../../webview/playground/galleryTexts';
import { broken } from './support/axe';
import { View, root } from './support/view';

describe('view: turns and what stands around them', function () {
  this.timeout(60_000);
  let view: View;

  before(async () => {
    view = await View.open('', { reducedMotion: 'reduce' });
  });
  beforeEach(async () => {
    await view.page.evaluate(() => {
      window.playground.stage.restart();
      window.playground.stage.posted.length = 0;
    });
    await view.ready();
    await view.tame();
  });
  after(() => view.close());
  afterEach(() => assert.deepEqual(view.offences, []));

  const edit = (toolCallId: string, path: string, oldText: string | null, newText: string): SessionHappening => ({
    type: 'tool_call_update',
    toolCallId,
    patch: { title: 'Edit', kind: 'edit', status: 'completed', content: [{ type: 'diff', changes: [{ operation: oldText === null ? 'add' : 'modify', path, oldText, newText }] }] },
  });

  describe('the end of a turn', () => {
    it('says in one line what changed, which opens to the files and their differences', async () => {
      await view.happen(
        { type: 'turn_started', turnId: 't' },
        edit('1', '/home/ada/sample/src/a.ts', 'a\nb\n', 'a\nB\nc\n'),
        edit('2', '/home/ada/sample/src/a.ts', 'a\nB\nc\n', 'a\nB\nC\n'),
        edit('3', '/home/ada/sample/new.ts', null, 'x\n'),
        { type: 'tool_call_update', toolCallId: '4', patch: { title: 'rm', kind: 'delete', status: 'completed', locations: [{ path: '/home/ada/sample/old.ts' }] } },
        { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
      );
      const turn = view.page.getByRole('group', { name: 'End of the turn' });
      const line = turn.getByRole('button', { name: '3 files changed' });
      assert.match(await line.innerText(), /3 files changed\s*\+3\s*−1/);
      assert.equal(await line.getAttribute('aria-expanded'), 'false');
      await line.press('Enter');
      const rows = turn.getByRole('listitem');
      assert.deepEqual((await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')), ['src/a.ts +2 −1 Open File', 'new.ts New file +1 −0 Open File', 'old.ts Deleted']);
      await rows.nth(0).getByRole('button', { name: 'src/a.ts', exact: true }).click();
      await rows.nth(1).getByRole('button', { name: 'Open new.ts' }).click();
      assert.equal(await rows.nth(2).getByRole('button').count(), 0);
      assert.deepEqual(await view.posted('open_turn_file'), [{ type: 'open_turn_file', entryId: 'turn:t', file: 0 }]);
      assert.deepEqual(await view.posted('open_location'), [{ type: 'open_location', path: '/home/ada/sample/new.ts' }]);
    });

    it('says nothing of files where none changed, and one in the singular', async () => {
      await view.happen({ type: 'turn_started', turnId: 't' }, { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
      await view.happen({ type: 'turn_started', turnId: 't2' }, edit('1', '/home/ada/sample/a', 'a', 'b'), { type: 'turn_ended', turnId: 't2', stopReason: 'end_turn' });
      await view.page.getByRole('button', { name: '1 file changed' }).waitFor();
      assert.equal(await view.page.locator('.turn-files').count(), 1);
    });
  });

  describe('notices', () => {
    const notice = (noticeId: string, severity: string, title: string, description?: string): SessionHappening => ({ type: 'notice', noticeId, severity, title, ...(description !== undefined && { description }) });
    const toasts = () => view.page.getByRole('region', { name: 'Notices' }).getByRole('group');

    afterEach(async () => {
      const all = view.page.locator('.toast-dismiss');
      while ((await all.count()) > 0) await all.last().click();
    });

    it('are toasts as they come and lines in the conversation, and are said once', async () => {
      await view.happen(notice('1', 'warning', 'The index is old', 'Of last week.'), notice('2', 'error', 'No index'), notice('3', '_whim', '', 'Only words'));
      assert.deepEqual(await toasts().evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))), ['Warning', 'Error', 'Note']);
      assert.deepEqual(await toasts().locator('.toast-words').allInnerTexts(), ['The index is old\nOf last week.', 'No index', 'Only words']);
      assert.equal(await view.page.locator('.entry.notice').count(), 3);
      const said = await view.page.locator('.sr-only[aria-live]').evaluateAll((all) => all.map((each) => `${each.getAttribute('role')}: ${[...each.children].map((line) => line.textContent).filter((text) => /index|words/.test(text!)).join(' | ')}`));
      assert.deepEqual(said.filter((text) => /index|words/.test(text)), ['status: Warning: The index is old — Of last week. | Note: Only words', 'alert: Error: No index']);
      assert.equal(await view.page.locator('.toasts [aria-live], .toasts [role=alert], .toasts [role=status]').count(), 0);
    });

    it('make no toast when they are of earlier, or of a page that was not there', async () => {
      await view.page.evaluate(() => window.playground.stage.events([{ type: 'notice', at: Date.now() - 60_000, noticeId: 'old', severity: 'error', title: 'Long ago' }, { type: 'usage', at: Date.now(), usage: { used: 1, size: 2 } }]));
      await view.happen(notice('now', 'error', 'Now'));
      await toasts().first().waitFor();
      assert.equal(await toasts().count(), 1);
      await view.page.locator('.toast-dismiss').click();
      await view.page.evaluate(() => window.playground.stage.snapshot([]));
      await view.painted();
      assert.equal(await toasts().count(), 0);
      assert.equal(await view.page.locator('.entry.notice').count(), 2);
    });

    it('stack up to three, and the rest is a button', async () => {
      await view.happen(...[1, 2, 3, 4, 5].map((each) => notice(`${each}`, 'error', `Number ${each}`)));
      assert.deepEqual(await toasts().locator('.toast-title').allInnerTexts(), ['Number 3', 'Number 4', 'Number 5']);
      await view.page.getByRole('button', { name: '2 more' }).click();
      assert.equal(await toasts().count(), 5);
      await view.page.getByRole('button', { name: 'Dismiss all' }).click();
      assert.equal(await toasts().count(), 0);
      await view.page.waitForFunction(() => document.activeElement?.matches('.composer-text'));
    });

    it('go with Escape where the focus is, which goes on to the next one and then to the composer', async () => {
      await view.happen(notice('1', 'error', 'One'), notice('2', 'error', 'Two'));
      await view.page.getByRole('button', { name: 'Dismiss “One”' }).focus();
      await view.page.keyboard.press('Escape');
      await view.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Dismiss “Two”');
      await view.page.keyboard.press('Escape');
      await view.page.waitForFunction(() => document.activeElement?.matches('.composer-text'));
      assert.equal(await toasts().count(), 0);
    });

    it('take no focus, and show a long description when asked', async () => {
      await view.page.getByLabel('Message', { exact: true }).focus();
      await view.happen(notice('1', 'warning', 'Long', 'word '.repeat(200)));
      const height = () => toasts().locator('.toast-description').evaluate((element) => element.getBoundingClientRect().height);
      const before = await height();
      assert.ok(await view.page.evaluate(() => document.activeElement?.matches('.composer-text')));
      await toasts().getByRole('button', { name: 'Show more' }).click();
      assert.ok((await height()) > before);
    });
  });

  describe('thoughts', () => {
    const label = async (...pieces: readonly (readonly [at: number, happening: SessionHappening])[]): Promise<string[]> => {
      const start = Date.now() - 60_000;
      await view.page.evaluate((events) => window.playground.stage.events(events), pieces.map(([at, happening]) => ({ ...happening, at: start + at }) as SessionEvent));
      await view.painted();
      return view.page.locator('.thought .fold-button').allInnerTexts();
    };
    const think = (messageId: string, text: string): SessionHappening => ({ type: 'message_chunk', role: 'thought', messageId, content: { type: 'text', text } });
    const tool = (toolCallId: string): SessionHappening => ({ type: 'tool_call_update', toolCallId, patch: { title: toolCallId, status: 'completed' } });
    const started: SessionHappening = { type: 'turn_started', turnId: 't' };
    const ended: SessionHappening = { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' };

    it('have each their own time, none where it is not known', async () => {
      const shown = await label([0, started], [0, think('a', 'One ')], [4000, think('a', 'more.')], [5000, tool('x')], [6000, think('b', 'At once.')], [9000, tool('y')], [10_000, think('c', 'Before ')], [20_000, tool('z')], [30_000, think('c', 'and after.')], [31_000, ended]);
      assert.deepEqual(shown, ['Thought for 4 s', 'Thought', 'Thought']);
    });

    it('say how long they have been going on, and show code and lists', async () => {
      assert.match((await label([0, started], [0, think('a', 'See:\n\n```ts\nlet a = 1;\n```\n\n- one\n- two')]))[0]!, /^Thinking… /);
      await view.page.locator('.thought .fold-button').click();
      await view.page.locator('.thought .code-text').getByText('let a = 1;').waitFor();
      assert.equal(await view.page.locator('.thought li').count(), 2);
    });
  });

  describe('usage', () => {
    it('opens to what is known, by the keyboard too, and closes with Escape', async () => {
      await view.happen({ type: 'usage', usage: { used: 190_000, size: 200_000, cost: { amount: 0.00001, currency: 'USD' } } }, { type: 'turn_usage', usage: { total: 3450, input: 3300, output: 150, cachedRead: 0 } });
      const button = view.page.getByRole('button', { name: '190000 of 200000 tokens used (95 %), $0.00001' });
      await button.press('Enter');
      const details = view.page.getByRole('group', { name: 'Usage' });
      const text = (await details.innerText()).replace(/\s+/g, ' ');
      for (const part of ['In the context 190,000', 'Room for 200,000', 'Full 95 %', 'Left 10,000', 'Cost of the session $0.00001', 'Input 3,300', 'Read from the cache 0', 'Altogether 3,450', 'Little room is left']) assert.ok(text.includes(part), `${part} in ${text}`);
      await view.page.keyboard.press('Escape');
      assert.equal(await details.count(), 0);
      assert.ok(await button.evaluate((element) => element === document.activeElement));
      await button.click();
      await view.page.getByLabel('Message', { exact: true }).focus();
      await details.waitFor({ state: 'detached' });
    });
  });

  describe('plans', () => {
    const plan = (planId: string, ...statuses: string[]): SessionHappening => ({ type: 'plan_update', planId, plan: { type: 'items', entries: statuses.map((status, index) => ({ content: `Step ${index + 1}`, priority: 'low', status })) } });

    it('show how far they are, and close when they are done, once', async () => {
      await view.happen(plan('p', 'completed', 'in_progress', 'cancelled', '_waiting'));
      const section = view.page.getByRole('region', { name: 'Plan' });
      const header = section.getByRole('button');
      assert.match((await header.innerText()).replace(/\s+/g, ' '), /^Plan 1\/3 Step 2$/);
      assert.deepEqual(await section.getByRole('progressbar', { name: '1 of 3 done' }).evaluate((bar) => [(bar as HTMLProgressElement).value, (bar as HTMLProgressElement).max]), [1, 3]);
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

    it('have numbers where there are several, and leave room for the rest', async () => {
      for (const planId of ['a', 'b']) await view.happen(plan(planId, ...Array.from({ length: 60 }, () => 'pending')));
      for (const name of ['Plan', 'Plan 2']) await view.page.getByRole('region', { name, exact: true }).getByRole('button').click();
      const height = await view.page.locator('.plans').evaluate((element) => element.getBoundingClientRect().height / innerHeight);
      assert.ok(height < 0.5, String(height));
    });
  });

  describe('pictures', () => {
    /** A PNG's beginning, whose rest never comes: this large, and never decoded. */
    const promised = (width: number, height: number): string => Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255]).toString('base64');

    it('have their room before they are decoded, of their shape also where it is narrow', async () => {
      await view.page.evaluate(() => {
        const original = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')!;
        Object.defineProperty(HTMLImageElement.prototype, 'src', { ...original, set() {} });
        (window as unknown as { giveBack: () => void }).giveBack = () => Object.defineProperty(HTMLImageElement.prototype, 'src', original);
      });
      await view.happen({ type: 'message', role: 'agent', messageId: 'm', content: [{ type: 'image', mimeType: 'image/png', data: promised(2000, 500) }, { type: 'image', mimeType: 'image/png', data: promised(100, 50) }] });
      const images = view.page.locator('.content-image');
      const sizes = await images.evaluateAll((all) => all.map((image) => [image.getAttribute('width'), image.getAttribute('height'), image.getAttribute('decoding')]));
      assert.deepEqual(sizes, [['780', '195', 'async'], ['100', '50', 'async']]);
      await view.page.evaluate(() => (window as unknown as { giveBack: () => void }).giveBack());
    });

    it('of any size show whole when asked, and say so', async () => {
      const wide = await view.page.evaluate(() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 400 });
        canvas.getContext('2d')!.fillRect(10, 10, 900, 300);
        return canvas.toDataURL('image/png').split(',')[1]!;
      });
      await view.happen({ type: 'message', role: 'agent', messageId: 'm', content: [{ type: 'image', mimeType: 'image/png', data: wide, uri: 'file:///w/wide.png' }, { type: 'image', mimeType: 'image/png', data: PIXELS }] });
      const button = view.page.getByRole('button', { name: 'wide.png: Show at full size' });
      const width = () => view.page.getByAltText('wide.png').evaluate((image) => image.getBoundingClientRect().width);
      assert.equal(await width(), 780);
      await button.click();
      assert.equal(await width(), 1600);
      assert.ok(await view.page.locator('.scroller').evaluate((scroller) => scroller.scrollWidth <= scroller.clientWidth));
      await view.page.getByRole('button', { name: 'wide.png: Show to fit' }).press('Enter');
      assert.equal(await width(), 780);
      assert.equal(await view.page.locator('.image-button').count(), 1);
    });
  });

  describe('resources', () => {
    it('of the agent open as they were sent, data is saved, and the user’s own file opens itself', async () => {
      await view.happen(
        { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text: 'See.' }, { type: 'resource', uri: 'file:///home/ada/sample/own.ts', text: 'x' }] },
        { type: 'message', role: 'agent', messageId: 'a', content: [{ type: 'text', text: 'Read.' }, { type: 'resource', uri: 'file:///home/ada/sample/told.ts', text: 'x' }, { type: 'resource', uri: 'demo://all.zip', blob: 'UEsDBA==' }] },
      );
      await view.page.getByRole('button', { name: 'own.ts' }).click();
      await view.page.getByRole('button', { name: 'told.ts' }).click();
      await view.page.getByRole('button', { name: 'all.zip' }).click();
      assert.deepEqual(await view.posted('open_link'), [{ type: 'open_link', href: 'file:///home/ada/sample/own.ts' }]);
      assert.deepEqual(await view.posted('open_content'), [1, 2].map((content) => ({ type: 'open_content', entryId: 'agent:a', content })));
    });
  });

  describe('links', () => {
    it('show where they lead, and paths in code open', async () => {
      await view.happen({ type: 'message', role: 'agent', messageId: 'a', content: [{ type: 'text', text: 'See `src/a.ts:12`, `console.log`, [`b.ts`](src/b.ts), [this](https://аррӏе.com) and [x](command:x).' }] });
      const links = view.page.getByRole('log').getByRole('link');
      await links.first().waitFor();
      assert.deepEqual(await links.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('title')])), [
        ['src/a.ts:12', 'src/a.ts:12'],
        ['b.ts', 'src/b.ts'],
        ['this', 'https://xn--80ak6aa92e.com/\n(https://аррӏе.com)'],
      ]);
      await links.first().press('Enter');
      assert.deepEqual(await view.posted('open_link'), [{ type: 'open_link', href: 'src/a.ts:12' }]);
    });
  });

  describe('all of it at once', () => {
    for (const theme of ['dark', 'light', 'hc', 'hc-light']) {
      it(`can be read in ${theme}, and axe finds nothing`, async () => {
        await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
        await view.happen(
          { type: 'turn_started', turnId: 't' },
          edit('1', '/home/ada/sample/src/a.ts', 'a\n', 'b\n'),
          { type: 'plan_update', planId: 'p', plan: { type: 'items', entries: [{ content: 'One', priority: 'high', status: 'completed' }, { content: 'Two', priority: 'low', status: '_odd' }] } },
          { type: 'plan_update', planId: 'q', plan: { type: 'items', entries: [{ content: 'One', priority: 'high', status: 'completed' }] } },
          { type: 'usage', usage: { used: 196_000, size: 200_000, cost: { amount: 1, currency: 'EUR' } } },
          { type: 'turn_ended', turnId: 't', stopReason: 'max_tokens' },
          ...['info', 'warning', 'error', 'error'].map((severity, index) => ({ type: 'notice', noticeId: `${index}`, severity, title: `A notice ${index}`, description: 'With some words. '.repeat(20) }) as const),
        );
        await view.page.getByRole('button', { name: '1 file changed' }).click();
        for (const header of await view.page.locator('.plan-header').all()) await header.click();
        await view.page.locator('.usage').click();
        await view.painted();
        assert.deepEqual(await broken(view), []);
        await mkdir(path.join(root, 'test-results', 'turns'), { recursive: true });
        await view.page.screenshot({ path: path.join(root, 'test-results', 'turns', `${theme}.png`) });
        await view.page.getByRole('button', { name: 'Dismiss all' }).click();
      });
    }
  });

  describe('long texts of the user', () => {
    it('fold after twenty lines, open, are copied whole, and are found', async () => {
      const text = Array.from({ length: 60 }, (_, index) => `line ${index + 1}${index === 50 ? ' needle' : ''}`).join('\n');
      await view.happen({ type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text }] }, { type: 'message', role: 'user', messageId: 'u2', content: [{ type: 'text', text: 'a\n'.repeat(22) }] });
      const own = view.page.locator('.entry.user').first();
      assert.equal((await own.locator('.user-text').innerText()).split('\n').length, 20);
      assert.equal(await view.page.getByRole('button', { name: /^Show all/ }).count(), 1);
      await own.getByRole('button', { name: 'Copy message' }).click();
      assert.equal((await view.postedAtLeast('copy'))[0]!.text, text);
      await own.getByRole('button', { name: 'Show all 60 lines' }).click();
      assert.equal((await own.locator('.user-text').innerText()).split('\n').length, 60);
      await own.getByRole('button', { name: 'Show less' }).click();
      await view.send({ type: 'open_find' });
      await view.page.getByRole('searchbox', { name: 'Find in conversation' }).fill('needle');
      await own.getByRole('button', { name: 'Show less' }).waitFor();
    });
  });
});
