// The user's permission rules in the real VS Code. The server's window is a remote one, so a rule that allows must be confirmed first.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from './agents.mjs';
import { openWorkspace } from './stage.mjs';

const run = (command) => ({ permission: { toolCall: { toolCallId: command, title: command, kind: 'execute', rawInput: { command } } } });

describe('permission rules', () => {
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
