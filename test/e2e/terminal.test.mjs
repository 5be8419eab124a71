// An agent's command, live in its card and in the window's terminals, where the user types its input.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { newSession, shows } from '../harness/lib/journey.mjs';
import { scripted } from './agents.mjs';
import { openWorkspace, runCommands } from './stage.mjs';

const command = 'printf "\\033[31mwho\\033[0m is there? "; read x; echo "got $x"; stty size; read y; echo "and $y"; exit 3';
const script = [
  { tool: { toolCallId: 'run', title: 'Ask', kind: 'execute', status: 'pending' } },
  { terminal: { command, toolCallId: 'run' } },
  { toolUpdate: { toolCallId: 'run', status: 'completed' } },
];

describe('an agent’s command', () => {
  it('takes input in the window’s terminals, stays there when it has ended, and outlives the terminal', async () => {
    const { window } = await openWorkspace({
      // A terminal's text can be read only when it is rendered as elements.
      userSettings: {
        'acpHost.agents': { Asker: scripted({ script }, 'asker') },
        'acpHost.askBeforeCommands': { '*': 'never' },
        'terminal.integrated.gpuAcceleration': 'off',
      },
    });
    const { page } = window;
    const conversation = await newSession(window, 'Asker');
    await conversation.prompt('Run it');
    const card = conversation.toolCall('Ask');
    assert.ok(await shows(card, /who is there\?/), 'the card shows the question');
    await card.locator('.terminal-live .xterm-rows').getByText('who').first().waitFor();
    await window.screenshot('terminal/live');

    const show = card.getByRole('button', { name: 'Show in Terminal' });
    await show.click();
    const panel = page.locator('.terminal-wrapper.active');
    const said = async () =>
      (await panel.locator('.xterm-rows > div').allInnerTexts()).map((row) => row.replaceAll('\u00a0', ' ').trimEnd()).join('\n');
    const says = (words) => until(`the terminal to say ${words}`, async () => (await said()).includes(words));
    await says('who is there?');
    await says('Started by Asker.');
    await page.keyboard.type('me');
    await page.keyboard.press('Enter');
    await says('got me');
    assert.ok(await shows(card, /got me/), 'the card shows what was answered');
    await until(
      'the command to have the size of the window',
      async () => /^\d+ \d+$/m.test(await said()) && !/^24 120$/m.test(await said()),
    );
    await window.screenshot('terminal/panel');

    // Closing the terminal ends nothing; reopened, it has the whole output once.
    await runCommands('workbench.action.terminal.kill');
    await panel.waitFor({ state: 'detached' });
    await show.click();
    await says('got me');
    await show.click();
    assert.equal(await page.locator('.terminal-wrapper').count(), 1);
    await panel.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('you');
    await page.keyboard.press('Enter');
    await says('and you');
    await says('The process terminated with exit code 3.');
    await conversation.says(/terminal: exit 3 ".*got me.*and you/);
    await conversation.turnEnd();
    assert.ok(await shows(card, /Exit code 3/));
    await window.screenshot('terminal/ended');

    // The output can be read later, too.
    await runCommands('workbench.action.terminal.kill');
    await panel.waitFor({ state: 'detached' });
    await show.click();
    await says('The process terminated with exit code 3.');
    assert.match(await said(), /got me[^]*and you/);
    await runCommands('workbench.action.terminal.kill');
    await panel.waitFor({ state: 'detached' });
  });
});
