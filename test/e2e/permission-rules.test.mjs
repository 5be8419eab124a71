// The user's permission rules in the real VS Code. The server's window is a remote one, so a rule that allows must be confirmed first.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { script, scripted } from './agents.mjs';
import { openWorkspace, runCommands, startCommand } from './stage.mjs';

const run = (command) => ({ permission: { toolCall: { toolCallId: command, title: command, kind: 'execute', rawInput: { command } } } });

describe('permission rules', () => {
  it('are made on a card and in a quick pick, listed, revoked at once, and restored', async () => {
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Scripted: scripted({}, 'permission-rules') }, 'acpHost.permissions.present': 'card' },
    });
    const conversation = await newSession(window, 'Scripted');
    const { page } = window;
    const rows = async () =>
      (await page.locator('.sidebar .monaco-list-row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    const row = (text) => page.locator('.sidebar .monaco-list-row', { hasText: text }).first();
    const lists = (text) => until(`a row “${text}”`, async () => (await rows()).some((each) => each.includes(text)));
    const inline = async (text, action) => {
      await row(text).hover();
      await row(text)
        .locator('.actions .action-label')
        .and(page.locator(`[aria-label^="${action}"]`))
        .click();
    };
    const isAsked = async (command) => {
      await conversation.prompt(script(run(command)));
      await conversation.permission(command).getByRole('button', { name: 'Allow', exact: true }).waitFor();
    };

    await isAsked('npm test');
    await conversation.permission('npm test').getByRole('button', { name: 'Make a Rule' }).click();
    // No choice counts before the request could be read.
    await wait(1000);
    await window.screenshot('permissions/make-a-rule');
    await conversation.frame.getByRole('menuitem', { name: 'Always allow `npm test` in this folder' }).click();
    await conversation.says('permission: selected allow');
    await conversation.turnEnd();
    await conversation.prompt(script(run('npm test'), { say: 'unasked this time' }));
    await conversation.says('unasked this time');
    await conversation.turnEnd();

    // The rule that answered is a click away, also before the list was ever shown.
    const call = conversation.toolCall('npm test');
    await call.getByRole('button', { expanded: false }).first().click();
    await call.getByRole('button', { name: 'Show Rule' }).click();
    const selected = page.locator('.sidebar .monaco-list-row.selected', { hasText: 'Allow `npm test`' });
    await selected.waitFor();
    await runCommands('acpHost.showPermissionRules');
    await lists('Allow `npm test` in');
    await lists('made on a request');
    await isAsked('git push');
    await conversation.answer('git push', 'Reject');
    await conversation.turnEnd();
    await lists('git push');
    await lists('by you');
    await window.screenshot('permissions/rules-view');

    await inline('Allow `npm test`', 'Revoke Rule');
    await window.notification('Permission rule revoked');
    await until('the row to go', async () => !(await rows()).some((each) => each.includes('npm test')));
    await isAsked('npm test');
    await conversation.answer('npm test', 'Reject');
    await conversation.turnEnd();
    await window.page.locator('.statusbar-item[id="status.notifications"]').click();
    await window.pressButton(/^Undo$/);
    await lists('Allow `npm test` in');
    await inline('git push', 'Allow in This Folder');
    await lists('Allow `git push` in');
    await window.screenshot('permissions/rules-view-allowed');
  });

  it('are offered in a quick pick, on a second list', async () => {
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Scripted: scripted({}, 'permission-rules') }, 'acpHost.permissions.present': 'quickPick' },
    });
    const conversation = await newSession(window, 'Scripted');
    await conversation.prompt(script(run('npm run build')));
    const widget = window.page.locator('.quick-input-widget:visible');
    const button = widget.getByRole('button', { name: 'Make a Rule…' });
    await until('the button of the quick pick', async () => {
      if (!(await button.isVisible())) await startCommand('acpHost.answerPermission');
      return button.isVisible();
    });
    await window.screenshot('permissions/quick-pick');
    await button.click();
    const rule = widget.locator('.monaco-list-row', { hasText: 'Allow `npm run build` in this session' });
    await rule.waitFor();
    await window.screenshot('permissions/quick-pick-rules');
    // No choice counts before the list could be read.
    await wait(1500);
    await rule.click();
    await conversation.says('permission: selected allow');
    await conversation.turnEnd();
    await conversation.prompt(script(run('npm run build'), { say: 'unasked this time' }));
    await conversation.says('unasked this time');
  });

  // The last one, because it needs a window of its own.
  it('deny at once, allow after the user has confirmed them, and survive a reload', async () => {
    const { window } = await openWorkspace({
      userSettings: { 'acpHost.agents': { Scripted: scripted({}, 'permission-rules') } },
      machineSettings: {
        'acpHost.permissions.rules': [
          { effect: 'deny', command: 'git push *', message: 'Ask me before you push.' },
          { effect: 'allow', command: 'npm test *' },
        ],
      },
    });
    let conversation = await newSession(window, 'Scripted');
    // The notification may have left the corner of the window by now.
    await window.notification("These permission rules aren't in force");
    await window.page.locator('.statusbar-item[id="status.notifications"]').click();
    await window.screenshot('permissions/unconfirmed-rules');
    await window.pressButton(/Confirm Rules/);
    const widget = window.page.locator('.quick-input-widget:visible');
    await until('the rule', async () => /Allow `npm test \*`/.test(await widget.innerText()));
    await window.screenshot('permissions/confirm-rules');
    await widget.locator('.quick-input-list .monaco-list-row').first().click();
    await window.page.keyboard.press('Enter');
    await until('the list to close', async () => !(await widget.isVisible()));

    await conversation.prompt(script(run('git push'), run('npm test')));
    await conversation.says('permission: selected reject');
    await conversation.says('permission: selected allow');
    await conversation.turnEnd();

    // The message of the denial goes with this prompt, because the agent takes no messages into its turn.
    await conversation.prompt(script(run('npm test -- --once'), { say: 'not asked' }));
    await conversation.says('not asked');
    await conversation.says('Ask me before you push.');
    await conversation.turnEnd();

    await window.reload();
    conversation = await newSession(window, 'Scripted');
    await conversation.prompt(script(run('npm test -- --again'), run('git push --force'), { say: 'nothing asked' }));
    await conversation.says('nothing asked');
    assert.equal(await conversation.permission('npm test -- --again').getByRole('button', { name: 'Allow' }).count(), 0);
  });
});
