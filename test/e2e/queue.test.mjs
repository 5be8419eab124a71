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

const agents = {
  Slow: scripted(
    {
      initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } },
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
});
