// What is said before the agent is ready, and while it works, arrives: in order, once, and over a reload. Pictures go to test-results/queue/.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { script, scripted } from './agents.mjs';
import { opens, openWorkspace } from './stage.mjs';

const times = (text, words) => text.split(words).length - 1;

/** The agent is ready once this is there. */
const go = join(tempDir('queue'), 'go');

/** The agent ends once this is there. */
const end = join(tempDir('queue'), 'end');

const agents = {
  Slow: scripted(
    {
      initialize: { agentCapabilities: { promptCapabilities: { embeddedContext: true }, sessionCapabilities: { resume: {}, close: {} } } },
      keeps: true,
      beforeNew: [{ waitFile: go }],
    },
    'queue-slow',
  ),
};

describe('messages for an agent that is not ready', () => {
  let window;

  const open = async () => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } }));
  };
  opens(open);

  it('arrive when it is, in order, but for the one that was removed, over a reload @minimum', async () => {
    rmSync(go, { force: true });
    let conversation = await newSession(window, 'Slow');
    await conversation.say(script({ say: 'Typed early.' }, { waitCancel: true }));
    await until('it to be queued', async () => (await conversation.queued()).length === 1);
    await window.screenshot('queue/starting');
    writeFileSync(go, '');
    await conversation.says('Typed early.');
    await until('it to be sent', async () => (await conversation.queued()).length === 0);
    for (const text of [script({ say: 'One.' }), script({ say: 'Two.' }), 'never say this', script({ say: 'Three.' })]) {
      await conversation.say(text);
    }
    await until('four to be queued', async () => (await conversation.queued()).length === 4);
    await conversation.queueButton('never say this', 'Remove').click();
    await until('three to be queued', async () => (await conversation.queued()).length === 3);
    await window.screenshot('queue/working');

    await window.reload();
    await window.panel();
    conversation = new Conversation(window);
    await conversation.frame.getByText('Queue paused', { exact: true }).first().waitFor();
    assert.equal((await conversation.queued()).length, 3);
    await window.screenshot('queue/reloaded');
    await conversation.frame.getByRole('button', { name: 'Resume Queue', exact: true }).click();
    await until('all to be sent', async () => (await conversation.queued()).length === 0);
    await until('the last answer', async () => times(await conversation.log.innerText(), 'Three.') === 2);
    await conversation.turnEnd();
    const told = await conversation.log.innerText();
    const answers = ['One.', 'Two.', 'Three.'].map((words) => told.lastIndexOf(words));
    assert.deepEqual(
      answers,
      [...answers].sort((a, b) => a - b),
      'they are in order',
    );
    assert.ok(!told.includes('never say this'));
    assert.equal(times(told, 'One.'), 2, 'once in the message, once in the answer');
    await window.command('ACP: End Session');
  });

  it('keep what they mention, queued and as a draft, over a crash and a reload', async () => {
    writeFileSync(go, '');
    rmSync(end, { force: true });
    let conversation = await newSession(window, 'Slow');
    const { keyboard } = window.page;
    const mention = async (before, file, after) => {
      await conversation.composer.fill(`@script [{"sayPrompt":true}] ${before} `);
      await conversation.composer.press('End');
      await keyboard.type(`@${file}`);
      await conversation.frame.getByRole('option', { name: file }).first().waitFor();
      await until('what is typed to be found', async () => {
        await keyboard.press('Enter');
        return (await conversation.frame.getByRole('button', { name: `Remove ${file}` }).count()) > 0;
      });
      await keyboard.type(after);
    };
    await conversation.say(script({ say: 'Working.' }, { waitFile: end }, { exit: 3 }));
    await conversation.says('Working.');
    await mention('Queued with', 'calc.js', 'in it');
    await window.screenshot('queue/mention');
    await keyboard.press('Enter');
    await until('it to be queued', async () => (await conversation.queued()).length === 1);
    assert.match((await conversation.queued())[0], /Queued with @calc\.js in it$/);
    await mention('Draft with', 'package.json', 'in it');
    const draft = await conversation.composer.inputValue();
    assert.match(draft, /Draft with @package\.json in it$/);
    writeFileSync(end, '');
    await conversation.frame.getByRole('button', { name: 'Resume Queue', exact: true }).waitFor();
    // A message that the agent has not taken is given back before it.
    assert.ok((await conversation.composer.inputValue()).endsWith(draft));

    await window.reload();
    await window.panel();
    conversation = new Conversation(window);
    await conversation.frame.getByRole('button', { name: 'Remove package.json' }).waitFor();
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
    await until('the draft to be sent', async () => (await conversation.toldBlocks()).length === 6);
    assert.match((await conversation.toldBlocks())[4].resource.uri, /\/package\.json$/);
    await window.command('ACP: End Session');
  });
});
