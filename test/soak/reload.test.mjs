// The window is reloaded while a request is pending or a turn runs. The view is correct afterwards, the agent receives nothing that the
// user did not send, and nothing is duplicated.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { alive, wait } from '../harness/lib/proc.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { processesOf, script } from '../e2e/agents.mjs';
import { openWorkspace } from '../e2e/stage.mjs';
import { recorded } from './recorded.mjs';

const MESSAGES = 200;
const browser = { id: 'browser', name: 'Browser', description: 'Opens the sign-in page' };
const replay = Array.from({ length: MESSAGES }, (_, n) => [
  {
    update: {
      sessionUpdate: n % 2 ? 'agent_message_chunk' : 'user_message_chunk',
      messageId: `told-${n}`,
      content: { type: 'text', text: `told${n};` },
    },
  },
  // The window is reloaded once VS Code has saved the open editors, which takes seconds: the agent must not have sent everything by then.
  { sleep: 120 },
]).flat();
const FORM = {
  mode: 'form',
  message: 'What is it called?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Project name' } }, required: ['name'] },
};

describe('a reload', function () {
  this.timeout(240_000);
  const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };
  const keeper = recorded(resumes, 'reload-keeper');
  const teller = recorded(
    {
      initialize: { agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {} } } },
      stored: [{ sessionId: 'told', title: 'Told again', replay }],
    },
    'reload-teller',
  );
  const guarded = recorded(
    { ...resumes, account: { needed: ['session/new'] }, initialize: { ...resumes.initialize, authMethods: [browser] } },
    'reload-guarded',
  );
  const place = tempDir('reload');
  let window;
  let conversation;

  before(async () => {
    ({ window } = await openWorkspace({
      userSettings: {
        'acpHost.agents': { Keeper: keeper.entry, Teller: teller.entry, Guarded: guarded.entry },
        'acpHost.permissions.present': 'card',
        'acpHost.askBeforeCommands': { '*': 'never' },
      },
      prepare: async (workspace) => workspace,
    }));
  });
  afterEach(async function () {
    if (this.currentTest.state === 'failed') await window.leaveEvidence(`reload-${this.currentTest.title}`);
    await window.command('ACP: End Session').catch(() => {});
    await window.closeEditors();
  });

  const button = (name) => conversation.frame.getByRole('button', { name, exact: true });
  const answersIn = (text) => text.replace(/@script.*/g, '');
  const shown = async () => answersIn(await conversation.log.innerText());
  const times = async (text) => (await shown()).split(text).length - 1;
  const sent = ({ wire }, method) => wire().filter(({ to, message }) => to === 'agent' && message.method === method);
  /** The answer to the agent's request; undefined without one. */
  const answerTo = ({ wire }, method) => {
    const request = wire().findLast(({ to, message }) => to === 'client' && message.method === method);
    return wire().find(({ to, at, message }) => to === 'agent' && at >= request.at && message.id === request.message.id && !message.method)
      ?.message;
  };

  async function reload() {
    await wait(600);
    await window.reload();
    await window.panel({ timeoutMs: 90_000 });
    conversation = new Conversation(window);
    await until('the turn to be over', async () => !(await conversation.stopButton.isVisible()));
  }

  /** Asserts that the agent before the reload has exited, or was notified that the turn has ended. */
  async function wasTold(agent, present) {
    await until(
      'the agent to be left',
      () => present.every(({ pid }) => !alive(pid)) || sent(agent, 'session/cancel').length + sent(agent, 'session/close').length > 0,
    );
  }

  /** Asserts that the session continues where it was, with another message. */
  async function goesOn(agent, id, prompts) {
    const resumed = sent(agent, 'session/resume').length;
    await conversation.prompt(`Go on ${id} ${script({ say: `And ${id} goes on.` })}`);
    await until('the answer', async () => (await times(`And ${id} goes on.`)) === 1);
    await conversation.turnEnd();
    assert.equal(sent(agent, 'session/prompt').length, prompts + 1, 'a prompt was sent twice');
    assert.equal(sent(agent, 'session/resume').length, resumed + 1, 'resumed once');
    assert.equal(await times(`Go on ${id}`), 1);
  }

  const processes = (tag) => processesOf(`scripted-agent.mjs ${tag}`);

  it('while it streams', async () => {
    conversation = await newSession(window, 'Keeper');
    await conversation.prompt(`Speak ${script({ repeat: { times: 600, steps: [{ say: 'w${n}; ' }, { sleep: 20 }] } })}`);
    await until('words', async () => (await shown()).includes('w30;'));
    const present = processes('reload-keeper');
    await reload();
    const words = (await shown()).match(/w\d+;/g);
    assert.deepEqual(
      words,
      words.map((_, n) => `w${n + 1};`),
    );
    assert.ok(words.length >= 30);
    const page = await conversation.frame.locator('body').innerText();
    assert.equal(page.split('Interrupted: the window was closed or reloaded').length, 2);
    await wasTold(keeper, present);
    await goesOn(keeper, 'streaming', 1);
  });

  it('while a permission is pending', async () => {
    conversation = await newSession(window, 'Keeper');
    const toolCall = { toolCallId: 'ask', title: 'Ask first', kind: 'execute', rawInput: { command: 'make all' } };
    const prompts = sent(keeper, 'session/prompt').length + 1;
    await conversation.prompt(`Ask ${script({ permission: { toolCall } }, { say: 'Went on.' })}`);
    await conversation.permission('Ask first').first().waitFor();
    const present = processes('reload-keeper');
    await reload();
    assert.equal(await button('Allow').count(), 0, 'it can be answered still');
    await wasTold(keeper, present);
    assert.notEqual(answerTo(keeper, 'session/request_permission')?.result?.outcome?.outcome, 'selected');
    await goesOn(keeper, 'permission', prompts);
    assert.equal(await times('Went on.'), 0);
  });

  it('while a form is open', async () => {
    conversation = await newSession(window, 'Keeper');
    const prompts = sent(keeper, 'session/prompt').length + 1;
    await conversation.prompt(`Form ${script({ elicit: FORM })}`);
    const form = () => conversation.frame.getByRole('group', { name: 'What is it called?', exact: true });
    await form().getByLabel('Project name').fill('half a na');
    const present = processes('reload-keeper');
    await reload();
    await window.screenshot('reload/form');
    assert.equal(await form().getByLabel('Project name').and(conversation.frame.locator(':enabled')).count(), 0, 'it can be filled still');
    await wasTold(keeper, present);
    assert.notEqual(answerTo(keeper, 'elicitation/create')?.result?.action, 'accept');
    await goesOn(keeper, 'form', prompts);
  });

  it('while a command runs in a terminal', async () => {
    conversation = await newSession(window, 'Keeper');
    const prompts = sent(keeper, 'session/prompt').length + 1;
    const pidFile = join(place, 'pid');
    const program = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); console.log('running now'); setTimeout(() => {}, 600000)`;
    await conversation.prompt(
      `Run ${script(
        { tool: { toolCallId: 'run', title: 'Run for long', kind: 'execute', status: 'pending' } },
        { terminal: { command: process.execPath, args: ['-e', program], toolCallId: 'run' } },
      )}`,
    );
    await until('the command to run', () => existsSync(pidFile));
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await conversation.toolCall('Run for long').waitFor();
    const present = processes('reload-keeper');
    await reload();
    await window.screenshot('reload/terminal');
    assert.doesNotMatch(await conversation.toolCall('Run for long').getAttribute('aria-label'), /Running|In progress/);
    await wasTold(keeper, present);
    await until('the command to end', () => !alive(pid));
    assert.equal(await conversation.log.getByRole('article', { name: /^Run for long/ }).count(), 1);
    await goesOn(keeper, 'terminal', prompts);
  });

  it('while the agent replays an earlier conversation', async () => {
    await window.command('ACP: Browse Agent History…');
    await window.pickRow('Teller');
    await window.pickRow('Told again');
    await window.panel();
    await until('the agent to tell it', () => sent(teller, 'session/load').length === 1);
    await wait(1000);
    await window.reload();
    await window.panel({ timeoutMs: 90_000 });
    await window.screenshot('reload/loading');
    conversation = new Conversation(window);
    await button('Resume').waitFor();
    const before = (await conversation.log.innerText()).match(/told\d+;/g) ?? [];
    assert.ok(!before.includes(`told${MESSAGES - 1};`), 'all was told before the reload');
    assert.deepEqual(before, before.length === 0 ? [] : before.map((_, n) => `told${n};`));
    await button('Resume').click();
    await until('it to be told again', () => sent(teller, 'session/load').length === 2);
    await until('all of it', async () => (await conversation.log.innerText()).includes(`told${MESSAGES - 1};`), { timeoutMs: 60_000 });
    // Earlier entries are not rendered until the user scrolls to them, so this checks the copied text for duplicates.
    await window.command('ACP: Copy Conversation');
    const copied = await until('the copy', async () => {
      const text = await window.page.evaluate(() => navigator.clipboard.readText());
      return text.includes(`told${MESSAGES - 1};`) && text;
    });
    assert.deepEqual(
      copied.match(/told\d+;/g),
      Array.from({ length: MESSAGES }, (_, n) => `told${n};`),
    );
  });

  it('while a sign-in is pending: the waiting message is sent once, after it', async () => {
    conversation = await newSession(window, 'Guarded');
    const card = () => conversation.frame.getByRole('group', { name: 'Sign in to Guarded', exact: true });
    await card().waitFor();
    const prompt = `Hello there ${script({ say: 'Welcome in.' })}`;
    await conversation.say(prompt);
    await until('it to be queued', async () => (await conversation.queued()).length === 1);
    await reload();
    await window.screenshot('reload/sign-in');
    const held =
      [...(await conversation.queued()), await conversation.composer.inputValue(), await shown()].join('\n').split('Hello there').length -
      1;
    assert.equal(held, 1, 'the message is there once');
    assert.equal(sent(guarded, 'session/prompt').length, 0);
    assert.equal(sent(guarded, 'authenticate').length, 0, 'signed in by itself');
    const resume = conversation.frame.getByRole('button', { name: /^(Resume Queue|Resume|Restart|Retry)$/ }).first();
    await resume.click();
    await card()
      .getByRole('button', { name: /Browser|Sign In/ })
      .first()
      .click();
    await until('the answer', async () => (await times('Welcome in.')) === 1);
    await conversation.turnEnd();
    assert.equal(sent(guarded, 'session/prompt').length, 1);
    assert.equal(sent(guarded, 'authenticate').length, 1);
  });
});
