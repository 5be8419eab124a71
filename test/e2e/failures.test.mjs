// Every failure is described in useful words: the command, its last output, the next step. No process remains, and the next session works.
// Pictures go to test-results/failures/.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { difficult, noneLeft, processesOf, script, scripted, secret } from './agents.mjs';
import { openWorkspace, opens, runCommands } from './stage.mjs';

const signIn = {
  initialize: {
    authMethods: [
      { id: 'browser', name: 'Sign in with a browser' },
      { id: 'key', name: 'Use an API key' },
    ],
  },
  beforeNew: [{ error: { code: -32000, message: 'Authentication required' } }],
};

const agents = {
  Good: scripted(),
  Dying: scripted({}, 'dying'),
  Missing: { command: 'no-such-agent-4711', args: ['--acp'], env: { AGENT_API_KEY: secret } },
  Exits: difficult('exits'),
  Offline: difficult('offline'),
  Silent: difficult('silent'),
  Impatient: difficult('silent', { timeoutMs: 2500 }),
  Noisy: difficult('noisy'),
  Stubborn: difficult('stubborn'),
  Newer: scripted({ initialize: { protocolVersion: 99 } }, 'newer'),
  'Signed out': scripted(signIn, 'signed-out'),
};

// A failed session stays open, and the next session works beside it.
describe('when an agent fails', () => {
  let window;

  const open = async () => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } }));
  };
  opens(open);

  const failed = (conversation, name = "Couldn't start the agent") => conversation.frame.getByRole('group', { name, exact: true });
  const disconnected = (conversation) => conversation.frame.getByRole('group', { name: 'Disconnected', exact: true });
  const button = (place, name) => place.getByRole('button', { name, exact: true });

  /** Asserts that the banner contains these texts and buttons, and that nothing on the page is a value of the environment. */
  async function says(banner, conversation, picture, texts, buttons) {
    await banner.waitFor({ timeout: 15_000 });
    await window.screenshot(`failures/${picture}`);
    const text = await banner.innerText();
    for (const each of texts) assert.ok(text.includes(each), `“${each}” is missing in: ${text}`);
    for (const name of buttons) assert.ok(await button(banner, name).isVisible(), `no button ${name}`);
    const all = await conversation.frame.locator('body').innerText();
    assert.ok(!all.includes(secret), 'a value of the environment is shown');
  }

  async function theNextOneWorks() {
    const good = await newSession(window, 'Good');
    await good.prompt(script({ chunks: ['all is ', 'well'] }));
    await good.says('all is well');
    await good.turnEnd();
  }

  const START = ['Retry', 'Open Settings', 'Show Log'];

  it('names the command that does not exist', async () => {
    const conversation = await newSession(window, 'Missing');
    await says(failed(conversation), conversation, 'missing', ['no-such-agent-4711 --acp', 'was not found', 'Install it'], START);
    await button(failed(conversation), 'Open Settings').click();
    await window.tab('Settings').waitFor();
    // The Settings editor has many controls, which are drawn again for every change in the window.
    await runCommands('workbench.action.closeActiveEditor');
    await window.tab('Settings').waitFor({ state: 'detached' });
  });

  it('ignores noise on stdout', async () => {
    const conversation = await newSession(window, 'Noisy');
    await conversation.prompt(script({ chunks: ['heard ', 'anyway'] }));
    await conversation.says('heard anyway');
    await conversation.turnEnd();
    await window.screenshot('failures/noisy');
    assert.ok(!(await conversation.log.innerText()).includes('Welcome to the noisy'));
  });

  it('quotes the last output of one that exits at once', async () => {
    const conversation = await newSession(window, 'Exits');
    await says(
      failed(conversation),
      conversation,
      'exits',
      ['exited before it was ready', 'Exit code: 3', 'difficult.mjs exits', 'error: the key ring is locked'],
      START,
    );
    await button(failed(conversation), 'Retry').click();
    await until('the second failure', async () => (await failed(conversation).innerText()).includes('Exit code: 3'));
    await noneLeft('difficult.mjs exits');
  });

  it('ends one that ignores the end of its stdin', async () => {
    const conversation = await newSession(window, 'Stubborn');
    await conversation.prompt(script({ chunks: ['I stay ', 'here'] }));
    await conversation.says('I stay here');
    await conversation.turnEnd();
    assert.ok(processesOf('difficult.mjs stubborn').length > 0);
    await window.command('ACP: End Session');
    await noneLeft('difficult.mjs stubborn', { timeoutMs: 10_000 });
    await conversation.frame.getByText('This session has ended.', { exact: true }).waitFor();
    await window.screenshot('failures/stubborn');
  });

  it('describes the problem in one sentence, and collapses npm’s output', async () => {
    const conversation = await newSession(window, 'Offline');
    const sentence = "registry.npmjs.org couldn't be reached: check your network connection, then retry.";
    await says(failed(conversation), conversation, 'offline', [sentence, 'difficult.mjs offline'], START);
    assert.ok(!(await failed(conversation).innerText()).includes('npm error'), 'the output is folded');
    await button(failed(conversation), 'Show output').click();
    await until('the output', async () => (await failed(conversation).innerText()).includes('npm error code ENOTFOUND'));
    for (const name of START) {
      assert.ok(await button(failed(conversation), name).isVisible(), `no button ${name}`);
    }
    await window.screenshot('failures/offline-output');
  });

  const REFUSED = [{ chunks: ['I will not ', 'do that.'] }, { stopReason: 'refusal' }];

  it('shows why a prompt failed, resends it with Retry, and returns the text of a refused one', async () => {
    const conversation = await newSession(window, 'Good');
    await conversation.prompt(script({ chunks: ['ready ', 'now'] }));
    await conversation.says('ready now');
    await conversation.turnEnd();
    for (const [prompt, reason, picture, returned] of [
      [
        script({ error: { code: -32603, message: 'Your credit is used up' } }),
        'Your account has no credit left: add credit with your provider, then retry.',
        'prompt-error',
        '',
      ],
      [script(...REFUSED), 'The agent refused to continue', 'refusal', script(...REFUSED)],
    ]) {
      await conversation.composer.fill(prompt);
      await conversation.send.click();
      await conversation.says(reason);
      await until('the composer', async () => (await conversation.composer.inputValue()) === returned);
      if (returned === '') await button(conversation.frame, 'Retry').waitFor();
      await window.screenshot(`failures/${picture}`);
    }
    await conversation.prompt(script({ chunks: ['works ', 'again'] }));
    await conversation.says('works again');
  });

  it('shows what a start waits for after three seconds, and cancels it', async () => {
    const conversation = await newSession(window, 'Silent');
    const { frame } = conversation;
    const cancel = frame.getByRole('button', { name: 'Cancel', exact: true });
    await cancel.waitFor({ timeout: 10_000 });
    await until('the command and its last line', async () => {
      const text = await frame.locator('.starting').innerText();
      return text.includes('difficult.mjs silent') && text.includes('still waiting for the network');
    });
    assert.ok(processesOf('difficult.mjs silent').length > 0);
    await window.screenshot('failures/silent');
    await cancel.click();
    await frame.getByRole('group', { name: 'Start canceled.', exact: true }).waitFor();
    await frame.getByRole('button', { name: 'Retry', exact: true }).waitFor();
    assert.equal(await failed(conversation).count(), 0);
    await window.screenshot('failures/cancelled');
    await noneLeft('difficult.mjs silent');
  });

  it('queues messages during a turn, and pauses them after Stop until the queue is resumed', async () => {
    const conversation = await newSession(window, 'Good');
    await conversation.prompt(script({ say: 'At work.' }, { waitCancel: true }));
    await conversation.stopButton.waitFor();
    const first = script({ say: 'The first is done.' });
    const second = script({ say: 'The second is done.' });
    await conversation.say(first);
    await conversation.say('never say this');
    await conversation.say(second);
    await until('three to be queued', async () => (await conversation.queued()).length === 3);
    await conversation.queueButton('never say this', 'Remove').click();
    await until('two to be queued', async () => (await conversation.queued()).length === 2);
    await window.screenshot('failures/queued');
    await conversation.stopButton.click();
    await conversation.frame.getByText('Queue paused', { exact: true }).first().waitFor();
    await conversation.turnEnd();
    assert.equal((await conversation.queued()).length, 2);
    await window.screenshot('failures/queue-paused');
    await conversation.frame.getByRole('button', { name: 'Resume Queue' }).click();
    await conversation.says('The second is done.');
    await conversation.turnEnd();
    const told = await conversation.log.innerText();
    assert.ok(told.indexOf('The first is done.') < told.indexOf('The second is done.'), 'they are in order');
    assert.ok(!told.includes('never say this'));
    assert.equal(await conversation.queue.count(), 0);
  });

  it('gives up on one that never answers', async () => {
    const conversation = await newSession(window, 'Impatient');
    const texts = ["didn't respond within 2.5 seconds", 'difficult.mjs silent', 'still waiting for the network', 'timeoutMs'];
    await says(failed(conversation), conversation, 'timeout', texts, START);
    await noneLeft('difficult.mjs silent');
  });

  it('ends the turn of one that crashes, returns the text and restarts it', async () => {
    const conversation = await newSession(window, 'Dying');
    const prompt = script(
      { tool: { toolCallId: 'c', title: 'Half done', kind: 'edit', status: 'in_progress' } },
      { chunks: ['I have ', 'begun'] },
      { sleep: 400 },
      { stderr: 'panic: out of cheese\n' },
      { exit: 7 },
    );
    await conversation.prompt(prompt);
    await says(
      disconnected(conversation),
      conversation,
      'dies',
      ['process exited', 'Exit code: 7', 'panic: out of cheese', 'scripted-agent.mjs dying'],
      ['Restart', 'Continue in New Session', 'Show Log'],
    );
    await conversation.says('I have begun');
    assert.equal(await conversation.stopButton.isVisible(), false, 'the turn is over');
    assert.match(await conversation.toolCall('Half done').getAttribute('aria-label'), /Not finished/);
    await until('the text to be back', async () => (await conversation.composer.inputValue()) === prompt);
    await noneLeft('scripted-agent.mjs dying');
    await button(disconnected(conversation), 'Restart').click();
    await disconnected(conversation).waitFor({ state: 'hidden' });
    await conversation.prompt(script({ chunks: ['here ', 'again'] }));
    await conversation.says('here again');
    await conversation.turnEnd();
  });

  it('names the unsupported version of the protocol', async () => {
    const conversation = await newSession(window, 'Newer');
    await says(failed(conversation), conversation, 'version', ['protocol version 99', 'Update the agent', 'newer --setup'], START);
    await noneLeft('newer');
    await theNextOneWorks();
  });

  it('names the sign-in methods', async () => {
    const conversation = await newSession(window, 'Signed out');
    const card = conversation.frame.getByRole('group', { name: 'Sign in to Signed out', exact: true });
    for (const name of ['Sign in with a browser', 'Use an API key']) await button(card, name).waitFor();
    await button(card, 'Not Now').click();
    const texts = ['requires you to sign in', 'Sign in with a browser, Use an API key', 'Authentication required', 'signed-out --setup'];
    const signedOut = failed(conversation, 'Not signed in');
    await says(signedOut, conversation, 'sign-in', texts, ['Sign In…', ...START]);
    await noneLeft('signed-out');
    await button(signedOut, 'Sign In…').click();
    await window.pickRow('Use an API key');
    await button(card, 'Not Now').click();
    await signedOut.waitFor();
    await noneLeft('signed-out');
    await theNextOneWorks();
  });
});
