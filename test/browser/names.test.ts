import assert from 'node:assert/strict';
import { View } from './support/view';

describe('names and states', function () {
  this.timeout(60_000);

  it('gives every card of the gallery a name, and its state to the ones that can change', async () => {
    const view = await View.open('gallery', { viewport: { width: 900, height: 3200 } });
    try {
      await view.page.getByRole('button', { name: 'Always allow' }).waitFor();
      const cards = await view.page.evaluate(() =>
        [...document.querySelectorAll('[data-slot] > .entry')].map((entry) => {
          const [name, state] = ['aria-labelledby', 'aria-describedby'].map(
            (attribute) => document.getElementById(entry.getAttribute(attribute) ?? '')?.textContent ?? '',
          );
          return {
            kind: entry.className,
            role: entry.getAttribute('role') ?? entry.tagName.toLowerCase(),
            name: entry.getAttribute('aria-label') ?? name!,
            state: state!,
          };
        }),
      );
      assert.ok(cards.length > 15, String(cards.length));
      for (const { kind, role, name, state } of cards) {
        assert.ok(['group', 'article', 'note'].includes(role), `${kind}: ${role}`);
        assert.ok(name.trim() !== '', `${kind} has no name`);
        if (/\btool\b/.test(kind)) {
          assert.match(name, /, (Pending|Running|Done|Failed|Canceled|Needs approval|\w+)$/);
        }
        if (/\b(permission|elicitation)\b/.test(kind)) {
          assert.ok(state.trim() !== '', `${kind} does not say how it stands`);
        }
      }
      assert.deepEqual(view.offences, []);
    } finally {
      await view.close();
    }
  });

  it('marks collapsed parts as such', async () => {
    const view = await View.open('gallery', { viewport: { width: 900, height: 3200 } });
    try {
      await view.page.locator('.tool-header').first().waitFor();
      const silent = await view.page.evaluate(
        () =>
          [...document.querySelectorAll('.tool-header, .fold-button')].filter(
            (button) => !/^(true|false)$/.test(button.getAttribute('aria-expanded') ?? ''),
          ).length,
      );
      assert.equal(silent, 0);
    } finally {
      await view.close();
    }
  });
});
