// What the user undoes is told with the next message, over a reload; a turn's files open as differences; files and conversation go back to a message.
// Pictures go to test-results/change-report/.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from './agents.mjs';
import { opens, openWorkspace } from './stage.mjs';

const before = Array.from({ length: 12 }, (_, index) => `line ${index}\n`).join('');
const after = before.replace('line 2\n', 'LINE 2\n').replace('line 9\n', 'LINE 9\n');

const agents = {
  Teller: scripted({ initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true }, 'change-report'),
};

describe('changes that the user took back', () => {
  let window;
  let folder;
  opens(async () => {
    ({ window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } }));
  });

  it('are told with the next message; a message brings files and conversation back', async () => {
    const file = join(folder, 'told.txt');
    const difference = (title) => window.page.locator('.part.editor .tabs-container .tab').filter({ hasText: title }).first();
    const row = (text) => window.page.locator('.quick-input-widget:visible .monaco-list-row').filter({ hasText: text }).first();
    const stored = () => readFileSync(file, 'utf8');
    writeFileSync(file, before);
    let conversation = await newSession(window, 'Teller');
    await conversation.prompt(script({ say: 'Nothing yet.' }));
    await conversation.turnEnd();
    await conversation.prompt(
      script({ sleep: 1500 }, { shell: `printf '${after.replaceAll('\n', '\\n')}' > '${file}'` }, { say: 'Changed.' }),
    );
    await conversation.says('Changed.');
    const files = conversation.frame.getByRole('button', { name: '1 file changed' });
    await files.click();
    await conversation.frame.getByRole('button', { name: 'told.txt', exact: true }).click();
    await difference('told.txt (Changes of This Turn)').waitFor();
    await window.screenshot('change-report/turn');

    await window.openFile('told.txt');
    await window.page.keyboard.press('Control+Home');
    await window.command('ACP: Go to Next Change to Review');
    await window.command('ACP: Undo Change');
    await until('it to be undone', () => stored() === after.replace('LINE 2', 'line 2'));
    const chip = () => conversation.frame.getByRole('button', { name: '1 change undone in told.txt', exact: true });
    await chip().waitFor();
    await window.screenshot('change-report/chip');
    await chip().click();
    await difference("told.txt (Agent's Version and Yours)").waitFor();
    await window.screenshot('change-report/chip-opened');

    await window.reload();
    await window.panel();
    conversation = new Conversation(window);
    await chip().waitFor();
    await conversation.prompt(script({ say: 'I see.' }));
    await conversation.says('I see.');
    await conversation.frame.getByRole('button', { name: 'your-changes-1.md' }).waitFor();
    assert.equal(await chip().count(), 0);

    const restore = conversation.frame.getByRole('button', { name: 'Restore Checkpoint…' });
    await restore.nth(1).focus();
    await window.page.keyboard.press('Enter');
    const other = await window.frameName();
    await window.pickRow('Restore Files and Conversation');
    // The user has changed it since: it stays unless it is chosen.
    await row('Changed since by you').waitFor();
    await window.screenshot('change-report/restore-preview');
    await row('told.txt').click();
    await window.page.keyboard.press('Enter');
    await until('the files to be back', () => stored() === before);
    await window.panel({ other });
    conversation = new Conversation(window);
    await conversation.frame.getByRole('button', { name: 'Remove conversation.md' }).waitFor();
    await until('the message to be in the composer', async () =>
      (await conversation.composer.inputValue()).startsWith('@script [{"sleep"'),
    );
    await window.screenshot('change-report/restored');

    await window.pressButton('Undo Restore');
    await row('told.txt').waitFor();
    await window.page.keyboard.press('Enter');
    await until('the files to be as they were', () => stored() === after.replace('LINE 2', 'line 2'));
    conversation = new Conversation(window);
    await conversation.says('I see.');
    await window.command('ACP: End Session');
  });
});
