/** Message content other than text: pictures, resources and links; and the user's own long texts. */
import assert from 'node:assert/strict';
import { PIXELS } from '../../webview/playground/galleryTexts';
import { allInOneView, type View } from './support/view';
import { chunk, message, text } from '../support/events';

describe('view: message content', function () {
  this.timeout(60_000);
  let view: View;

  allInOneView((opened) => (view = opened));

  it('separates a mention from the words around it, also where the agent has removed the spaces', async () => {
    const link = { type: 'resource_link', uri: 'file:///w/calc.js', name: 'calc.js' } as const;
    for (const [index, [before, after]] of [
      ['Explain ', ' please'],
      ['Explain', 'please'],
    ].entries()) {
      await view.happen(message([text(before!), link, text(after!)], `m${index}`, 'user'));
    }
    const bubbles = view.page.locator('.bubble-inline');
    await bubbles.nth(1).waitFor();
    const measured = await bubbles.evaluateAll((all) =>
      all.map((bubble) => {
        const chip = bubble.querySelector('.chip')!.getBoundingClientRect();
        const [first, last] = [...bubble.querySelectorAll('.user-text')].map((element) => {
          const range = document.createRange();
          const { data } = element.firstChild as Text;
          range.setStart(element.firstChild!, data.length - data.trimStart().length);
          range.setEnd(element.firstChild!, data.trimEnd().length);
          return range.getBoundingClientRect();
        });
        const middle = (box: DOMRect): number => (box.top + box.bottom) / 2;
        return { gaps: [chip.left - first!.right, last!.left - chip.right], lift: Math.abs(middle(chip) - middle(first!)) };
      }),
    );
    for (const { gaps, lift } of measured) {
      assert.ok(
        gaps.every((gap) => gap >= 3 && gap < 10),
        gaps.join(),
      );
      assert.ok(lift <= 2, String(lift));
    }
  });

  describe('the buttons of a message', () => {
    it('are inside the page, and cover neither its text nor the buttons of its code', async () => {
      const code = `\`\`\`js\n${'const long = 1; '.repeat(20)}\n\`\`\``;
      await view.happen(
        message(`Please ${'do this '.repeat(40)}`, 't', 'user'),
        message(`${code}\n\n${'Words of an answer. '.repeat(40)}`),
      );
      await view.page.locator('.agent .message-actions').waitFor({ state: 'attached' });
      for (const width of [300, 460, 900, 1600]) {
        await view.page.setViewportSize({ width, height: 700 });
        await view.painted();
        const found = await view.page.evaluate(() => {
          const log = document.querySelector('.scroller')!;
          const inner = log.getBoundingClientRect();
          const right = inner.left + log.clientWidth;
          const isOver = (a: DOMRect, b: DOMRect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
          return [...document.querySelectorAll('.message-actions')].map((actions) => {
            const box = actions.getBoundingClientRect();
            const entry = actions.closest('.entry')!;
            const others = [...entry.querySelectorAll('.md p, .md button')].map((each) => each.getBoundingClientRect());
            return {
              width: box.width,
              isInside: box.left >= inner.left && box.right <= right,
              covers: others.filter((each) => isOver(box, each)).length,
            };
          });
        });
        assert.equal(found.length, 2);
        for (const each of found) {
          assert.ok(each.width > 0 && each.isInside && each.covers === 0, `${width}: ${JSON.stringify(found)}`);
        }
      }
    });
  });

  describe('pictures', () => {
    /** The beginning of a PNG of this size. The rest is missing, so it is never decoded. */
    const promised = (width: number, height: number): string =>
      Buffer.from([
        0x89,
        0x50,
        0x4e,
        0x47,
        13,
        10,
        26,
        10,
        0,
        0,
        0,
        13,
        0x49,
        0x48,
        0x44,
        0x52,
        0,
        0,
        width >> 8,
        width & 255,
        0,
        0,
        height >> 8,
        height & 255,
      ]).toString('base64');

    it('have their space and shape before they are decoded, also on a narrow page', async () => {
      await view.page.evaluate(() => {
        const original = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src')!;
        Object.defineProperty(HTMLImageElement.prototype, 'src', { ...original, set() {} });
        (window as unknown as { returnPrompt: () => void }).returnPrompt = () =>
          Object.defineProperty(HTMLImageElement.prototype, 'src', original);
      });
      await view.happen({
        type: 'message',
        role: 'agent',
        messageId: 'm',
        content: [
          { type: 'image', mimeType: 'image/png', data: promised(2000, 500) },
          { type: 'image', mimeType: 'image/png', data: promised(100, 50) },
        ],
      });
      const images = view.page.locator('.content-image');
      await images.nth(1).waitFor({ state: 'attached' });
      const sizes = await images.evaluateAll((all) =>
        all.map((image) => [image.getAttribute('width'), image.getAttribute('height'), image.getAttribute('decoding')]),
      );
      assert.deepEqual(sizes, [
        ['780', '195', 'async'],
        ['100', '50', 'async'],
      ]);
      await view.page.evaluate(() => (window as unknown as { returnPrompt: () => void }).returnPrompt());
    });

    it('open in full at any size, and have a label that says so', async () => {
      const wide = await view.page.evaluate(() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 400 });
        canvas.getContext('2d')!.fillRect(10, 10, 900, 300);
        return canvas.toDataURL('image/png').split(',')[1]!;
      });
      await view.happen({
        type: 'message',
        role: 'agent',
        messageId: 'm',
        content: [
          { type: 'image', mimeType: 'image/png', data: wide, uri: 'file:///w/wide.png' },
          { type: 'image', mimeType: 'image/png', data: PIXELS },
        ],
      });
      const button = view.page.getByRole('button', { name: 'wide.png: Show at full size' });
      const width = () => view.page.getByAltText('wide.png').evaluate((image) => image.getBoundingClientRect().width);
      assert.equal(await width(), 772);
      await button.click();
      assert.equal(await width(), 1600);
      assert.ok(await view.page.locator('.scroller').evaluate((scroller) => scroller.scrollWidth <= scroller.clientWidth));
      await view.page.getByRole('button', { name: 'wide.png: Show to fit' }).press('Enter');
      assert.equal(await width(), 772);
      assert.equal(await view.page.locator('.image-button').count(), 1);
    });
  });

  describe('resources', () => {
    it('open as the agent sent them, save data, and open the user’s own file', async () => {
      await view.happen(
        {
          type: 'message',
          role: 'user',
          messageId: 'u',
          content: [
            { type: 'text', text: 'See.' },
            { type: 'resource', uri: 'file:///home/ada/sample/own.ts', text: 'x' },
          ],
        },
        {
          type: 'message',
          role: 'agent',
          messageId: 'a',
          content: [
            { type: 'text', text: 'Read.' },
            { type: 'resource', uri: 'file:///home/ada/sample/told.ts', text: 'x' },
            { type: 'resource', uri: 'demo://all.zip', blob: 'UEsDBA==' },
          ],
        },
      );
      await view.page.getByRole('button', { name: 'own.ts' }).click();
      await view.page.getByRole('button', { name: 'told.ts' }).click();
      await view.page.getByRole('button', { name: 'all.zip' }).click();
      assert.deepEqual(await view.posted('open_link'), [{ type: 'open_link', href: 'file:///home/ada/sample/own.ts' }]);
      assert.deepEqual(
        await view.posted('open_content'),
        [1, 2].map((content) => ({ type: 'open_content', entryId: 'agent:a', content })),
      );
    });
  });

  describe('links', () => {
    it('show their target, and open paths in code', async () => {
      await view.happen({
        type: 'message',
        role: 'agent',
        messageId: 'a',
        content: [
          { type: 'text', text: 'See `src/a.ts:12`, `console.log`, [`b.ts`](src/b.ts), [this](https://аррӏе.com) and [x](command:x).' },
        ],
      });
      const links = view.page.getByRole('log').getByRole('link');
      await links.nth(2).waitFor();
      assert.deepEqual(await links.evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('title')])), [
        ['src/a.ts:12', 'src/a.ts:12'],
        ['b.ts', 'src/b.ts'],
        ['this', 'https://xn--80ak6aa92e.com/\n(https://аррӏе.com)'],
      ]);
      await links.first().press('Enter');
      assert.deepEqual(await view.posted('open_link'), [{ type: 'open_link', href: 'src/a.ts:12' }]);
    });
  });

  describe('named files', () => {
    it('are links once the text is complete and the host has found them', async () => {
      await view.happen({ type: 'turn_started', turnId: 't' }, chunk('See calc.js:3, '));
      await view.happen(chunk('`Makefile`, src/missing.js, `foo` and e.g. src/a'));
      const asked = async () => (await view.posted('files')).flatMap(({ texts }) => texts);
      await view.painted();
      assert.deepEqual(await asked(), []);
      await view.happen(chunk('.ts.'), { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' });
      const links = view.page.getByRole('log').getByRole('link');
      await links.nth(2).waitFor();
      assert.deepEqual(await links.allInnerTexts(), ['calc.js:3', 'Makefile', 'src/a.ts']);
      assert.deepEqual(await asked(), ['calc.js:3', 'Makefile', 'src/missing.js', 'src/a.ts']);
      await links.first().press('Enter');
      assert.deepEqual((await view.posted('open_link')).at(-1), { type: 'open_link', href: 'calc.js:3' });
    });
  });

  describe('long texts of the user', () => {
    it('collapse after twenty lines, expand, are copied whole, and are found', async () => {
      const text = Array.from({ length: 60 }, (_, index) => `line ${index + 1}${index === 50 ? ' needle' : ''}`).join('\n');
      await view.happen(
        { type: 'message', role: 'user', messageId: 'u', content: [{ type: 'text', text }] },
        { type: 'message', role: 'user', messageId: 'u2', content: [{ type: 'text', text: 'a\n'.repeat(22) }] },
      );
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
