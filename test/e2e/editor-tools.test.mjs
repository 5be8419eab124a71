// The editor's tools, as an agent reaches them over HTTP and over the bridge. Pictures go to test-results/editor-tools/.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { newSession } from '../harness/lib/journey.mjs';
import { root } from '../harness/lib/paths.mjs';
import { openWorkspace } from './stage.mjs';

const AGENT = join(root, 'test', 'agent', 'scripted', 'editorToolsAgent.mjs');

describe("the editor's tools", () => {
  for (const way of ['http', 'stdio']) {
    it(`answer an agent over ${way}, each call once, and ask before a change`, async () => {
      const { window } = await openWorkspace({
        userSettings: {
          'acpHost.agents': { Tools: { command: process.execPath, args: [AGENT, way] } },
          'acpHost.editorTools': { Tools: 'all' },
        },
        files: { 'a.txt': 'one\nthe needle\n' },
      });
      const conversation = await newSession(window, 'Tools');
      const { log } = conversation;
      await conversation.prompt('list');
      await conversation.turnEnd();
      const listed = await log.innerText();
      assert.match(listed, new RegExp(`${way}: active_editor`));
      assert.match(listed, /\breferences\b.*\brename_symbol\b/s);

      await conversation.prompt('search_text {"query":"needle"}');
      await conversation.turnEnd();
      await log
        .getByText(/a\.txt:2/)
        .first()
        .waitFor();
      // A second card would come after a moment.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      assert.equal(await log.getByRole('article', { name: /search.text/i }).count(), 1);
      await window.screenshot(`editor-tools/${way}`);

      await conversation.prompt('format {"file":"a.txt"}');
      await log.getByRole('button', { name: 'Reject' }).click();
      await conversation.turnEnd();
      await log.getByText('The user did not allow the tool format to run.').waitFor();
    });
  }
});
