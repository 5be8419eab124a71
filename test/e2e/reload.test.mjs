// The state after a reload of the window: an interrupted turn, a conversation, queued messages; the chat view is in chat-view.test.mjs. Loading
// a window takes longer than everything else in these journeys, so they share one reload: everything is prepared, the window is reloaded, and
// each part is checked. Pictures go to test-results/reload/.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation, newSession, shows } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { laterProcesses, script, scripted } from './agents.mjs';
import { openWorkspace, runCommands, startCommand } from './stage.mjs';

const resumes = { agentCapabilities: { promptCapabilities: { embeddedContext: true }, sessionCapabilities: { resume: {}, close: {} } } };
/** The agent is ready once this file exists. */
const go = join(tempDir('reload'), 'go');
/** The agent exits once this file exists. */
const end = join(tempDir('reload'), 'end');
const asks = [
  { chunks: ['painted ', 'before ', 'the reload'] },
  { tool: { toolCallId: 'open', title: 'Still open', kind: 'edit', status: 'in_progress' } },
  { permission: { toolCall: { toolCallId: 'ask', title: 'Ask first', kind: 'execute', rawInput: { command: 'make all' } } } },
];

const agents = {
  Slow: scripted({ initialize: resumes, keeps: true, beforeNew: [{ waitFile: go }] }, 'queue-slow'),
  Crashing: scripted({ initialize: resumes, keeps: true }, 'queue-crashing'),
  Faithful: scripted({ initialize: resumes, keeps: true }, 'faithful'),
  Asking: scripted({ script: asks }, 'asking'),
};
const settings = { 'acpHost.agents': agents, 'acpHost.notifications': 'hidden' };
const times = (text, words) => text.split(words).length - 1;

describe('after a reload of the window', function () {
  // The first journey includes the preparation.
  this.timeout(240_000);
  let window;
  let isReady = false;
  /** The facts from before the reload that each journey needs. */
  let before;

  const picture = (name) => window.screenshot(`reload/${name}`);
  const tabs = () => window.page.locator('.part.editor .tabs-container').getByRole('tab');
  const button = (conversation, name) => conversation.frame.getByRole('button', { name, exact: true });
  /** The status bar's text about the sessions; '' without one. */
  const statusBar = async () => {
    const item = window.page.locator('.statusbar-item[id$="acpHost.sessions"]:visible');
    return (await item.count()) === 0 ? '' : ((await item.locator('a').first().getAttribute('aria-label')) ?? '');
  };

  afterEach(function () {
    if (this.currentTest.state !== 'passed') isReady = false;
  });

  async function reloaded() {
    if (isReady) return;
    ({ window } = await openWorkspace({ userSettings: settings }));
    before = { tab: {} };
    for (const prepare of [prepareQueue, prepareMentions, prepareConversation, prepareTurn]) await prepare();
    await wait(600);
    before.faithful = laterProcesses('scripted-agent.mjs faithful');
    before.asking = laterProcesses('scripted-agent.mjs asking');
    await window.reload();
    isReady = true;
  }

  /** The editor area shows one page at a time, which is then the only one in the window. */
  const hideView = () => runCommands('workbench.action.closeAuxiliaryBar', 'workbench.action.closeSidebar');

  /** Opens a new session in a tab of its own, which `name` identifies. */
  async function inNewTab(name, agent) {
    const conversation = await newSession(window, agent);
    before.tab[name] = (await tabs().count()) - 1;
    return conversation;
  }

  /** The conversation of such a tab after the reload. */
  async function backInTab(name) {
    await hideView();
    await tabs().nth(before.tab[name]).click();
    await until('one page', async () => (await window.page.locator('iframe.webview.ready:visible').count()) === 1);
    await window.panel();
    return new Conversation(window);
  }

  /** Closes the active tab. VS Code focuses the page behind it with a delay, which would close a quick pick that has the focus by then. */
  async function closeTab() {
    const other = await window.frameName();
    await runCommands('workbench.action.closeActiveEditor');
    await window.panel({ other });
    const { composer } = new Conversation(window);
    await until('the box to have the focus', () => composer.evaluate((box) => box.ownerDocument.hasFocus() && box.matches(':focus')));
  }

  /** The visible conversation that contains `text`, in any place; undefined without one. */
  async function inFrame(text) {
    const webviews = window.page.locator('iframe.webview.ready:visible');
    for (let index = 0; index < (await webviews.count()); index++) {
      const frame = window.page.frameLocator(`iframe.webview.ready:visible >> nth=${index}`).frameLocator('iframe#active-frame');
      const log = frame.getByRole('log', { name: 'Conversation' });
      if ((await log.count()) === 1 && (await log.innerText()).includes(text)) return new Conversation({ frame: () => frame });
    }
    return undefined;
  }

  async function prepareTurn() {
    const conversation = await inNewTab('turn', 'Asking');
    await conversation.prompt('Do as you like');
    await conversation.permission('Ask first').first().waitFor();
    await conversation.composer.fill('a half written thou');
    assert.match(await statusBar(), /1 needs your answer/);
    const painted = await conversation.log.innerText();
    assert.ok(painted.includes('painted before the reload'));
  }

  it('an interrupted turn is readable, and can be continued in a new session', async () => {
    await reloaded();
    const again = await backInTab('turn');
    await again.says('painted before the reload');
    await picture('turn');
    const text = await again.log.innerText();
    assert.equal(text.split('painted before the reload').length, 2, 'something is doubled');
    assert.ok(text.includes('Do as you like'));
    const page = await again.frame.locator('body').innerText();
    assert.equal(page.split('Interrupted: the window was closed or reloaded').length, 2, 'why it ended is said once');
    assert.match(await again.toolCall('Still open').getAttribute('aria-label'), /Not finished/);
    assert.equal(
      await again.permission('Ask first').getByRole('button', { name: 'Allow', exact: true }).count(),
      0,
      'the request still waits',
    );
    assert.ok(await shows(again.toolCall('Ask first'), /Canceled: connection lost/), 'the request does not say why it ended');
    assert.equal(await again.stopButton.isVisible(), false, 'the turn still runs');
    assert.equal(await statusBar(), '');

    assert.equal(await again.composer.inputValue(), 'a half written thou');
    await again.composer.press('End');
    await again.composer.press('Enter');
    assert.equal(await again.composer.inputValue(), 'a half written thou');
    assert.deepEqual(before.asking(), [], 'nothing starts by itself');
    assert.equal(await button(again, 'Restart').count(), 0);

    const other = await window.frameName();
    await button(again, 'Continue in New Session').click();
    await window.panel({ other });
    const next = new Conversation(window);
    await until('the conversation to go along', () => next.frame.locator('.composer').getByText('conversation.md').isVisible());
    await picture('continued');
    assert.equal(await next.composer.inputValue(), 'a half written thou', 'what was typed stays behind');
    await next.prompt('Go on');
    await next.permission('Ask first').first().waitFor();
    await next.answer('Ask first', 'Allow');
    await next.turnEnd();
    await runCommands('acpHost.endSession');
    await until('the agent to be gone', () => before.asking().length === 0);
  });

  async function prepareQueue() {
    rmSync(go, { force: true });
    const conversation = await inNewTab('queue', 'Slow');
    await conversation.say(script({ say: 'Typed early.' }, { waitCancel: true }));
    await until('it to be queued', async () => (await conversation.queued()).length === 1);
    await picture('starting');
    writeFileSync(go, '');
    await conversation.says('Typed early.');
    await until('it to be sent', async () => (await conversation.queued()).length === 0);
    for (const text of [script({ say: 'One.' }), script({ say: 'Two.' }), 'never say this', script({ say: 'Three.' })]) {
      await conversation.say(text);
    }
    await until('four to be queued', async () => (await conversation.queued()).length === 4);
    await conversation.queueButton('never say this', 'Remove').click();
    await until('three to be queued', async () => (await conversation.queued()).length === 3);
    await picture('working');
  }

  it('messages for an agent that was not ready arrive in order, except for a removed one', async () => {
    await reloaded();
    const conversation = await backInTab('queue');
    await conversation.frame.getByText('Queue paused', { exact: true }).first().waitFor();
    assert.equal((await conversation.queued()).length, 3);
    await picture('queue');
    await button(conversation, 'Resume Queue').click();
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
    await runCommands('acpHost.endSession');
  });

  async function prepareMentions() {
    rmSync(end, { force: true });
    const conversation = await inNewTab('mentions', 'Crashing');
    const { keyboard } = window.page;
    await conversation.say(script({ say: 'Working.' }, { waitFile: end }, { exit: 3 }));
    await conversation.says('Working.');
    await conversation.mention('Queued with', 'calc.js', 'in it');
    await picture('mention');
    await keyboard.press('Enter');
    await until('it to be queued', async () => (await conversation.queued()).length === 1);
    assert.match((await conversation.queued())[0], /Queued with @calc\.js in it$/);
    await conversation.mention('Draft with', 'package.json', 'in it');
    before.draft = await conversation.composer.inputValue();
    assert.match(before.draft, /Draft with @package\.json in it$/);
    writeFileSync(end, '');
    await button(conversation, 'Resume Queue').waitFor();
    // A message that the agent has not taken returns to the box, before the draft.
    assert.ok((await conversation.composer.inputValue()).endsWith(before.draft));
  }

  it('messages keep their mentions, queued and as a draft, also over a crash', async () => {
    await reloaded();
    const conversation = await backInTab('mentions');
    await button(conversation, 'Remove package.json').waitFor();
    assert.ok((await conversation.composer.inputValue()).endsWith(before.draft));
    await button(conversation, 'Resume Queue').click();
    await until('it to be sent', async () => (await conversation.log.innerText()).includes('" in it"'));
    await conversation.turnEnd();
    const [words, file, behind] = await conversation.toldBlocks();
    assert.match(words.text, /Queued with $/);
    assert.equal(file.type, 'resource');
    assert.match(file.resource.uri, /^file:.*\/src\/calc\.js$/);
    assert.match(file.resource.text, /function/);
    assert.equal(behind.text, ' in it');
    await conversation.composer.fill(before.draft);
    await conversation.composer.press('Enter');
    await until('the draft to be sent', async () => (await conversation.toldBlocks()).length === 6);
    assert.match((await conversation.toldBlocks())[4].resource.uri, /\/package\.json$/);
    await runCommands('acpHost.endSession');
  });

  async function prepareConversation() {
    const conversation = await inNewTab('conversation', 'Faithful');
    await conversation.prompt(script({ say: 'I remember this.' }));
    await conversation.says('I remember this.');
    await conversation.turnEnd();
  }

  it('a conversation is restored, and its session resumes by a message and by Resume', async () => {
    await reloaded();
    let conversation = await backInTab('conversation');
    await conversation.says('I remember this.');
    await button(conversation, 'Resume').waitFor();
    await picture('conversation');
    assert.deepEqual(before.faithful(), [], 'nothing starts by itself');
    await conversation.prompt(script({ say: 'And I still do.' }));
    await conversation.says('And I still do.');
    await conversation.turnEnd();
    await picture('resumed');
    const text = await conversation.log.innerText();
    assert.equal(times(text, 'I remember this.'), 2, 'once in the prompt, once in the answer');
    assert.ok(text.indexOf('And I still do.') > text.lastIndexOf('I remember this.') + 20, 'a new answer');
    assert.doesNotMatch(text, /doesn't remember/);

    // Simulates another reload: only the journal is left, with the messages since.
    await runCommands('acpHost.endSession');
    await until('the agent to be gone', () => before.faithful().length === 0);
    await closeTab();
    await startCommand('acpHost.openSession');
    await window.pickRow(/I remember/);
    await until('the page', async () => (await inFrame('And I still do.')) !== undefined);
    conversation = new Conversation(window);
    await button(conversation, 'Resume').click();
    await button(conversation, 'Resume').waitFor({ state: 'detached' });
    await conversation.prompt(script({ say: 'A third time.' }));
    await conversation.says('A third time.');
    await conversation.turnEnd();

    await startCommand('acpHost.deleteSession');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText('Only the copy in VS Code will be deleted.').waitFor();
    const count = await tabs().count();
    await window.pressButton('Delete');
    await until('the panel to be closed', async () => (await tabs().count()) === count - 1);
    await until('the agent to be gone', () => before.faithful().length === 0);
    await until('its record to be gone', async () => {
      await startCommand('acpHost.openSession');
      const isThere = (await window.quickPickRows()).some((row) => row.includes('I remember'));
      if (isThere) await window.page.keyboard.press('Escape');
      return !isThere;
    });
    await window.page.locator('.quick-input-widget:visible .quick-input-box input').fill('I remember');
    const rows = window.page.locator(quickRows).filter({ has: window.page.locator('.label-name', { hasText: 'I remember' }) });
    assert.equal(await appears(rows, 500), false);
    await window.page.keyboard.press('Escape');
  });
});
