// The wait at a limit of the account: the conversation continues by itself, although the window was reloaded meanwhile. Pictures go to
// test-results/limits/.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { laterProcesses, scripted } from '../e2e/agents.mjs';
import { changeSettings, openWorkspace, runCommands } from '../e2e/stage.mjs';

const resumes = { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } };
/** Seconds; the page counts waits of up to a minute down. */
const WAIT = 63;
const agents = (...steps) => ({ Limited: scripted({ initialize: resumes, keeps: true, script: steps }, 'limited') });
const limit = { code: 429, message: "You've reached your usage limit", data: { retryAfter: WAIT } };
const times = (text, words) => text.split(words).length - 1;

describe('at a limit', function () {
  this.timeout(240_000);

  it('the conversation continues by itself when the limit resets, over a reload of the window', async () => {
    const { window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents({ error: limit }) } });
    let conversation = await newSession(window, 'Limited');
    const button = (name) => conversation.frame.getByRole('button', { name });
    await conversation.say('Fix the calculator');
    await button(/^Continue at /).click();
    await conversation.frame.getByText(/^Continues by itself at /).waitFor();
    await conversation.say('And then test it');
    await until('it to be queued', async () => (await conversation.queued()).length === 1);
    await window.screenshot('limits/waiting');
    // The limit has reset by the time at which the new process gets the prompt.
    await changeSettings({ 'acpHost.agents': agents({ say: 'All done.' }) });
    const started = laterProcesses('scripted-agent.mjs limited');
    await window.reload();
    await window.panel();
    conversation = new Conversation(window);
    await conversation.frame
      .getByText(/^Queued until /)
      .first()
      .waitFor();
    await window.screenshot('limits/reloaded');
    assert.deepEqual(started(), [], 'nothing starts before the limit resets');
    await until('both answers', async () => times(await conversation.log.innerText(), 'All done.') === 2, {
      timeoutMs: (WAIT + 40) * 1000,
    });
    const text = await conversation.log.innerText();
    assert.ok(text.lastIndexOf('Fix the calculator') < text.indexOf('And then test it'), 'the failed prompt comes first');
    assert.equal((await conversation.queued()).length, 0);
    await window.screenshot('limits/continued');
    await runCommands('acpHost.endSession');
  });
});
