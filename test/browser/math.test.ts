import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { formulas } from '../../webview/playground/galleryMath';
import { brokenIn } from './support/axe';
import { themesOf } from './support/themesOf';
import { View, keepPicture, root } from './support/view';
import { message } from '../support/events';

describe('formulas', function () {
  this.timeout(60_000);

  let view: View;
  const open = async (query = '', options = {}) => {
    view = await View.open(query, { ...options });
    if (!query.includes('gallery')) {
      await view.ready();
    }
  };
  afterEach(async () => {
    const { offences } = view;
    await view.close();
    assert.deepEqual(offences, []);
  });

  const say = (text: string, messageId?: string) => view.happen(message(text, messageId));
  const set = () => view.page.locator('.math-set');
  /** Scripts of the page that were loaded for a formula. */
  const loaded = () =>
    view.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name.split('/').at(-1)!)
        .filter((name) => /^(math|KaTeX)/.test(name)),
    );

  it('load nothing before the first formula, and only the fonts that they need', async () => {
    await open();
    await say('It costs $5 and $10.');
    await view.painted();
    assert.deepEqual(await loaded(), []);
    await say('Let $x$ be.', 'm2');
    await set().waitFor();
    assert.deepEqual((await loaded()).map((name) => name.replace(/-\w+\.js$/, '')).sort(), [
      'KaTeX_Main-Regular',
      'KaTeX_Math-Italic',
      'mathPage',
      'mathWorker',
    ]);
    assert.equal(await view.page.evaluate(() => document.fonts.check('16px KaTeX_Math')), true);
  });

  it('are set inline and as blocks, with MathML for screen readers', async () => {
    await open();
    await say('Let $x_1$ and \\(y\\) be:\n\n$$\n\\frac{a}{b}\n$$\n\n\\[ z \\]\n\n```math\nw\n```\n\n- $$v$$');
    await view.page.waitForFunction(() => document.querySelectorAll('.math-set').length === 6);
    assert.deepEqual(
      await set().evaluateAll((all: HTMLElement[]) =>
        all.map((each) => [each.classList.contains('math-block'), each.title, each.querySelectorAll('math').length]),
      ),
      [
        [false, 'x_1', 1],
        [false, 'y', 1],
        [true, '\\frac{a}{b}', 1],
        [true, 'z', 1],
        [true, 'w', 1],
        [true, 'v', 1],
      ],
    );
    const { fraction, mathml, hidden } = await set()
      .nth(2)
      .evaluate((block) => {
        const lines = block.querySelector('.mfrac .frac-line')!.getBoundingClientRect();
        return {
          fraction: lines.width > 5 && lines.height >= 1,
          mathml: block.querySelector('mfrac')!.textContent,
          hidden: block.querySelector('.katex-html')!.getAttribute('aria-hidden'),
        };
      });
    assert.deepEqual({ fraction, mathml, hidden }, { fraction: true, mathml: 'ab', hidden: 'true' });
    assert.deepEqual(await view.page.getByRole('group', { name: 'Formula' }).count(), 4);
  });

  it('keep the baseline and the height of their line', async () => {
    await open();
    await say('Words $x$ words.\n\nWords x words.');
    await set().waitFor();
    const [withMath, without] = await view.page
      .locator('.md p')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    assert.ok(Math.abs(withMath! - without!) <= 3, `${withMath} ${without}`);
    const gap = await view.page.evaluate(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector('.md p')!.firstChild!);
      return {
        words: range.getBoundingClientRect().bottom,
        strut: document.querySelector('.math-set .katex-strut')!.getBoundingClientRect().bottom,
      };
    });
    // A strut of a letter without a descender ends at the baseline; the words' box ends below it by their descenders.
    assert.ok(gap.words - gap.strut > 1 && gap.words - gap.strut < 8, JSON.stringify(gap));
  });

  it('stay as they were written when they are not valid TeX, and show the reason', async () => {
    await open();
    await say('An $\\frac{a$ and $\\nope$.');
    const source = view.page.locator('.math-source[title]');
    await view.page.waitForFunction(() => document.querySelectorAll('.math-source[title]').length === 2);
    assert.deepEqual(await source.allInnerTexts(), ['$\\frac{a$', '$\\nope$']);
    assert.equal(await source.nth(1).getAttribute('title'), "Can't render this formula: Undefined control sequence: \\nope");
  });

  it('stream as their source, and are set once when they are complete', async () => {
    await open();
    const chunk = (text: string) => view.happen({ type: 'message_chunk', role: 'agent', messageId: 'm1', content: { type: 'text', text } });
    await chunk('So $a$:\n\n$$\n\\frac{1');
    await set().waitFor();
    assert.match(await view.page.locator('.code-text').innerText(), /\\frac\{1/);
    await view.page.evaluate(() => Object.assign(window, { first: document.querySelector('.math-set > *') }));
    await chunk('}{2}\n$');
    await chunk('$\n\nand more');
    await view.page.waitForFunction(() => document.querySelectorAll('.math-set').length === 2);
    assert.equal(await view.page.locator('.code-text').count(), 0);
    assert.equal(
      await view.page.evaluate(() => document.querySelector('.math-set > *') === (window as unknown as { first: Element }).first),
      true,
      'the first one was not set again',
    );
  });

  it('scroll when they are wide, with the keyboard too', async () => {
    await open();
    const sum = Array.from({ length: 60 }, (_, index) => `x_{${index}}`).join('+');
    await say(`$$${sum}$$\n\nand $\\underbrace{${sum}}_n$ and $y$.`);
    await view.page.waitForFunction(() => document.querySelectorAll('.math-set[tabindex="0"]').length === 2);
    for (const index of [0, 1]) {
      const { own, page } = await set()
        .nth(index)
        .evaluate((each) => ({ own: each.scrollWidth > each.clientWidth, page: document.documentElement.scrollWidth > innerWidth }));
      assert.deepEqual({ own, page }, { own: true, page: false });
      await set().nth(index).focus();
      await view.page.keyboard.press('ArrowRight');
      await view.page.waitForFunction((at) => document.querySelectorAll('.math-set')[at]!.scrollLeft > 0, index);
    }
    assert.equal(await set().nth(2).getAttribute('tabindex'), null);
  });

  it('are found by their TeX, and highlighted as a whole', async () => {
    await open();
    await say('Before \\alpha.\n\nLet $\\alpha_1 + b$ be the needle $x$.\n\n$$\n\\alpha_2\n$$');
    await view.page.waitForFunction(() => document.querySelectorAll('.math-set').length === 3);
    await view.page.keyboard.press('Control+f');
    await view.page.getByRole('searchbox', { name: 'Find in conversation' }).fill('\\alpha_');
    await view.page.locator('.find-count', { hasText: '1 of 2' }).waitFor();
    const marked = () =>
      view.page.evaluate(() => {
        const [part] = [...((CSS.highlights.get('acp-find-current') as Iterable<StaticRange> | undefined) ?? [])];
        return (
          part && {
            source: part.startContainer.parentElement!.closest<HTMLElement>('.math-set')?.dataset.source,
            whole: part.startContainer !== part.endContainer,
          }
        );
      });
    await view.page.waitForFunction(() => CSS.highlights.get('acp-find')?.size === 2);
    assert.deepEqual(await marked(), { source: '$\\alpha_1 + b$', whole: true });
    await view.page.keyboard.press('Enter');
    await view.page.locator('.find-count', { hasText: '2 of 2' }).waitFor();
    await view.page.waitForFunction(() => {
      const [part] = [...((CSS.highlights.get('acp-find-current') as Iterable<StaticRange> | undefined) ?? [])];
      return part?.startContainer.parentElement?.closest('.math-block') !== null;
    });
    await view.page.getByRole('searchbox', { name: 'Find in conversation' }).fill('needle $x');
    await view.page.locator('.find-count', { hasText: '1 of 1' }).waitFor();
  });

  it('are copied as they were written', async () => {
    await open();
    await say('Let $x_1$ and $y$ be:\n\n$$\n\\frac{a}{b}\n$$\n\nEnd.');
    await view.page.waitForFunction(() => document.querySelectorAll('.math-set').length === 3);
    const copied = (from: string, to: string) =>
      view.page.evaluate(
        ([start, end]) => {
          const selection = getSelection()!;
          selection.setBaseAndExtent(
            document.querySelector(start!)!,
            0,
            document.querySelector(end!)!,
            document.querySelector(end!)!.childNodes.length,
          );
          const data = new DataTransfer();
          document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
          return data.getData('text/plain').trim().replace(/\n+/g, '\n');
        },
        [from, to],
      );
    assert.equal(await copied('.md p', '.md p:last-child'), 'Let $x_1$ and $y$ be:\n$$\n\\frac{a}{b}\n$$\nEnd.');
    assert.equal(await copied('.math-set .katex-html', '.math-set .katex-html'), '$x_1$', 'half a formula is none');
    assert.equal(await copied('.md p:last-child', '.md p:last-child'), '', 'left to the browser');
    assert.equal(await view.page.locator('.math-copied').count(), 0);
  });

  it('are not set while far away', async () => {
    await open();
    await say(`${'Words.\n\n'.repeat(400)}$x$\n\n${'Words.\n\n'.repeat(400)}$y$`);
    await view.page.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
    await view.painted();
    await say('Here is $z$.', 'm2');
    // This scrolls the list, not the formula: a distant formula may be another element by the time it is scrolled to.
    await view.page.getByRole('log').evaluate((log) => log.scrollTo(0, log.scrollHeight));
    await view.page.locator('.math-set[title=z]').waitFor();
    assert.equal(await view.page.locator('.math-set[title=x]').count(), 0);
  });

  it('leave their colours to a theme of high contrast, and to a system that forces its own', async () => {
    await open();
    await say('$\\color{#010203}{x}$ $\\colorbox{#040506}{y}$ $\\frac{a}{b}$');
    await view.page.waitForFunction(() => document.querySelectorAll('.math-set').length === 3);
    const colours = () =>
      view.page.evaluate(
        () =>
          [...document.querySelectorAll('.katex-html [style]')]
            .flatMap((each) => [getComputedStyle(each).color, getComputedStyle(each).backgroundColor])
            .filter((colour) => /\((1, 2, 3|4, 5, 6)/.test(colour)).length,
      );
    assert.ok((await colours()) >= 2);
    await view.page.evaluate(() => window.playground.applyTheme('hc'));
    assert.equal(await colours(), 0);
    await view.page.evaluate(() => window.playground.applyTheme('dark'));
    await view.page.emulateMedia({ forcedColors: 'active' });
    assert.equal(await colours(), 0);
  });

  it('keep `\\phantom` content hidden, whatever the colours', async () => {
    await open('theme=hc');
    await say('$\\phantom{-}x$');
    await set().waitFor();
    const seen = () =>
      view.page.evaluate(() =>
        [...document.querySelectorAll('.katex-html span')]
          .filter(
            (each) =>
              each.childElementCount === 0 &&
              each.checkVisibility({ visibilityProperty: true }) &&
              getComputedStyle(each).color !== 'rgba(0, 0, 0, 0)',
          )
          .map((each) => each.textContent)
          .join(''),
      );
    assert.equal(await seen(), 'x');
    await view.page.emulateMedia({ forcedColors: 'active' });
    assert.equal(await seen(), 'x');
  });

  for (const theme of themesOf(['dark', 'light', 'hc', 'hc-light'], ['dark', 'hc'])) {
    it(`look right in ${theme}, and axe finds nothing`, async () => {
      await open(`theme=${theme}`, { viewport: { width: 900, height: 1400 } });
      await view.happen(...formulas());
      const entry = view.page.locator('.entry.agent');
      await entry.locator('.math-source[title]').waitFor();
      await view.page.waitForFunction(() => document.querySelectorAll('.math-set').length >= 10);
      assert.deepEqual(await brokenIn(theme, view), []);
      await mkdir(path.join(root, 'test-results'), { recursive: true });
      await keepPicture(entry, path.join(root, 'test-results', `math-${theme}.png`));
    });
  }
});
