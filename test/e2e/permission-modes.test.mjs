// The permission mode in the real window: chosen beside the message box, everything is allowed only after a word, many questions are one list.
import assert from 'node:assert/strict';
import { chooseOption } from '../harness/lib/configOptions.mjs';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from './agents.mjs';
import { openWorkspace, opens, startCommand } from './stage.mjs';

const ask = (toolCallId, title) => ({
  permission: { toolCall: { toolCallId, title, kind: 'execute', rawInput: { command: `make ${toolCallId}` } } },
});

describe('the permission mode of a session', () => {
  let window;
  let conversation;

  opens(async () => {
    ({ window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Modal: scripted() }, 'acpHost.permissions.present': 'card' },
    }));
    conversation = await newSession(window, 'Modal');
  });

  const frame = () => conversation.frame;
  const mode = () => frame().getByRole('combobox', { name: 'Permission mode' });
  const word = async () => (await mode().innerText()).trim();
  const warning = () => frame().locator('.header-mode');
  const input = () => window.page.locator('.quick-input-widget:visible input');

  /** Chooses Allow everything, and types this into the box that asks for a word. */
  async function allowEverything(typed) {
    await chooseOption(frame(), 'Permission mode', 'Allow everything');
    await input().waitFor();
    await input().fill(typed);
    await window.page.keyboard.press('Enter');
    await input().waitFor({ state: 'hidden' });
  }

  it('allows everything only after the word, shows that in the header, and ends it there', async () => {
    await allowEverything('yes');
    assert.equal(await word(), 'Ask');
    assert.equal(await warning().count(), 0);
    await allowEverything('everything');
    await warning().waitFor();
    await window.screenshot('permissions/allow-everything');
    await conversation.prompt(script(ask('one', 'Make one')));
    await conversation.turnEnd();
    await conversation.says('permission: selected allow');
    await conversation.toolCall('Make one').getByText('Allowed by the permission mode: Allow everything').first().waitFor();
    await warning().click();
    await until('Ask', async () => (await word()) === 'Ask');
    await conversation.prompt(script(ask('two', 'Make two')));
    await conversation.answer('Make two', 'Reject');
    await conversation.turnEnd();
    await conversation.says('permission: selected reject');
  });

  it('refuses commands while it only plans', async () => {
    await chooseOption(frame(), 'Permission mode', 'Plan only');
    await until('Plan only', async () => (await word()) === 'Plan only');
    await conversation.prompt(script(ask('three', 'Make three')));
    await conversation.turnEnd();
    await conversation.toolCall('Make three').getByText('Refused by the permission mode: Plan only').first().waitFor();
    await chooseOption(frame(), 'Permission mode', 'Ask');
    await until('Ask', async () => (await word()) === 'Ask');
  });

  it('answers ten questions alike', async () => {
    const questions = Array.from({ length: 10 }, (_, index) => ask(`q${index}`, `Question ${index}`));
    await conversation.prompt(script({ together: questions }, { chunks: ['all answered'] }));
    const list = frame().getByRole('group', { name: '10 questions wait' });
    await list.waitFor();
    await window.screenshot('permissions/flood');
    await until('answers that count', async () => (await list.locator('[aria-disabled]').count()) === 0);
    await list.getByRole('button', { name: 'Allow 10 Once' }).click();
    await conversation.turnEnd();
    await conversation.says('all answered');
  });

  it('is in the audit', async () => {
    // With sessions of other windows in the audit, the command asks first; its first row is all sessions.
    await startCommand('acpHost.showPermissionAudit');
    const lines = window.page.locator('.part.editor .view-lines');
    const row = window.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row').first();
    await until('the audit, or a question about it', async () => (await row.isVisible()) || (await lines.isVisible()));
    if (await row.isVisible()) {
      await row.click();
    }
    await until('the audit', async () => /Permission mode: Plan only/.test((await lines.innerText()).replaceAll('\u00a0', ' ')));
    await window.screenshot('permissions/audit');
  });
});
