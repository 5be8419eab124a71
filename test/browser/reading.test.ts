/** The text in view does not move while placeholders above it become entries. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { eachInItsOwnView, type View } from './support/view';

describe('reading in the middle of a long conversation', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));

  /** Entries of many heights, none of them the estimated one. */
  const entries = Array.from(
    { length: 400 },
    (_, index): EventInput =>
      index % 5 === 0
        ? {
            type: 'tool_call_update',
            toolCallId: `t${index}`,
            patch: {
              title: `Edit ${index}`,
              kind: 'edit',
              status: 'completed',
              content: [
                {
                  type: 'diff',
                  changes: [
                    {
                      operation: 'modify',
                      path: `/home/ada/sample/f${index}.ts`,
                      oldText: 'a\nb\n',
                      newText: `a\n${'x\n'.repeat(index % 17)}`,
                    },
                  ],
                },
              ],
            },
          }
        : {
            type: 'message_chunk',
            role: index % 7 === 0 ? 'user' : 'agent',
            messageId: `m${index}`,
            content: { type: 'text', text: `Message ${index}.\n\n${'Some words of it. '.repeat((index * 13) % 90)}\n\n- a\n- b` },
          },
  );
  const log = () => view.page.getByRole('log', { name: 'Conversation' });
  /** Waits until no element changes its height. */
  const settled = () =>
    log().evaluate(async (element) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let still = 0, height = -1; still < 12; ) {
        await frame();
        still = height === element.scrollHeight ? still + 1 : 0;
        height = element.scrollHeight;
      }
    });

  beforeEach(async () => {
    await view.page.evaluate((all) => {
      const { stage } = window.playground;
      stage.lose = 1;
      stage.happen(...all);
      stage.snapshot([]);
    }, entries);
    await log().getByText('Message 399.').waitFor();
    await settled();
  });

  it('stays in place when the user scrolls up faster than entries are rendered', async () => {
    const moved: number[] = [];
    for (let step = 0; step < 14; step++) {
      // Marks an element that is on the screen once scrolled, and stays rendered.
      const top = await log().evaluate((element) => {
        document.querySelector('[data-reading]')?.removeAttribute('data-reading');
        element.scrollTop -= 900;
        const { top: from, bottom } = element.getBoundingClientRect();
        const read = [...element.querySelectorAll('[data-slot]')].find((entry) => {
          const box = entry.getBoundingClientRect();
          return box.top > from && box.top < bottom - 20 && (entry.firstElementChild?.childElementCount ?? 0) > 0;
        });
        read?.setAttribute('data-reading', '');
        return read?.getBoundingClientRect().top;
      });
      await settled();
      if (top !== undefined) {
        moved.push(
          await view.page.evaluate((was) => (document.querySelector('[data-reading]')?.getBoundingClientRect().top ?? Infinity) - was, top),
        );
      }
    }
    assert.ok(moved.length > 5, 'something was read');
    assert.deepEqual(
      moved.filter((pixels) => Math.abs(pixels) > 2),
      [],
      String(moved),
    );
  });

  it('stays where it is when an entry above grows', async () => {
    // This scrolls past everything that was on the screen, up to a page of entries that loads while the user reads.
    await log().evaluate((element) => (element.scrollTop -= 2500));
    await settled();
    const [above, top] = await log().evaluate((element) => {
      const { top: from } = element.getBoundingClientRect();
      const all = [...element.querySelectorAll<HTMLElement>('[data-slot]')];
      const index = all.findIndex((entry) => entry.getBoundingClientRect().top > from);
      all[index]!.setAttribute('data-reading', '');
      const before = all
        .slice(0, index)
        .findLast((entry) => entry.getBoundingClientRect().bottom < from && entry.dataset.slot!.startsWith('agent:'))!;
      return [before.dataset.slot!, all[index]!.getBoundingClientRect().top] as const;
    });
    await view.happen({
      type: 'message_chunk',
      role: 'agent',
      messageId: above.slice('agent:'.length),
      content: { type: 'text', text: '\n\nmore'.repeat(30) },
    });
    await log().getByText('more').first().waitFor();
    await settled();
    assert.ok(Math.abs((await view.page.locator('[data-reading]').evaluate((read) => read.getBoundingClientRect().top)) - top) <= 2);
  });
});
