/** The scroll position: at the end, or where the user reads; and the loaded part of a long conversation. */
import assert from 'node:assert/strict';
import { chunk, permissionRequest } from '../support/events';
import { eachInItsOwnView, type View } from './support/view';

describe('scrolling', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const conversation = () => view.page.getByRole('log', { name: 'Conversation' });
  const paragraphs = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => chunk(`Paragraph ${from + index}.\n\n`.repeat(3), `m${from + index}`));
  const distance = () => conversation().evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);

  it('stays at the end, keeps its position while the user reads, and jumps back', async () => {
    await view.happen(...paragraphs(30));
    await view.page.getByText('Paragraph 29.').first().waitFor();
    await view.painted();
    assert.ok((await distance()) < 2);
    await conversation().evaluate((log) => (log.scrollTop -= 900));
    await view.painted();
    const reading = await view.page.evaluate(() => {
      const element = document.elementFromPoint(450, 300)!;
      element.setAttribute('data-reading', '');
      return element.getBoundingClientRect().top;
    });
    await view.happen(...paragraphs(10, 30));
    await view.painted();
    assert.ok(
      Math.abs((await view.page.evaluate(() => document.querySelector('[data-reading]')!.getBoundingClientRect().top)) - reading) < 2,
    );
    await view.page.getByRole('button', { name: 'Jump to latest' }).click();
    await view.painted();
    assert.ok((await distance()) < 2);
    await view.happen(...paragraphs(3, 40));
    await view.painted();
    assert.ok((await distance()) < 2);
    assert.equal(await view.page.getByRole('button', { name: 'Jump to latest' }).count(), 0);
  });

  it('stops following the end when the scrollbar is dragged up, however fast the answer grows', async () => {
    await view.happen({ type: 'turn_started', turnId: 't' }, ...paragraphs(30));
    await view.page.getByText('Paragraph 29.').first().waitFor();
    await view.painted();
    const top = await conversation().evaluate(async (log) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      log.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, buttons: 1 }));
      const start = log.scrollTop;
      for (let count = 1; count <= 20; count++) {
        const content = { type: 'text', text: 'More and more.\n\n'.repeat(3) } as const;
        window.playground.stage.happen({ type: 'message_chunk', role: 'agent', messageId: 'grows', content });
        await frame();
        // The answer has grown by the next paint; a drag moves from where it began.
        await new Promise((resolve) => setTimeout(resolve));
        log.scrollTop = start - count * 40;
      }
      await frame();
      return start - log.scrollTop;
    });
    await view.painted();
    assert.ok(top > 700 && top < 900, String(top));
    assert.ok((await distance()) > 700);
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  });

  it('stops following the end when an element gets the focus during a frame of growth', async () => {
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
    await view.happen({ type: 'turn_started', turnId: 't' }, permissionRequest('p1', 'Go on?', { options }), ...paragraphs(30));
    await view.page.getByText('Paragraph 29.').first().waitFor();
    await view.painted();
    assert.ok((await distance()) < 2);
    await view.page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const card = document.querySelector<HTMLElement>('[data-entry-id="permission:p1"]')!;
      // The page handles a resize in the same frame, before the scroll event.
      document.querySelector('.log')!.append(Object.assign(document.createElement('p'), { textContent: 'More.' }));
      card.scrollIntoView({ block: 'nearest' });
      card.focus({ preventScroll: true });
    });
    await view.painted();
    assert.ok((await distance()) > 700, String(await distance()));
    await view.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  });

  it('requests absent bodies only when they come near the screen', async () => {
    await view.page.evaluate(() => {
      const { stage } = window.playground;
      // An idle page requests earlier entries, and a slow test would leave it the time to request all of them.
      window.requestIdleCallback = () => 0;
      stage.lose = 1;
      stage.happen(
        ...Array.from(
          { length: 600 },
          (_, index) =>
            ({
              type: 'message_chunk',
              role: 'agent',
              messageId: `m${index}`,
              content: { type: 'text', text: `Message ${index}.` },
            }) as const,
        ),
      );
      stage.snapshot([]);
    });
    await conversation().getByText('Message 599.').waitFor();
    await view.painted();
    const before = (await view.posted('bodies')).flatMap((asked) => asked.entryIds);
    assert.ok(!before.includes('agent:m0'));
    assert.ok((await view.page.locator('.entry').count()) < 150);
    await conversation().evaluate((log) => {
      // The wheel event marks the scroll as the user's: otherwise the page may take it for its own way to the end.
      log.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
      log.scrollTop = 0;
    });
    await conversation().getByText('Message 0.', { exact: true }).waitFor();
    const asked = (await view.posted('bodies')).flatMap((each) => each.entryIds);
    assert.ok(asked.includes('agent:m0'));
    assert.ok(!asked.includes('agent:m300'));
    assert.equal(new Set(asked).size, asked.length, 'asked twice');
  });

  it('requests again, with the entries on screen, when an envelope is missing', async () => {
    await view.happen(chunk('One.', 'm1'));
    await conversation().getByText('One.').waitFor();
    await view.page.evaluate(() => (window.playground.stage.lose = 1));
    await view.happen(chunk('Two.', 'm2'));
    await view.happen(chunk('Three.', 'm3'));
    await conversation().getByText('Two.').waitFor();
    await conversation().getByText('Three.').waitFor();
    const [resync] = await view.postedAtLeast('resync');
    assert.deepEqual(resync?.want, ['agent:m1']);
  });
});
