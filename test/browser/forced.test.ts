import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { View, keepPicture, root } from './support/view';

/** Windows' contrast themes: the system's colours replace the page's, and backgrounds are removed. */
describe('forced colours', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'forced');
  let view: View;

  for (const colorScheme of ['dark', 'light'] as const) {
    describe(colorScheme, () => {
      before(async () => {
        await mkdir(folder, { recursive: true });
        view = await View.open(`gallery&theme=${colorScheme}`, {
          viewport: { width: 900, height: 14_000 },
          deviceScaleFactor: 1,
          forcedColors: 'active',
          colorScheme,
        });
        await view.page.getByRole('button', { name: 'Always allow' }).waitFor();
        await view.painted();
      });
      after(() => view.close());

      it('leave an edge to everything that can be pressed or is set apart', async () => {
        await keepPicture(view.page, path.join(folder, `${colorScheme}.png`));
        const without = await view.page.evaluate(() =>
          [
            ...document.querySelectorAll(
              '.button, .send, .chip, .bubble, .tool, .permission, .elicitation, .field-input, .composer-box, .code, .diff, .terminal:not(.xterm), .toast',
            ),
          ].flatMap((element) => {
            const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element);
            return borderTopStyle === 'none' ||
              parseFloat(borderTopWidth) < 1 ||
              borderTopColor === backgroundColor ||
              borderTopColor === 'rgba(0, 0, 0, 0)'
              ? [element.outerHTML.slice(0, 100)]
              : [];
          }),
        );
        assert.deepEqual(without, []);
      });

      it('leave the marks of a diff', async () => {
        const lines = await view.page
          .locator('.diff-line:is(.add, .del)')
          .evaluateAll((all) => all.map((line) => line.querySelector('.diff-sign')!.textContent!.trim()));
        assert.ok(lines.length > 0 && lines.every((sign) => /^[+\-−]$/.test(sign)), lines.join());
        const mark = await view.page
          .locator('.diff-code mark')
          .first()
          .evaluate((element) => {
            const { color, backgroundColor, outlineStyle, outlineWidth } = getComputedStyle(element);
            return { color, backgroundColor, outlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 };
          });
        assert.deepEqual(
          mark,
          colorScheme === 'dark'
            ? { color: 'rgb(255, 255, 255)', backgroundColor: 'rgb(0, 0, 0)', outlined: true }
            : { color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)', outlined: true },
        );
      });

      it('leave icons in the text colour', async () => {
        const unseen = await view.page.evaluate(() => {
          const ground = getComputedStyle(document.body).backgroundColor;
          return [...document.querySelectorAll('.app svg.icon')].flatMap((icon) =>
            getComputedStyle(icon).color === ground ? [icon.closest('button, div')!.outerHTML.slice(0, 100)] : [],
          );
        });
        assert.deepEqual(unseen, []);
      });

      it('show states in words, not in colours alone', async () => {
        const wordless = await view.page
          .locator('.tool .status')
          .evaluateAll((all) =>
            all.filter((status) => (status.textContent ?? '').trim() === '').map((status) => status.outerHTML.slice(0, 100)),
          );
        assert.deepEqual(wordless, []);
      });
    });
  }
});
