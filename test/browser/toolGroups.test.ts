import assert from 'node:assert/strict';
import type { EventInput, ToolCallPatch } from '../../src/core/model/event';
import { PAGE_SIZE } from '../../webview/transcript/list/pages';
import { eachInItsOwnView, type View } from './support/view';
import { chunk, toolCall, toolText } from '../support/events';

describe('runs of tool calls', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const read = (file: string, patch: ToolCallPatch = {}): EventInput =>
    toolCall(file, {
      title: `Read ${file}`,
      kind: 'read',
      status: 'completed',
      locations: [{ path: `/home/ada/sample/${file}` }],
      content: [toolText(`text of ${file}`)],
      ...patch,
    });
  const said = (words: string, role: 'agent' | 'thought' = 'agent') => chunk(words, words, role);
  const line = (name: string | RegExp) => view.page.getByRole('button', { name });
  const cards = () => view.page.locator('.tool-header .tool-title').allInnerTexts();

  it('are collapsed to one line, which sums them up and expands to the cards in order', async () => {
    await view.happen(
      read('a.ts'),
      read('b.ts'),
      said('Hm.', 'thought'),
      toolCall('s', { title: 'grep `x`', kind: 'search', status: 'completed' }),
      said('That is all.'),
      read('c.ts'),
    );
    const button = line('Read 2 files, searched once');
    assert.equal(await button.getAttribute('aria-expanded'), 'false');
    assert.equal(await button.getAttribute('title'), 'Read a.ts\nRead b.ts\ngrep x');
    assert.deepEqual(await view.page.getByRole('article').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))), [
      'Read a.ts, Done',
      'Read b.ts, Done',
      'grep `x`, Done',
      'Read c.ts, Done',
    ]);
    assert.deepEqual(await cards(), ['Read c.ts']);
    assert.equal(await view.page.getByText('Hm.').count(), 0);
    await button.focus();
    await view.page.keyboard.press('Enter');
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    assert.deepEqual(await cards(), ['Read a.ts', 'Read b.ts', 'grep x', 'Read c.ts']);
    await view.page.getByRole('button', { name: 'Thought', exact: true }).waitFor();
    await view.page
      .getByRole('article', { name: /^Read b\.ts/ })
      .getByRole('button')
      .first()
      .click();
    await view.page.getByText('text of b.ts').waitFor();
    await view.page.keyboard.press('Shift+Tab');
    await button.focus();
    await view.page.keyboard.press(' ');
    assert.equal(await button.getAttribute('aria-expanded'), 'false');
    assert.deepEqual(await cards(), ['Read c.ts']);
    assert.equal(await button.evaluate((element) => document.activeElement === element), true);
  });

  it('contain fetched pages, and can be read in a narrow page', async () => {
    await view.page.setViewportSize({ width: 300, height: 600 });
    await view.happen(
      read('a.ts'),
      toolCall('f', { title: 'Fetch https://example.org', kind: 'fetch', status: 'completed' }),
      toolCall('s', { title: 'grep x', kind: 'search', status: 'completed' }),
      read('b.ts'),
      toolCall('g', { title: 'Fetch https://example.net', kind: 'fetch', status: 'completed' }),
      said('That is all.'),
    );
    const words = view.page.locator('.run-words');
    await words.waitFor();
    assert.equal(await words.innerText(), 'Read 2 files, searched once, fetched 2 pages');
    assert.equal(await view.page.locator('.run').count(), 1);
    assert.deepEqual(await cards(), []);
    assert.ok(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'it is cut off');
    const height = (await view.page.locator('.run').boundingBox())!.height;
    const text = (await words.boundingBox())!.height;
    assert.ok(height > 32 && height >= text + 8, `${height} px around ${text} px`);
  });

  it('keep one line in a narrow page until they are over, wherever the list is divided into pages', async () => {
    await view.page.setViewportSize({ width: 300, height: 600 });
    const search = toolCall('s', { title: 'grep x', kind: 'search', status: 'completed' });
    const before = Array.from({ length: PAGE_SIZE - 3 }, (_, index) => said(`Word ${index}`));
    await view.happen({ type: 'turn_started', turnId: 't' }, ...before, read('a.ts'), search, read('b.ts'));
    const words = view.page.locator('.run-words');
    await words.waitFor();
    const height = async () => (await view.page.locator('.run').boundingBox())!.height;
    const line = await height();
    const later = [said('Hm.', 'thought'), read('c.ts', { status: 'in_progress' }), read('c.ts'), read('d.ts'), said('Hm, hm.', 'thought')];
    for (const event of later) {
      await view.happen(event);
      await view.painted();
      assert.equal(await height(), line);
    }
    assert.equal(await view.page.locator('.page:not(:last-child) > .slot:last-child > .run').count(), 1);
    await view.happen(said('That is all.'));
    await view.page.locator('.run-over').waitFor();
    assert.ok(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), 'it is cut off');
    assert.ok((await height()) > line);
  });

  it('keep failed, cancelled and changing calls visible', async () => {
    await view.happen(
      read('a'),
      read('b'),
      read('c'),
      read('d', { status: 'failed' }),
      read('e'),
      read('f'),
      read('g', { status: 'cancelled' }),
      toolCall('x', { title: 'Edit x', kind: 'edit', status: 'completed' }),
    );
    await line('Read 3 files').waitFor();
    assert.deepEqual(await cards(), ['Read d', 'Read e', 'Read f', 'Read g', 'Edit x']);
  });

  it('show the current read in a line of constant height', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' }, read('a'), read('b'), read('c', { status: 'in_progress' }));
    const button = line('Read 2 files Reading c…');
    await button.waitFor();
    const tops = () =>
      view.page.evaluate(() =>
        [...document.querySelectorAll('.run')].map((element) => [
          element.getBoundingClientRect().height,
          document.querySelector('.log')!.scrollHeight,
        ]),
      );
    const before = await tops();
    await view.happen(read('c', {}), read(`src/${'long/'.repeat(60)}d`, { status: 'pending' }));
    await line(/^Read 3 files Reading src\/long/).waitFor();
    assert.deepEqual(await tops(), before);
    await view.happen({ type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    await line(/^Read 3 files$/).waitFor();
    assert.deepEqual(await cards(), [`Read src/${'long/'.repeat(60)}d`]);
  });

  it('never collapse over an expanded part, or over the focus', async () => {
    await view.happen(read('a'), read('b'));
    const card = view.page
      .getByRole('article', { name: /^Read a/ })
      .getByRole('button')
      .first();
    await card.focus();
    await view.happen(read('c'));
    await line('Read 3 files').waitFor();
    assert.equal(await line('Read 3 files').getAttribute('aria-expanded'), 'true');
    assert.equal(await card.evaluate((element) => document.activeElement === element), true);
    await view.happen(said('So.'), read('d'), read('e'));
    await view.page
      .getByRole('article', { name: /^Read d/ })
      .getByRole('button')
      .first()
      .click();
    await view.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await view.happen(read('f'));
    await view.page.waitForFunction(() => document.querySelectorAll('.run').length === 2);
    await view.page.getByText('text of d').waitFor();
  });

  it('expand for matches inside, also in thoughts and later pages', async () => {
    await view.happen(
      ...Array.from({ length: 14 }, (_, index) => said(`Message ${index}.`)),
      ...Array.from({ length: 10 }, (_, index) => read(`file${index}.ts`)),
      said('A needle.', 'thought'),
      read('last.ts'),
      said('End.'),
    );
    await line('Read 11 files').waitFor();
    assert.equal(await view.page.locator('.run').count(), 1);
    assert.equal(await view.page.getByRole('article').count(), 11);
    await view.page.keyboard.press('Control+f');
    const find = view.page.getByRole('searchbox', { name: 'Find in conversation' });
    for (const [words, slot] of [
      ['text of file7', 'tool_call:file7.ts'],
      ['needle', 'thought:A needle.'],
    ] as const) {
      await find.fill(words);
      await view.page.getByText('1 of 1').waitFor();
      await view.page.waitForFunction(
        (wanted) =>
          [...(CSS.highlights.get('acp-find-current') ?? [])].some(
            (range) => range.startContainer.parentElement?.closest<HTMLElement>('[data-slot]')?.dataset.slot === wanted,
          ),
        slot,
      );
    }
    assert.equal(await line('Read 11 files').getAttribute('aria-expanded'), 'true');
    await view.page.keyboard.press('Escape');
    assert.deepEqual(await cards(), [...Array.from({ length: 10 }, (_, index) => `Read file${index}.ts`), 'Read last.ts']);
    await line('Read 11 files').click();
    assert.deepEqual(await cards(), []);
  });
});
