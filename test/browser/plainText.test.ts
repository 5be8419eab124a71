import assert from 'node:assert/strict';
import { eachInItsOwnView, type View } from './support/view';
import { chunk } from '../support/events';
import { randomOf } from '../bench/markdownFuzz';
import { markdownTexts } from '../support/markdownTexts';
import { PlainReader } from '../../src/text/markdown/plainReader';

function plain(markdown: string): string {
  const run = new PlainReader().update(markdown);
  let step = run.next();
  while (!step.done) {
    step = run.next();
  }
  return step.value;
}

describe('plain text of markdown', function () {
  this.timeout(120_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  /** The text in the document, read from its elements alone and without our own code. */
  const rendered = () =>
    view.page.evaluate(() => {
      const inline = new Set(['A', 'BDI', 'CODE', 'DEL', 'EM', 'SPAN', 'STRONG']);
      const textOf = (node: Node): string => {
        if (node instanceof Text) {
          return node.data;
        }
        if (!(node instanceof HTMLElement) || node.matches('.code-bar, .unsearched')) {
          return '';
        }
        const source = node.dataset.source;
        if (source !== undefined) {
          return node.matches('.math-block') ? `\n${source}\n` : source;
        }
        const text = node.tagName === 'BR' ? '\n' : [...node.childNodes].map(textOf).join('');
        return inline.has(node.tagName) && !node.matches('.math-block') ? text : `\n${text}\n`;
      };
      return [...document.querySelectorAll<HTMLElement>('.log [data-slot]')].map(
        (slot) => [slot.dataset.slot!, [...slot.querySelectorAll('.md')].map(textOf).join('\n')] as const,
      );
    });
  const lines = (text: string) => text.replace(/\n+/g, '\n').replace(/^\n|\n$/g, '');

  async function show(texts: readonly string[]): Promise<void> {
    await view.happen(...texts.map((text, index) => chunk(text, String(index))), chunk('The end of all.', 'end', 'user'));
    await view.page.locator('.log').getByText('The end of all.', { exact: true }).waitFor();
    await view.painted();
  }

  for (const seed of [1, 2, 3]) {
    it(`equals the text on the page, and its matches are the highlighted ones (${seed})`, async () => {
      const texts = markdownTexts(9, seed);
      await show(texts);
      const shown = new Map(await rendered());
      texts.forEach((text, index) => assert.equal(lines(plain(text)), lines(shown.get(`agent:${index}`)!), JSON.stringify(text)));

      const random = randomOf(seed);
      await view.page.keyboard.press('Control+f');
      const box = view.page.getByRole('searchbox', { name: 'Find in conversation' });
      await box.waitFor();
      let found = 0;
      for (let round = 0; round < 12; round++) {
        const text = plain(texts[Math.floor(random() * texts.length)]!);
        const at = Math.floor(random() * text.length);
        const query = text
          .slice(at, at + 1 + Math.floor(random() * 10))
          .replace(/\s+/g, ' ')
          .trim()
          .toWellFormed();
        if (query === '' || query.includes('\ufffd')) {
          continue;
        }
        await box.fill(query);
        await view.page.waitForFunction(() => document.querySelector('.find-count')!.textContent !== '');
        // The highlights appear a moment after a change of the page.
        await view.page.waitForTimeout(150);
        // This reads the page once everything is rendered: text that renders meanwhile is highlighted again.
        const look = await view.page.waitForFunction(() => {
          const words = document.querySelector('.find-count')!.textContent!;
          const highlights = [...((CSS.highlights.get('acp-find') as Iterable<StaticRange> | undefined) ?? [])];
          if (!highlights.every((part) => part.startContainer.isConnected && part.endContainer.isConnected)) {
            return undefined;
          }
          return {
            count: words === 'No results' ? 0 : Number(/ of (\d+)/.exec(words)?.[1]),
            marked: highlights.map((part) => {
              const range = document.createRange();
              range.setStart(part.startContainer, part.startOffset);
              range.setEnd(part.endContainer, part.endOffset);
              const isFormula = (node: Node) => node.parentElement!.closest('.math-set') !== null;
              return isFormula(part.startContainer) || isFormula(part.endContainer) || range.cloneContents().querySelector('.math-set')
                ? undefined
                : range.toString();
            }),
          };
        });
        const { count, marked } = (await look.jsonValue())!;
        assert.equal(marked.length, count, JSON.stringify(query));
        found += count;
        const bare = (words: string) => words.replace(/\s+/g, '').toLowerCase();
        for (const words of marked) {
          if (words !== undefined) {
            assert.equal(bare(words), bare(query));
          }
        }
      }
      assert.ok(found > 0);
    });
  }

  it('matches its highlights in everything else that an entry shows', async () => {
    const resource = (text: string) => ({ type: 'resource' as const, uri: 'file:///w/needle.txt', text });
    await view.happen(
      chunk('A needle, a **needle** of the\u202eneedle', 'u', 'user'),
      { ...chunk('x', 'r'), content: resource('needle\nneedle') },
      {
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: {
          title: 'Read `needle.ts`',
          name: 'needle_tool',
          kind: 'other',
          status: 'failed',
          locations: [{ path: '/home/ada/sample/needle.ts', line: 3 }],
          content: [
            { type: 'content', content: { type: 'text', text: 'a **nee**dle' } },
            { type: 'content', content: { type: 'text', text: '{"needle":["needle",1],"other":"needle"}' } },
            { type: 'content', content: resource('one needle') },
            { type: 'diff', changes: [{ operation: 'modify', path: '/home/ada/sample/needle.ts', oldText: 'a', newText: 'b' }] },
            { type: 'terminal', terminalId: 't' },
          ],
        },
      },
      {
        type: 'terminal_update',
        terminalId: 't',
        command: 'grep needle',
        output: 'need\u001b[1mle\u001b[0m\nneedle\n',
        exitStatus: { exitCode: 0 },
      },
      {
        type: 'tool_call_update',
        toolCallId: 'd',
        patch: {
          title: 'Run',
          kind: 'execute',
          status: 'completed',
          content: [{ type: 'content', content: { type: 'text', text: '**needle**\nthe\nneedle' } }],
        },
      },
      { type: 'notice', noticeId: 'n', severity: 'info', title: 'A needle', description: 'is a needle\n'.repeat(30) },
      chunk('The end of all.', 'end', 'user'),
    );
    await view.page.evaluate(async () => {
      for (let round = 0; round < 6; round++) {
        document.querySelectorAll<HTMLElement>('.log [aria-expanded="false"]').forEach((button) => button.click());
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
    await view.page.keyboard.press('Control+f');
    const box = view.page.getByRole('searchbox', { name: 'Find in conversation' });
    for (const query of ['needle', 'the needle', 'a needle', 'U+202E', '"needle"', 'needle.ts', 'needle.txt']) {
      await box.fill(query);
      await view.page.waitForTimeout(250);
      const [words, marked] = await view.page.evaluate(() => [
        document.querySelector('.find-count')!.textContent!,
        CSS.highlights.get('acp-find')?.size ?? 0,
      ]);
      assert.equal(Number(/ of (\d+)/.exec(String(words))?.[1]), marked, query);
    }
  });
});
