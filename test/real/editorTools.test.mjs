// The editor's tools with each agent named in ACP_HOST_REAL_AGENTS, in the packed extension: the scripted model calls them, and reads their answers in
// its next request. The workspace has two folders, VS Code knows its language, and debugs its program.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { chooseOption } from '../harness/lib/configOptions.mjs';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { agents } from './agents.mjs';
import { allow, answerAll, patiently } from './answers.mjs';
import { answersTo, bytesOf, calls, createProject, looksUp } from './editorProject.mjs';
import { inScript } from './llm/script.mjs';
import { keepJournal, leaveEvidence, openWithAgent, processesOf } from './stage.mjs';

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',').filter((each) => agents[each].asks !== false)) {
  describe(`the editor's tools of ${name}`, () => {
    let stage;
    let base;
    let conversation;
    let original;

    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-editor-tools-${this.currentTest.title}`);
    });
    after(() => keepJournal(`${name}-editor-tools`));

    const openSession = async (settings) => {
      stage = await openWithAgent(name, {
        languages: true,
        workspace: createProject,
        settings: () => ({ 'acpHost.permissions.present': 'card', 'remote.autoForwardPorts': false, ...settings }),
      });
      base = dirname(stage.folder);
      original = bytesOf(base);
      conversation = await patiently(() => sessionInBoth(stage.window, name));
      const isStarting = () => conversation.frame.getByText(`Starting ${name}…`).isVisible();
      await until('the agent to be ready', async () => !(await isStarting()), { timeoutMs: 90_000 });
      const { first, writes = first } = agents[name];
      if (writes) await chooseOption(conversation.frame, ...writes);
    };
    const endSession = async () => {
      await stage.window.command('ACP: End Session');
      await until('its processes to end', () => processesOf(stage.home).length === 0, { timeoutMs: 15_000 });
    };
    const file = (path) => join(base, path);
    /** Sends a prompt, allows what is asked, and returns the cards' texts and the model's log of the turn. */
    const turn = async (script, steps) => {
      stage.scripts[script] = steps;
      const since = stage.asked.length;
      await conversation.prompt(`Please work. ${inScript(script)}`, { timeoutMs: 90_000 });
      const cards = await answerAll(conversation, allow);
      await conversation.says(steps.at(-1).text);
      await conversation.turnEnd();
      return { cards, log: stage.asked.slice(since) };
    };
    /** Asserts that the model's next request has the answer, and returns that request. */
    const hasRead = (log, tool, ...patterns) => {
      const read = answersTo(tool, log);
      console.log(read.join('\n---\n'));
      assert.equal(read.length, patterns.length, `answers of ${tool}: ${read.length}`);
      patterns.forEach((pattern, at) => assert.match(read[at], pattern));
    };

    describe('that only read', () => {
      before(() => openSession({}));
      after(endSession);

      it('find references in both folders, and text', async () => {
        const symbol = { file: file('lib/src/total.ts'), symbol: 'total', lineText: 'export function total(prices: number[]): number {' };
        const { log, cards } = await turn('references', [
          looksUp('references', 'search_text'),
          calls('references', symbol),
          calls('search_text', { query: 'prices.reduce' }),
          { text: 'They are found.' },
        ]);
        await stage.picture('editor-tools-references');
        console.log(cards);
        hasRead(log, 'references', /5 references of total in 3 files/);
        hasRead(log, 'references', /src\/till\.ts:4:21/);
        hasRead(log, 'references', /lib\/src\/average\.ts:3:55/);
        hasRead(log, 'search_text', /total\.ts:2/);
      });
    });

    describe('that change and run something', () => {
      before(() => openSession({ 'acpHost.editorTools': 'all' }));
      after(endSession);

      const changesBar = () => conversation.frame.getByRole('group', { name: 'Changes to review' });
      const rename = async () => {
        const symbol = { file: 'src/till.ts', symbol: 'total', line: 1, newName: 'sumUp' };
        const { cards, log } = await turn('rename', [
          looksUp('rename_symbol'),
          calls('rename_symbol', symbol),
          { text: 'It is renamed.' },
        ]);
        console.log(cards);
        hasRead(log, 'rename_symbol', /5 edits in 3 files/);
        hasRead(log, 'rename_symbol', /src\/till\.ts:4/);
        const stored = bytesOf(base);
        const changed = Object.keys(stored).filter((path) => stored[path] !== original[path]);
        assert.deepEqual(changed.sort(), ['app/src/till.ts', 'lib/src/average.ts', 'lib/src/total.ts']);
        for (const path of changed) assert.equal(stored[path], original[path].replaceAll(/\btotal\b(?!')/g, 'sumUp'));
        await changesBar().getByText('3 files changed').waitFor();
      };

      it('rename across the folders, and one undo of VS Code takes it back', async () => {
        await rename();
        await stage.picture('editor-tools-rename');
        await stage.window.openFile('../app/src/till.ts');
        await stage.window.editor().locator('.view-line').first().click();
        await stage.window.page.keyboard.press('Control+z');
        const dialog = stage.window.page.locator('.monaco-dialog-box');
        if (await appears(dialog, 3000)) {
          await stage.picture('editor-tools-undo');
          console.log(await dialog.innerText());
          await stage.window.pressButton(/Undo in 3 Files/);
        }
        await until('the editor to have the old name', async () => !(await stage.window.editorText()).includes('sumUp'));
        await stage.window.command('File: Save All Files');
        await until('the files as before', () => JSON.stringify(bytesOf(base)) === JSON.stringify(original));
        await changesBar().waitFor({ state: 'detached' });
      });

      it('rename across the folders, and the bar’s Undo takes it back', async () => {
        await stage.window.closeEditors().catch(() => {});
      });
    });
  });
}

/** Starts a session in the first folder of the workspace, with the second one. */
async function sessionInBoth(window, agent) {
  const other = await window.frameName();
  await window.command('ACP: New Session');
  await window.pickRow(agent);
  await window.pickRow(/Add Other Workspace Folders/);
  await window.pickRow('app');
  await window.page.locator(quickRows).filter({ hasText: 'lib' }).first().click();
  await window.page.keyboard.press('Enter');
  await window.panel({ other });
  return new Conversation(window);
}
