import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { broken } from './support/axe';
import { View, root } from './support/view';

const KINDS = ['user', 'agent', 'thought', 'tool', 'permission', 'elicitation', 'turn', 'notice', 'compaction', 'unknown'];
const THEMES = ['dark', 'light', 'hc', 'hc-light'];
/** VS Code's newest, looked at for what differs from theme to theme. */
const FURTHER = ['dark-2026', 'light-2026'];
const COLOURS = ['color-contrast', 'link-in-text-block'];

describe('gallery', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'gallery');
  before(() => mkdir(folder, { recursive: true }));

  for (const theme of [...THEMES, ...FURTHER]) {
    it(`shows every kind of entry in ${theme}, and axe finds nothing, closed and with everything opened`, async () => {
      const view = await View.open(`gallery&theme=${theme}`, {
        viewport: { width: 900, height: 3000 },
        deviceScaleFactor: 1,
        reducedMotion: 'reduce',
      });
      try {
        await view.page.getByRole('button', { name: 'Always allow' }).waitFor();
        await fit(view);
        await view.page.getByText('Hello, ${').first().waitFor();
        await settled(view);
        for (const kind of KINDS) {
          assert.ok((await view.page.locator(`.entry.${kind}`).count()) > 0, `no ${kind} in the gallery`);
        }
        const rules = FURTHER.includes(theme) ? COLOURS : undefined;
        assert.deepEqual(await broken(view, rules), []);
        await view.page.screenshot({ path: path.join(folder, `${theme}.png`) });
        await openEverything(view);
        await fit(view);
        await settled(view);
        await view.page.screenshot({ path: path.join(folder, `${theme}-opened.png`) });
        assert.deepEqual(await broken(view, rules), []);
        assert.deepEqual(view.offences, []);
      } finally {
        await view.close();
      }
    });
  }
});

/** Makes the window as high as what is in it, so that all of it is there and in the picture. */
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

/** Until code has its colours, diagrams are drawn and nothing else comes: the same elements for half a second of frames. */
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

/** Opens all that can be opened, and what that holds, until nothing is left. */
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
