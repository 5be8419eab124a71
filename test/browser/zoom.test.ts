import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { View, keepPicture, root } from './support/view';

/** CSS pixels: a window of 900 × 800 at 200 %, and one of 1280 × 1024 at 400 %. */
const SIZES = [
  { width: 450, height: 400 },
  { width: 320, height: 256 },
];

describe('zoom', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'zoom');
  before(() => mkdir(folder, { recursive: true }));

  describe('in a window that is high enough for everything', () => {
    let view: View;
    before(async () => {
      view = await View.open('gallery', { viewport: { ...SIZES[0]!, height: 16_000 } });
      await view.page.getByRole('button', { name: 'Always allow' }).waitFor();
    });
    after(() => view.close());

    for (const size of SIZES) {
      it(`cuts nothing off and scrolls one way only at ${size.width} × ${size.height}`, async () => {
        await view.page.setViewportSize({ ...size, height: 16_000 });
        await view.painted();
        await open(view);
        assert.deepEqual(await view.page.evaluate(cutOff), []);
        await keepPicture(view.page, path.join(folder, `gallery-${size.width}.png`));
      });
    }
  });

  describe('in a window of this size', () => {
    let view: View;
    before(async () => {
      view = await View.open('gallery', { viewport: SIZES[0]!, deviceScaleFactor: 2 });
      await view.page.getByRole('button', { name: 'Always allow' }).waitFor();
    });
    after(() => view.close());

    for (const size of SIZES) {
      it(`keeps conversation and composer in reach at ${size.width} × ${size.height}`, async () => {
        await view.page.setViewportSize(size);
        await view.painted();
        await keepPicture(view.page, path.join(folder, `window-${size.width}.png`));
        const places = await view.page.evaluate(() =>
          ['.header', '.scroller', '.composer-text', '.send'].map((selector) => {
            const element = document.querySelector(selector)!;
            element.scrollIntoView({ block: 'nearest' });
            const { left, top, right, bottom } = element.getBoundingClientRect();
            return { selector, inside: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight, height: bottom - top };
          }),
        );
        assert.deepEqual(
          places.filter(({ inside }) => !inside),
          [],
        );
        assert.ok(places.find(({ selector }) => selector === '.scroller')!.height >= 120, JSON.stringify(places));
      });
    }
  });

  it('scrolls nothing but the conversation, wherever an element in it is', async () => {
    const view = await View.open('', { viewport: SIZES[0]! });
    try {
      await view.ready();
      const top = await view.page.evaluate(() => {
        const far = document.querySelector('.log')!.appendChild(document.createElement('div'));
        far.textContent = 'far';
        far.style.setProperty('position', 'absolute');
        far.style.setProperty('top', '3000px');
        far.scrollIntoView();
        window.scrollTo(0, 1000);
        return document.querySelector('.app')!.getBoundingClientRect().top;
      });
      assert.equal(top, 0);
    } finally {
      await view.close();
    }
  });

  it('detects violations', async () => {
    const view = await View.open('', { viewport: SIZES[1]! });
    try {
      await view.ready();
      await view.page.evaluate(() => {
        const wide = document.querySelector('.log')!.appendChild(document.createElement('div'));
        wide.textContent = 'wide';
        wide.style.setProperty('width', '400px');
      });
      assert.match((await view.page.evaluate(cutOff)).join('\n'), /^reaches out: <div/m);
    } finally {
      await view.close();
    }
  });
});

async function open(view: View): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await view.page.evaluate(() =>
      document
        .querySelectorAll<HTMLElement>('.log [aria-expanded=false], .plans [aria-expanded=false]')
        .forEach((button) => button.click()),
    );
    await view.painted();
  }
}

/** The texts that cannot be read without scrolling sideways, or at all. Elements that scroll, or that end in an ellipsis, are left out. */
function cutOff(): string[] {
  const found: string[] = [];
  const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const visit = (element: Element): void => {
    const style = getComputedStyle(element);
    // Words for screen readers only are clipped.
    if (style.display === 'none' || element.matches('.sr-only') || style.clipPath === 'inset(50%)' || element instanceof SVGElement) {
      return;
    }
    const { left, right, width } = element.getBoundingClientRect();
    const tag = element.outerHTML.slice(0, 160);
    if (width > 0 && (left < -1 || right > innerWidth + 1)) {
      found.push(`reaches out: ${tag}`);
    }
    if (
      style.overflowX === 'hidden' &&
      style.textOverflow !== 'ellipsis' &&
      element.scrollWidth > element.clientWidth + 1 &&
      element.clientWidth > 0
    ) {
      found.push(`hides ${element.scrollWidth - element.clientWidth} px: ${tag}`);
    }
    if (!scrolls(element) && style.textOverflow !== 'ellipsis') {
      [...element.children].forEach(visit);
    }
  };
  visit(document.querySelector('.app')!);
  if (document.documentElement.scrollWidth > innerWidth) {
    found.push(`the page scrolls sideways: ${document.documentElement.scrollWidth}`);
  }
  return found;
}
