import assert from 'node:assert/strict';
import { View } from './support/view';

describe('motion', function () {
  this.timeout(60_000);

  /** The animations of a running conversation: a spinner, a thought, the end of an answer, a section that has just been expanded. */
  async function moving(view: View): Promise<string[]> {
    await view.ready();
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      { type: 'tool_call_update', toolCallId: 'run', patch: { title: 'Run', kind: 'execute', status: 'in_progress', rawInput: { a: 1 } } },
      { type: 'message_chunk', role: 'thought', messageId: 'h', content: { type: 'text', text: 'Thinking' } },
      { type: 'config_options', options: [{ type: 'boolean', configId: 'web', name: 'Web', currentValue: false }] },
    );
    await view.page.getByRole('article', { name: /^Run/ }).getByRole('button').first().click();
    await view.page.getByRole('switch', { name: 'Web' }).click();
    const now = () =>
      view.page.evaluate(() =>
        document.getAnimations().map((animation) => (animation.effect as KeyframeEffect).target?.getAttribute('class') ?? ''),
      );
    const before = await now();
    await view.happen({ type: 'message_chunk', role: 'agent', messageId: 'a', content: { type: 'text', text: 'An answer that goes on' } });
    await view.painted();
    return [...before, ...(await now())];
  }

  it('exists for users without a preference', async () => {
    const view = await View.open('', { reducedMotion: 'no-preference' });
    try {
      assert.notEqual((await moving(view)).length, 0);
    } finally {
      await view.close();
    }
  });

  it('is off for users who prefer less motion, by the system’s setting', async () => {
    const view = await View.open();
    try {
      assert.deepEqual(await moving(view), []);
      assert.notEqual(
        await view.page
          .locator('.icon-spinner')
          .first()
          .evaluate((icon) => getComputedStyle(icon).strokeDasharray),
        'none',
        'a spinner that stands still looks like one all the same',
      );
    } finally {
      await view.close();
    }
  });

  it('is off for users who prefer less motion, by VS Code’s setting', async () => {
    const view = await View.open('', { reducedMotion: 'no-preference' });
    try {
      await view.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
      assert.deepEqual(await moving(view), []);
    } finally {
      await view.close();
    }
  });
});
