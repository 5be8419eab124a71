// The state after a reload of the window: the chat view, an interrupted turn, a conversation, queued messages. Loading a window takes
// longer than everything else in these journeys, so they share one reload: everything is prepared, the window is reloaded, and each part is
// checked. Pictures go to test-results/reload/.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation, newSession, shows } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { minimumVersion } from '../harness/lib/vscode.mjs';
import { laterProcesses, script, scripted } from './agents.mjs';
import { changeSettings, openWorkspace, runCommands, startCommand } from './stage.mjs';

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
  Talker: scripted({ initialize: resumes, keeps: true }, 'talker'),
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
    ({ window } = await openWorkspace({ userSettings: { ...settings, 'acpHost.chat.location': 'sideBar' } }));
    before = { tab: {} };
    await prepareView();
    await changeSettings(settings);
    await hideView();
    // The oldest VS Code only runs the journeys with this mark.
    const isOldest = process.env.ACP_HOST_E2E_VSCODE === minimumVersion;
    for (const prepare of isOldest ? [prepareQueue] : [prepareQueue, prepareMentions, prepareConversation, prepareTurn]) await prepare();
    // In the oldest version its page, loaded together with another one, sometimes stays blank.
    if (isOldest) await window.openFile('src/calc.js');
    await window.command('ACP Host: Focus on Chat View');
    await until('the chat view', async () => (await inFrame('Last.')) !== undefined);
    before.tabs = await tabs().count();
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

  async function prepareView() {
    let conversation = await newSession(window, 'Talker');
    assert.equal(await tabs().count(), 0, 'nothing opens among the editors');
    // The box has the focus without a click.
    await until('the box to have the focus', () => conversation.composer.evaluate((box) => box === box.ownerDocument.activeElement));
    const first = script({ say: `First.\n\n${'Words of it.\n\n'.repeat(80)}Last.` });
    await window.page.keyboard.type(first.slice(0, 10));
    await window.page.keyboard.insertText(first.slice(10));
    await window.page.keyboard.press('Enter');
    await conversation.says('Last.');
    await conversation.turnEnd();
    await picture('view');
    await conversation.composer.fill('half a thought');
    await conversation.log.hover();
    const top = () => conversation.log.evaluate((log) => log.scrollTop);
    const bottom = await top();
    await until('it to be scrolled up', async () => {
      await window.page.mouse.wheel(0, -400);
      return (await top()) < bottom - 600;
    });

    await window.command('ACP: Move Chat to Editor');
    await until('a tab', async () => (await tabs().count()) === 1);
    await until('the view to be empty', async () => (await frames('Try the Demo Agent')) === 1);
    const editor = await until('the conversation among the editors', inEditor);
    await until('the draft', async () => (await editor.composer.inputValue()) === 'half a thought');
    await picture('editor');
    await editor.log.getByText('First.').first().waitFor();
    assert.ok(await editor.frame.getByRole('button', { name: 'Jump to latest' }).isVisible(), 'where it was, and not at the end');

    await window.command('ACP: Move Chat to Side Bar');
    await until('no tab', async () => (await tabs().count()) === 0);
    conversation = new Conversation(window);
    await until('the draft', async () => (await conversation.composer.inputValue()) === 'half a thought');
    assert.equal(await conversation.frame.getByRole('button', { name: 'Try the Demo Agent' }).count(), 0);
    // Ctrl+F belongs to the conversation, in the view as in a panel.
    await conversation.composer.focus();
    await until('find', async () => {
      // VS Code learns of the page's focus a moment later than the page.
      await window.page.keyboard.press('Control+f');
      return appears(conversation.frame.getByRole('searchbox', { name: 'Find in conversation' }), 1000);
    });
    await picture('back');
  }

  /** The number of visible webviews with a button of this name. */
  async function frames(name) {
    let count = 0;
    const webviews = window.page.locator('iframe.webview.ready:visible');
    for (let index = 0; index < (await webviews.count()); index++) {
      const inner = window.page.frameLocator(`iframe.webview.ready:visible >> nth=${index}`).frameLocator('iframe#active-frame');
      count += await inner.getByRole('button', { name, exact: true }).count();
    }
    return count;
  }

  /** The conversation in the editor, beside the view; undefined until it exists. */
  async function inEditor() {
    const webviews = window.page.locator('iframe.webview.ready:visible');
    for (let index = 0; index < (await webviews.count()); index++) {
      const frame = window.page.frameLocator(`iframe.webview.ready:visible >> nth=${index}`).frameLocator('iframe#active-frame');
      if ((await frame.getByRole('textbox', { name: 'Message', exact: true }).count()) === 1) {
        return new Conversation({ frame: () => frame });
      }
    }
    return undefined;
  }

  it('the chat view has its session, which was in an editor and came back, with its draft @minimum', async () => {
    await reloaded();
    // VS Code does not always reopen the side bar.
    const isBack = await until('the view', () => inFrame('Last.'), { timeoutMs: 5000 }).catch(() => false);
    if (!isBack) await window.command('ACP Host: Focus on Chat View');
    const conversation = await until('the conversation in the view', () => inFrame('Last.'), { timeoutMs: 45_000 });
    await until('the draft', async () => (await conversation.composer.inputValue()) === 'half a thought');
    assert.equal(await tabs().count(), before.tabs, 'it is not among the editors');
    await picture('reloaded');
  });

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

  it('messages for an agent that was not ready arrive in order, except for a removed one @minimum', async () => {
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
