import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { View, root } from './support/view';

describe('gallery', function () {
  this.timeout(60_000);

  for (const theme of ['dark', 'light', 'hc', 'hc-light']) {
    it(`shows every kind of entry in ${theme}`, async () => {
      const view = await View.open(`gallery&theme=${theme}`, { viewport: { width: 900, height: 5600 }, deviceScaleFactor: 1 });
      try {
        await view.page.getByRole('button', { name: 'Always allow' }).waitFor();
        await view.page.getByText('Hello, ${').first().waitFor();
        for (const kind of ['user', 'agent', 'thought', 'tool', 'permission', 'elicitation', 'turn', 'notice', 'compaction', 'unknown']) {
          assert.ok((await view.page.locator(`.entry.${kind}`).count()) > 0, `no ${kind} in the gallery`);
        }
        await mkdir(path.join(root, 'test-results'), { recursive: true });
        await view.page.screenshot({ path: path.join(root, 'test-results', `gallery-${theme}.png`) });
        assert.deepEqual(view.offences, []);
      } finally {
        await view.close();
      }
    });
  }
});
