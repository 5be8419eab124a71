import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { asSubagentEvents } from '../../src/core/subagents/innerEvents';
import { eachInItsOwnDocument, eachInItsOwnView, type View } from './support/view';
import { chunk, toolCall, toolText } from '../support/events';

describe('find in conversation', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const box = () => view.page.getByRole('searchbox', { name: 'Find in conversation' });
  const bar = () => view.page.getByRole('search');
  const count = async (words: string) => view.page.locator('.find-count', { hasText: new RegExp(`^${words}$`) }).waitFor();
  const open = async (text: string) => {
    await view.page.keyboard.press('Control+f');
    await box().fill(text);
  };
  /** The highlighted texts, and the one that is highlighted as current. */
  const marked = () =>
    view.page.evaluate(() => {
      const [all, current] = ['acp-find', 'acp-find-current'].map((name) =>
        [...((CSS.highlights.get(name) as Iterable<StaticRange> | undefined) ?? [])].map((part) => {
          const range = document.createRange();
          range.setStart(part.startContainer, part.startOffset);
          range.setEnd(part.endContainer, part.endOffset);
          return { text: range.toString(), slot: range.startContainer.parentElement!.closest<HTMLElement>('[data-slot]')!.dataset.slot };
        }),
      );
      return { all: all!, current: current![0] };
    });
  const currentIs = (slot: string) =>
    view.page.waitForFunction((wanted) => {
      const [part] = [...((CSS.highlights.get('acp-find-current') as Iterable<StaticRange> | undefined) ?? [])];
      if (part?.startContainer.parentElement?.closest<HTMLElement>('[data-slot]')?.dataset.slot !== wanted) {
        return false;
      }
      const range = document.createRange();
      range.setStart(part.startContainer, part.startOffset);
      range.setEnd(part.endContainer, part.endOffset);
      const { top, bottom } = range.getBoundingClientRect();
      const screen = document.querySelector('.scroller')!.getBoundingClientRect();
      return bottom > top && top >= screen.top && bottom <= screen.bottom;
    }, slot);

  it('goes to the match of a search over all sessions, in a long conversation', async () => {
    const events = Array.from({ length: 400 }, (_, index) => chunk(`Answer ${index} has a needle in it.`, String(index)));
    await view.happen(...events);
    // The match at this entry is selected, not the first one or the one in view.
    await view.send({ type: 'open_find', at: { entryId: 'agent:120', text: 'needle' } });
    await count('121 of 400');
    await currentIs('agent:120');
    assert.equal(await box().inputValue(), 'needle');
    await view.send({ type: 'open_find', at: { entryId: 'agent:7', text: 'Answer 7' } });
    await currentIs('agent:7');
  });

  it('goes there also when the request came before the page had a conversation', async () => {
    await view.send({ type: 'open_find', at: { entryId: 'agent:2', text: 'needle' } });
    await view.happen(chunk('A needle', '1'), chunk('Another needle', '2'));
    await currentIs('agent:2');
  });

  it('opens the cards of subagents that have a match, and closes them with the bar', async () => {
    const inner = (subagentId: string, ...events: EventInput[]): EventInput[] => asSubagentEvents(subagentId, events);
    const update = (subagentId: string, title: string, parentId?: string): EventInput => ({
      type: 'subagent_update',
      subagentId,
      patch: { title },
      ...(parentId !== undefined && { parentId }),
    });
    const lines = Array.from({ length: 80 }, (_, index) => chunk(`Line ${index} of the child.`, `m${index}`));
    await view.happen(
      chunk('A needle', '1'),
      update('x', 'Explore'),
      ...inner('x', chunk('A needle in x', 'first'), ...lines),
      update('y', 'Needle reader', 'x'),
      ...inner('y', ...lines, chunk('A needle in y', 'last')),
      ...Array.from({ length: 60 }, (_, index) => chunk(`Line ${index}.`, `after${index}`)),
    );
    // The page has no body of a subagent's entry until it asks for it.
    await view.page.evaluate(() => window.playground.stage.snapshot([]));
    await open('needle');
    await count('1 of 4');
    await view.page.keyboard.press('F3');
    await currentIs('agent:x/first');
    await count('2 of 4');
    await view.page.keyboard.press('F3');
    await currentIs('subagent:y');
    await view.page.keyboard.press('F3');
    await currentIs('agent:y/last');
    await view.page.keyboard.press('Shift+F3');
    await view.page.keyboard.press('Shift+F3');
    await currentIs('agent:x/first');
    assert.equal(await view.page.getByRole('group', { name: 'Conversation of Needle reader' }).count(), 0);
    await box().press('Escape');
    await view.page.getByRole('group', { name: 'Conversation of Explore' }).waitFor({ state: 'detached' });
    // A search over all sessions opens it, too.
    await view.send({ type: 'open_find', at: { entryId: 'agent:y/m40', text: 'Line 40 of the child' } });
    await currentIs('agent:y/m40');
  });

  it('counts, highlights and steps through the matches, around the end and back', async () => {
    await view.happen(
      chunk('Where is the Needle?', '1', 'user'),
      chunk('A **nee**dle here, a `needle` there.', '2'),
      chunk('Nothing.', '3'),
      chunk('One needle more', '4'),
    );
    await open('needle');
    await count('1 of 4');
    await view.page.waitForFunction(() => CSS.highlights.get('acp-find')?.size === 4);
    assert.deepEqual(
      (await marked()).all.map(({ text }) => text),
      ['Needle', 'needle', 'needle', 'needle'],
    );
    assert.equal((await marked()).current?.slot, 'user:1');
    await box().press('Enter');
    await count('2 of 4');
    await view.page.getByRole('button', { name: 'Next match' }).click();
    await count('3 of 4');
    await box().press('Shift+Enter');
    await count('2 of 4');
    assert.equal((await marked()).current?.slot, 'agent:2');
    for (const words of ['3 of 4', '4 of 4', '1 of 4']) {
      await view.page.keyboard.press('F3');
      await count(words);
    }
    await view.page.getByRole('button', { name: 'Previous match' }).click();
    await count('4 of 4');
  });

  it('changes no element', async () => {
    await view.happen(chunk('a needle', '1'));
    await view.painted();
    const before = await view.page.locator('.log').innerHTML();
    await open('needle');
    await count('1 of 1');
    assert.equal(await view.page.locator('.log').innerHTML(), before);
  });

  it('respects case and whole words', async () => {
    await view.happen(chunk('Cat concat cat.', '1'));
    await open('cat');
    await count('1 of 3');
    await bar().getByRole('button', { name: 'Match case' }).click();
    await count('1 of 2');
    await box().press('Alt+w');
    await count('1 of 1');
    assert.equal(await bar().getByRole('button', { name: 'Match whole word' }).getAttribute('aria-pressed'), 'true');
    await box().fill('dog');
    await count('No results');
    assert.equal((await marked()).all.length, 0);
  });

  it('closes with Escape, removes the highlights, returns the focus and stops the host', async () => {
    await view.happen(chunk('a needle', '1'));
    await view.page.getByRole('textbox', { name: 'Message' }).focus();
    await open('needle');
    await count('1 of 1');
    await box().press('Escape');
    await bar().waitFor({ state: 'detached' });
    assert.equal(
      await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName),
      await view.page
        .getByRole('textbox', { name: 'Message' })
        .evaluate((element) => element.getAttribute('aria-label') ?? element.tagName),
    );
    assert.equal(await view.page.evaluate(() => CSS.highlights.size), 0);
    assert.equal((await view.posted('find')).at(-1)?.text, '');
    await view.page.keyboard.press('Control+f');
    assert.equal(await box().inputValue(), 'needle');
    await count('1 of 1');
  });

  it('opens at VS Code’s request, which may come late', async () => {
    await view.happen(chunk('a needle', '1'));
    await view.page.getByRole('textbox', { name: 'Message' }).focus();
    await view.send({ type: 'open_find' });
    await box().waitFor();
    await view.page.keyboard.type('need');
    await view.send({ type: 'open_find' });
    await view.painted();
    await view.page.keyboard.type('le');
    assert.equal(await box().inputValue(), 'needle');
    await count('1 of 1');
    await view.page.keyboard.press('Control+f');
    await view.page.keyboard.type('a');
    assert.equal(await box().inputValue(), 'a');
    await box().press('Escape');
    assert.equal(
      await view.page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName),
      await view.page.getByRole('textbox', { name: 'Message' }).evaluate((element) => element.getAttribute('role') ?? element.tagName),
    );
  });

  it('expands the entry that contains a match', async () => {
    await view.happen(
      chunk('Long thoughts of a needle', '1', 'thought'),
      {
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: {
          title: 'Read a.ts',
          kind: 'read',
          status: 'completed',
          content: [{ type: 'content', content: { type: 'text', text: `${'line\n'.repeat(400)}the needle` } }],
        },
      },
      {
        type: 'tool_call_update',
        toolCallId: 'd',
        patch: { title: 'Run', kind: 'execute', status: 'completed', content: [{ type: 'terminal', terminalId: 't' }] },
      },
      {
        type: 'terminal_update',
        terminalId: 't',
        command: 'grep',
        output: `a needle\n${'line\n'.repeat(400)}`,
        exitStatus: { exitCode: 0 },
      },
      chunk('The end.', '9'),
    );
    await open('needle');
    await count('1 of 3');
    await currentIs('thought:1');
    await box().press('Enter');
    await currentIs('tool_call:c');
    await box().press('Enter');
    await currentIs('tool_call:d');
    await count('3 of 3');
  });

  it('collapses again what it expanded, when it moves on and when it closes', async () => {
    const read = (toolCallId: string) =>
      toolCall(toolCallId, { title: `Look ${toolCallId}`, kind: 'other', status: 'completed', content: [toolText('the needle')] });
    const isOpen = (name: string) => view.page.getByRole('article', { name }).getByRole('button', { expanded: true }).count();
    await view.happen(read('a'), read('b'), read('c'), chunk('The end.', '9'));
    await view.page.getByRole('article', { name: 'Look c' }).getByRole('button').first().click();
    await open('needle');
    // The first match is in the focused entry.
    await currentIs('tool_call:c');
    await box().press('Enter');
    await currentIs('tool_call:a');
    assert.deepEqual([await isOpen('Look a'), await isOpen('Look b')], [1, 0]);
    await box().press('Enter');
    await currentIs('tool_call:b');
    assert.deepEqual([await isOpen('Look a'), await isOpen('Look b')], [0, 1]);
    await box().press('Escape');
    await view.painted();
    assert.deepEqual([await isOpen('Look a'), await isOpen('Look b'), await isOpen('Look c')], [0, 0, 1], 'that of the user stays open');
  });

  it('finds text that is far away and not rendered, and comes back', async () => {
    await view.page.evaluate(() => {
      const entries = Array.from({ length: 2000 }, (_, index) => ({
        type: 'message_chunk' as const,
        role: 'agent' as const,
        messageId: String(index),
        at: 1,
        content: { type: 'text' as const, text: `Entry ${index}.\n\nWith some words${index % 500 === 3 ? ' and a needle' : ''}.` },
      }));
      window.playground.stage.events(entries);
      window.playground.stage.snapshot([]);
    });
    await view.page.locator('.log').getByText('Entry 1999.', { exact: true }).waitFor();
    await open('needle');
    await count('1 of 4');
    await currentIs('agent:3');
    for (const [index, words] of [
      [503, '2 of 4'],
      [1003, '3 of 4'],
      [1503, '4 of 4'],
      [3, '1 of 4'],
    ] as const) {
      await box().press('Enter');
      await count(words);
      await currentIs(`agent:${index}`);
    }
  });

  it('updates its matches while the agent streams', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' }, chunk('First needle. ', '1'));
    await open('needle');
    await count('1 of 1');
    for (let index = 0; index < 5; index++) {
      await view.happen(chunk(`Then a **needle** again.\n\n`, '1'));
    }
    await count('1 of 6');
    await view.page.waitForFunction(() => CSS.highlights.get('acp-find')?.size === 6);
    await view.happen(chunk('A last needle', '2'), { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
    await count('1 of 7');
    await box().press('Shift+Enter');
    await currentIs('agent:2');
  });

  it('begins at the user’s position, with the selected text', async () => {
    await view.happen(
      ...Array.from({ length: 60 }, (_, index) => chunk(`A needle in ${index}.\n\n${'more\n\n'.repeat(3)}`, String(index))),
    );
    await view.page.locator('.log').getByText('A needle in 59.', { exact: true }).waitFor();
    await view.page
      .locator('.log')
      .getByText('A needle in 50.', { exact: true })
      .evaluate((element) => {
        element.scrollIntoView({ block: 'start' });
        document.getSelection()!.setBaseAndExtent(element.firstChild!, 2, element.firstChild!, 8);
      });
    await view.page.keyboard.press('Control+f');
    assert.equal(await box().inputValue(), 'needle');
    await currentIs('agent:50');
  });

  it('copies a message as it was written', async () => {
    await view.happen(chunk('Make it *so*', '1', 'user'), chunk('**Done** in `a.ts`.\n\n```ts\nlet a;\n```', '2'));
    const answer = view.page.getByRole('group', { name: 'Agent', exact: true });
    const copy = answer.getByRole('button', { name: 'Copy message' });
    const opacity = () => copy.evaluate((element) => getComputedStyle(element.parentElement!).opacity);
    await copy.waitFor({ state: 'attached' });
    assert.equal(await opacity(), '0');
    await answer.hover();
    assert.equal(await opacity(), '1');
    await copy.click();
    await view.page.mouse.move(0, 0);
    const mine = view.page.getByRole('group', { name: 'You', exact: true }).getByRole('button', { name: 'Copy message' });
    await mine.focus();
    await view.page.keyboard.press('Enter');
    assert.deepEqual(
      (await view.postedAtLeast('copy', 2)).map(({ text }) => text),
      ['**Done** in `a.ts`.\n\n```ts\nlet a;\n```', 'Make it *so*'],
    );
  });

  it('reports the current match when the host asks', async () => {
    await view.happen(chunk('One', '1', 'user'), chunk('Two [link](https://example.com)', '2'));
    await view.page.getByRole('link', { name: 'link' }).waitFor();
    await view.send({ type: 'where' });
    assert.equal((await view.postedAtLeast('reading'))[0]?.entryId, 'user:1');
    await view.page.getByRole('link', { name: 'link' }).focus();
    await view.send({ type: 'where' });
    assert.equal((await view.postedAtLeast('reading', 2))[1]?.entryId, 'agent:2');
  });
});

describe('the find box', () => {
  let view: View;
  // A page reports key presses at a limited rate.
  eachInItsOwnDocument((opened) => (view = opened));

  it('reports key presses in it, so that no question takes the focus', async () => {
    await view.page.locator('.scroller').focus();
    await view.page.keyboard.press('Control+f');
    await view.page.getByRole('searchbox').waitFor();
    assert.equal((await view.posted('typing')).length, 0);
    await view.page.keyboard.type('abc', { delay: 5 });
    assert.equal((await view.postedAtLeast('typing')).length, 1);
  });
});
