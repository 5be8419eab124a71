/** The page of running agents at the widths of a window beside a side bar. */
import assert from 'node:assert/strict';
import { RUNNING } from '../support/agentPages';
import { stopBrowser } from '../support/browser';
import { AgentsView } from './support/agentsView';

describe('the page of running agents', function () {
  this.timeout(60_000);
  after(stopBrowser);

  it('breaks no word of its headings, however long the names are', async () => {
    const view = await AgentsView.open({ width: 1000 });
    try {
      const [first, second] = RUNNING.agents;
      const long = {
        ...first!,
        status: 'Ready · process 24688 · kept by process 24653',
        folder: `/tmp/acp-host-workspace-${'x'.repeat(60)}/till`,
        sessions: [{ key: 's', title: `@script [{"say":"${'hello'.repeat(12)}"}]` }],
      };
      await view.send({ ...RUNNING, agents: [long, second!] });
      for (const width of [780, 1000]) {
        await view.page.setViewportSize({ width, height: 600 });
        const lines = await view.page.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('th, td:nth-child(3)')].map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(cell);
            return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
          }),
        );
        assert.ok(lines.length > 5 && lines.every((count) => count === 1), `${width}: ${lines.join(' ')}`);
        const overflow = await view.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(overflow <= 0, `${width}: ${overflow} pixels too wide`);
      }
    } finally {
      await view.close();
    }
  });
});
