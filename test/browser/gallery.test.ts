import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { brokenIn } from './support/axe';
import { themesOf } from './support/themesOf';
import { View, keepPicture, root } from './support/view';

const KINDS = ['user', 'agent', 'thought', 'tool', 'permission', 'elicitation', 'turn', 'notice', 'compaction', 'unknown'];
const THEMES = themesOf(['dark', 'light', 'hc', 'hc-light', 'dark-2026', 'light-2026'], ['dark', 'light', 'hc']);
/** VS Code's newest themes. The pictures show the others. */
const COLOURS_ONLY: ReadonlySet<string> = new Set(['dark-2026', 'light-2026']);
/** A collapsed part has the colours of its expanded one, so two themes are enough to find a rule that applies to collapsed parts only. */
const CLOSED: ReadonlySet<string> = new Set(['dark', 'hc-light']);

describe('gallery', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'gallery');
  let view: View;

  before(async () => {
    await mkdir(folder, { recursive: true });
    view = await View.open('gallery&theme=dark', {
      viewport: { width: 900, height: 3000 },
      deviceScaleFactor: 1,
    });
    await view.page.getByRole('button', { name: 'Always allow' }).waitFor();
    await fit(view);
    await view.page.getByText('Hello, ${').first().waitFor();
  });
  after(() => view.close());

  it('shows every kind of entry', async () => {
    for (const kind of KINDS) {
      assert.ok((await view.page.locator(`.entry.${kind}`).count()) > 0, `no ${kind} in the gallery`);
    }
  });

  // One page in all of its themes, as VS Code changes them. Only colours differ, so the other rules are checked once.
  for (const name of ['closed', 'opened']) {
    describe(name, () => {
      before(async () => {
        if (name === 'opened') {
          await openEverything(view);
        }
      });

      for (const theme of name === 'closed' ? THEMES.filter((each) => CLOSED.has(each)) : THEMES) {
        it(`is without fault in ${theme}`, async () => {
          await view.page.evaluate((theme) => window.playground.applyTheme(theme), theme);
          await fit(view);
          await settled(view);
          if (!COLOURS_ONLY.has(theme)) {
            await keepPicture(view.page, path.join(folder, name === 'closed' ? `${theme}.png` : `${theme}-opened.png`));
          }
          assert.deepEqual(await brokenIn(theme, view), []);
          assert.deepEqual(view.offences, []);
        });
      }
    });
  }
});

/** Makes the window as high as its content, so that everything is rendered and in the picture. */
async function fit(view: View): Promise<void> {
  for (let wanted = 0, height = 1; height !== wanted; ) {
    wanted = height;
    height =
      Math.ceil(
        await view.page.evaluate(
          () =>
            document.querySelector('.log')!.getBoundingClientRect().height +
            document.querySelector('.dock')!.getBoundingClientRect().height,
        ),
      ) + 100;
    await view.page.setViewportSize({ width: 900, height });
    await view.painted();
  }
}

/** Waits until code is coloured, diagrams are drawn and nothing else changes: the same elements for half a second of frames. */
async function settled(view: View): Promise<void> {
  await view.page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let count = -1;
        let same = 0;
        const look = () => {
          const now = document.getElementsByTagName('*').length;
          same = now === count ? same + 1 : 0;
          count = now;
          if (same >= 30) {
            resolve();
          } else {
            requestAnimationFrame(look);
          }
        };
        look();
      }),
  );
}

/** Expands everything, and the parts inside, until nothing is left to expand. */
async function openEverything(view: View): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const opened = await view.page.evaluate(() => {
      const closed = [...document.querySelectorAll<HTMLElement>('.log [aria-expanded=false], .plans [aria-expanded=false]')];
      closed.forEach((button) => button.click());
      return closed.length;
    });
    await view.painted();
    if (opened === 0) {
      return;
    }
  }
}
