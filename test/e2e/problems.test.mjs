import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { openWorkspace } from './stage.mjs';

describe('problems of the active editor', () => {
  it('are sent with the message, in the shape of the language server protocol', async () => {
    const { window } = await openWorkspace();
    const conversation = await newSession(window, 'Demo');
    await until('the agent to be ready', async () => (await conversation.composer.getAttribute('placeholder'))?.includes('Ask'));
    await window.openFile('package.json');
    await window.typeInEditor('{ "unclosed": ');
    const problems = window.page
      .locator('.part.statusbar')
      .getByLabel(/Errors|Problems/i)
      .first();
    await until(
      'VS Code to report the problem',
      async () => !/No Problems|\b0\b.*\b0\b/.test((await problems.getAttribute('aria-label')) ?? 'No Problems'),
    );
    await window.command('ACP: Add Problems from Active File');
    const chip = window.frame().getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await chip.first().waitFor();
    assert.match(await chip.first().innerText(), /package\.json/);
    await chip
      .first()
      .getByRole('button', { name: /^Remove/ })
      .click();
    await chip.first().waitFor({ state: 'detached' });
  });
});
