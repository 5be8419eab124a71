// The life of a panel: hidden and closed in mid-turn. Its content is complete again, without duplicates, and with the typed text.
import assert from 'node:assert/strict';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { noneLeft, processesOf, scripted } from './agents.mjs';
import { clearWindow, openWorkspace, opens, runCommands, startCommand } from './stage.mjs';

const words = Array.from({ length: 40 }, (_, index) => `word${index} `);
/** Streams its words for some seconds, with a tool call in the middle, and ends when it is stopped. */
const slowly = [
  ...words.slice(0, 20).flatMap((say) => [{ say }, { sleep: 120 }]),
  { tool: { toolCallId: 'half', title: 'Half way', kind: 'search', status: 'in_progress' } },
  { sleep: 200 },
  { toolUpdate: { toolCallId: 'half', status: 'completed' } },
  ...words.slice(20).flatMap((say) => [{ say }, { sleep: 120 }]),
  { waitCancel: true },
];

const agents = {
  Slow: scripted({ script: slowly }, 'slow'),
  Quick: scripted({ script: [{ sleep: 3000 }, { say: 'counted' }] }, 'quick'),
};

describe('the life of a panel', () => {
  let window;

  const open = async () => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents, 'acpHost.notifications': 'hidden' } }));
  };
  opens(open);
  beforeEach(clearWindow);

  /** The status bar's text about the sessions; '' without one. */
  const statusBar = async () => {
    const item = window.page.locator('.statusbar-item[id$="acpHost.sessions"]:visible');
    return (await item.count()) === 0 ? '' : ((await item.locator('a').first().getAttribute('aria-label')) ?? '');
  };

  const paneWords = async (conversation) => (await conversation.log.innerText()).match(/word\d+/g) ?? [];

  it('misses nothing and duplicates nothing when hidden and closed in mid-turn; ending it ends the agent', async () => {
    const conversation = await newSession(window, 'Slow');
    await conversation.prompt('Tell me slowly');
    await conversation.says('word2');
    assert.match(await statusBar(), /^1 agent session is running/);

    await window.openFile('src/calc.js');
    await until('the file over the panel, or beside it', () => window.tab('calc.js').isVisible());
    if (await conversation.composer.isVisible()) {
      // The file opened to the side: bring both into one group, with the file active.
      await runCommands('workbench.action.moveEditorToPreviousGroup');
    }
    await until('the panel to be hidden', async () => !(await conversation.composer.isVisible()));
    await wait(600);
    await window.showTab('Tell me slowly');
    await conversation.says('word5');
    assert.ok(await appears(conversation.stopButton), 'hiding ended the turn');

    await runCommands('workbench.action.closeActiveEditor');
    await until('the panel to be closed', async () => (await window.frameName()) === undefined);
    assert.match(await statusBar(), /^1 agent session is running/);
    await wait(500);
    await startCommand('acpHost.openSession');
    await window.pickRow('Tell me slowly');
    await window.panel();
    assert.ok(await appears(conversation.stopButton), 'closing ended the turn');
    await conversation.says(words.at(-1).trim());
    await conversation.stopButton.click();
    await conversation.turnEnd();
    assert.deepEqual(
      await paneWords(conversation),
      words.map((word) => word.trim()),
    );
    assert.equal(await conversation.log.getByRole('article', { name: /^Half way/ }).count(), 1);
    assert.equal(await conversation.log.getByText('Tell me slowly', { exact: true }).count(), 1);

    assert.ok(processesOf('scripted-agent.mjs slow').length > 0);
    await runCommands('acpHost.endSession');
    await noneLeft('scripted-agent.mjs slow');
    await until('the status bar to be empty', async () => (await statusBar()) === '');
  });

  it('reports its turn’s end when closed, and is listed by its first prompt', async () => {
    const conversation = await newSession(window, 'Quick');
    await conversation.prompt('Count the `files`');
    await runCommands('workbench.action.closeActiveEditor');
    await runCommands('notifications.showList');
    await window.page.locator('.notification-list-item-message', { hasText: 'Quick finished: Count the files' }).waitFor();
    await runCommands('notifications.clearAll');
    await startCommand('acpHost.openSession');
    await window.pickRow('Count the files');
    await window.panel();
    await new Conversation(window).says('counted');
    await window.tab('Count the files').waitFor();
    await runCommands('acpHost.endSession');
    await noneLeft('scripted-agent.mjs quick');
  });

  it('takes the focus when it opens, and returns it when it closes', async () => {
    await window.openFile('src/calc.js');
    await window.editor().locator('.view-line').first().click();
    const conversation = await newSession(window, 'Slow');
    await until('the composer to have the focus', () => conversation.composer.evaluate((element) => element === document.activeElement));
    await window.page.keyboard.type('for the agent');
    await until('the text in the composer', async () => (await conversation.composer.inputValue()) === 'for the agent');
    await window.command('View: Close Editor');
    await until('the panel to be closed', async () => (await window.frameName()) === undefined);
    await wait(300);
    await window.page.keyboard.type('// for the file ');
    await until('the text in the file', async () => (await window.editorText()).includes('// for the file'));

    await startCommand('acpHost.openSession');
    await window.pickRow('Slow');
    await window.panel();
    // The draft arrives right after the page.
    await until('what was typed', async () => (await conversation.composer.inputValue()) === 'for the agent');
    await until('the composer to have the focus', () => conversation.composer.evaluate((element) => element === document.activeElement));
    await runCommands('acpHost.endSession');
    await noneLeft('scripted-agent.mjs slow');
  });
});
