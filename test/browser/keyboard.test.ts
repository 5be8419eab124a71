import assert from 'node:assert/strict';
import { View } from './support/view';

/** The properties of a stop of the Tab key. */
interface Stop {
  readonly tag: string;
  readonly seen: boolean;
  readonly ring: boolean;
}

/** The element with the mark that the test has set. */
type LookedAt = NonNullable<ReturnType<typeof look>>;

/** The number of keys pressed before the page is asked for the stops. */
const AT_ONCE = 16;

describe('the keyboard alone', function () {
  this.timeout(180_000);

  it('reaches every control of the gallery, shows the focus on each, and leaves the page again', async () => {
    const view = await View.open('gallery&theme=dark', {
      viewport: { width: 900, height: 14_000 },
      deviceScaleFactor: 1,
    });
    try {
      await view.page.getByRole('button', { name: 'Always allow' }).waitFor();
      await view.page.getByText('Hello, ${').first().waitFor();
      await view.tame();
      const controls = await view.page.evaluate(() => {
        const all = [
          ...document.querySelectorAll<HTMLElement>('.app :is(button, input, select, textarea, a[href], summary, audio, [tabindex])'),
        ].filter(
          (element) => element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true }),
        );
        all.forEach((element, index) => (element.dataset.stop = String(index)));
        // Tab reaches only the checked one of the radio buttons with one name.
        return all
          .filter((element) => !element.matches('input[type=radio]:not(:checked)'))
          .map((element) => ({ at: element.dataset.stop!, tag: element.outerHTML.slice(0, 120) }));
      });
      const reached = new Map<string, Stop>();
      await view.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      // The page records each focused element: on a page this high, a picture after each key would be most of the work.
      await view.page.evaluate((look) => {
        const stopAt = eval(`(${look})`) as () => LookedAt | undefined;
        const stops: (LookedAt | null)[] = [];
        Object.assign(window, { stops });
        addEventListener('focusin', () => void stops.push(stopAt() ?? null), true);
        addEventListener('focusout', ({ relatedTarget }) => void (relatedTarget === null && stops.push(null)), true);
      }, look.toString());
      const press = async (key: 'Tab' | 'Shift+Tab'): Promise<(LookedAt | null)[]> => {
        await Promise.all(Array.from({ length: AT_ONCE }, () => view.page.keyboard.press(key)));
        return view.page.evaluate(() => (window as unknown as { stops: (LookedAt | null)[] }).stops.splice(0));
      };
      const pressSlowly = async (): Promise<(LookedAt | null)[]> => {
        const stops: (LookedAt | null)[] = [];
        while (stops.length < AT_ONCE && stops.at(-1) !== null) {
          await view.page.keyboard.press('Tab');
          let stop = await view.page.evaluate(look);
          if (stop && !(stop.seen && stop.ring)) {
            // The page's own work, such as scrolling, may take a frame on a busy machine.
            await view.painted();
            stop = await view.page.evaluate(look);
          }
          stops.push(stop ?? null);
        }
        await view.page.evaluate(() => void ((window as unknown as { stops: unknown[] }).stops.length = 0));
        return stops;
      };
      let out = false;
      for (let presses = 0; presses < controls.length * 3 + 20 && !out; presses += AT_ONCE) {
        let stops = await press('Tab');
        if (stops.some((stop) => stop && !(stop.seen && stop.ring))) {
          await press('Shift+Tab');
          stops = await pressSlowly();
        }
        // After the last stop, another key would begin at the top.
        const end = stops.indexOf(null);
        out = end >= 0 && presses + end > 0;
        for (const stop of end < 0 ? stops : stops.slice(0, end)) {
          if (stop?.at !== undefined && !reached.get(stop.at)?.ring) {
            reached.set(stop.at, stop);
          } // A date has several stops, and its last one a ring of its own.
        }
      }
      assert.ok(out, 'the focus leaves the page at its end');
      const missed = controls.filter(({ at }) => !reached.has(at));
      // A missing element was a toast, or the source of a diagram.
      assert.deepEqual(
        await view.page.evaluate(
          (all) => all.flatMap(({ at, tag }) => (document.querySelector(`[data-stop="${at}"]`) ? [tag] : [])),
          missed,
        ),
        [],
      );
      assert.deepEqual(
        [...reached.values()].filter(({ seen, ring }) => !seen || !ring),
        [],
      );

      // The order is the same in any theme, but the focus indicator is not.
      await view.page.evaluate(() => window.playground.applyTheme('hc-light'));
      await view.page.keyboard.press('Tab');
      const inHighContrast = await view.page.evaluate((look) => {
        const stopAt = eval(`(${look})`) as () => Stop | undefined;
        return [...document.querySelectorAll<HTMLElement>('[data-stop]')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled'))
          .flatMap((element) => {
            element.focus();
            return stopAt() ?? [];
          });
      }, look.toString());
      assert.ok(inHighContrast.length > reached.size / 2, `${inHighContrast.length} of ${reached.size}`);
      assert.deepEqual(
        inHighContrast.filter(({ seen, ring }) => !seen || !ring),
        [],
      );
    } finally {
      await view.close();
    }
  });
});

/** The focused element; undefined when no element of the page has the focus. */
function look(): (Stop & { at: string | undefined }) | undefined {
  const element = document.activeElement as HTMLElement | null;
  if (!element || element === document.body || element === document.documentElement) {
    return undefined;
  }
  const outlined = (each: Element | null, part?: string): boolean => {
    if (!each) {
      return false;
    }
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(each, part);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && outlineColor !== 'rgba(0, 0, 0, 0)';
  };
  const { width, height, top, bottom } = element.getBoundingClientRect();
  // The browser draws its own focus ring in its own player. The composer's box has the focus colour for the text in it; a list's short form
  // has the focus ring of the list over it.
  const box = element.closest('.composer-box');
  const boxed =
    element.matches('.composer-text') &&
    box !== null &&
    getComputedStyle(box).borderTopColor !== getComputedStyle(document.querySelector('.composer')!).borderTopColor;
  return {
    at: element.dataset.stop,
    tag: element.outerHTML.slice(0, 120),
    seen: width > 0 && height > 0 && bottom > 0 && top < innerHeight,
    ring:
      element.matches('audio') ||
      outlined(element) ||
      outlined(element, '::after') ||
      outlined(element.closest('.option-select, .find-box')) ||
      boxed,
  };
}
