import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseJournal } from '../../webview/playground/player';
import { View, root } from './support/view';

describe('a journal played', function () {
  this.timeout(60_000);

  for (const speed of [60, Infinity]) {
    it(`ends in the same conversation at ${speed} ×`, async () => {
      const events = parseJournal(readFileSync(path.join(root, 'test/fixtures/journals/journey.jsonl'), 'utf8'));
      const view = await View.open();
      try {
        await view.page.evaluate(([all, pace]) => window.playground.player.play(all, pace === null ? Infinity : pace), [
          events,
          Number.isFinite(speed) ? speed : null,
        ] as const);
        await view.page.getByText('both tests pass').first().waitFor();
        await view.page.locator('.turn').waitFor();
        assert.equal(await view.page.getByRole('heading', { level: 1 }).innerText(), 'A polite greeting');
        assert.deepEqual(
          await view.page.locator('.entry').evaluateAll((entries) => entries.map((entry) => entry.className.split(' ')[1])),
          ['user', 'thought', 'agent', 'tool', 'tool', 'tool', 'agent', 'turn'],
        );
        await view.page
          .getByRole('article', { name: /^npm test/ })
          .getByText('greets by name')
          .waitFor();
        await view.page.getByText('Plan', { exact: true }).waitFor();
        await view.page.getByText('3/3').waitFor();
        assert.deepEqual(await view.posted('resync'), []);
        assert.deepEqual(view.offences, []);
      } finally {
        await view.close();
      }
    });
  }
});
