// The agent is killed and the window reloaded while one message is queued, another one is half typed, and an earlier one is being edited.
// All of them are restored, with their mentions and a long text. Pictures go to test-results/unsent/.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { processesOf, script, scripted } from '../e2e/agents.mjs';
import { opens, openWorkspace } from '../e2e/stage.mjs';

const agents = {
  Slow: scripted(
    {
      initialize: { agentCapabilities: { promptCapabilities: { embeddedContext: true }, sessionCapabilities: { resume: {}, close: {} } } },
      keeps: true,
    },
    'unsent-slow',
  ),
};

describe('unsent messages', () => {
  let window;

  opens(async () => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } }));
  });

  it('are kept over a killed agent and a reload, with their mentions', async () => {
    let conversation = await newSession(window, 'Slow');
    const { keyboard } = window.page;
    await conversation.say(script({ say: 'Working.' }, { waitCancel: true }));
    await conversation.says('Working.');
    await conversation.mention('Queued with', 'calc.js', 'in it');
    await window.screenshot('unsent/mention');
    await keyboard.press('Enter');
    await until('it to be queued', async () => (await conversation.queued()).length === 1);
    assert.match((await conversation.queued())[0], /Queued with @calc\.js in it$/);
    await conversation.mention('Draft with', 'package.json', 'in it');
    await keyboard.type(' and ');
    const pasted = Array.from({ length: 60 }, (_, line) => `line ${line} of what was pasted`).join('\n');
    await conversation.composer.evaluate((box, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      box.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    }, pasted);
    const draft = await conversation.composer.inputValue();
    assert.match(draft, /Draft with @package\.json in it and \[Pasted text, 60 lines\] $/);
    const banner = () => conversation.frame.getByRole('group', { name: 'Editing an earlier message' });
    await conversation.frame.getByRole('button', { name: 'Message Actions…' }).first().press('Enter');
    await conversation.frame.getByRole('menuitem', { name: 'Edit and Resend' }).press('Enter');
    await banner().waitFor();
    await conversation.composer.fill('half edited');
    for (const { pid } of processesOf('unsent-slow')) process.kill(pid, 'SIGKILL');
    await conversation.frame.getByRole('button', { name: 'Resume Queue', exact: true }).waitFor();
    assert.equal(await conversation.composer.inputValue(), 'half edited');

    await window.reload();
    await window.panel();
    conversation = new Conversation(window);
    await banner().waitFor();
    assert.equal(await conversation.composer.inputValue(), 'half edited');
    await window.screenshot('unsent/edit-reloaded');
    await conversation.composer.press('Escape');
    await conversation.frame.getByRole('button', { name: 'Remove package.json' }).waitFor();
    await conversation.frame.getByRole('button', { name: 'Remove Pasted text, 60 lines' }).waitFor();
    // A message that the agent has not taken returns to the box, before the draft.
    assert.ok((await conversation.composer.inputValue()).endsWith(draft));
    await conversation.frame.getByRole('button', { name: 'Resume Queue', exact: true }).click();
    await until('it to be sent', async () => (await conversation.log.innerText()).includes('" in it"'));
    await conversation.turnEnd();
    const [before, file, behind] = await conversation.toldBlocks();
    assert.match(before.text, /Queued with $/);
    assert.equal(file.type, 'resource');
    assert.match(file.resource.uri, /^file:.*\/src\/calc\.js$/);
    assert.match(file.resource.text, /function/);
    assert.equal(behind.text, ' in it');
    await conversation.composer.fill(draft);
    await conversation.composer.press('Enter');
    await until('the draft to be sent', async () => (await conversation.toldBlocks()).length === 7);
    assert.match((await conversation.toldBlocks())[4].resource.uri, /\/package\.json$/);
    assert.equal((await conversation.toldBlocks())[6].resource.text, pasted);
    await window.command('ACP: End Session');
  });
});
