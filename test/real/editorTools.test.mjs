// The editor's tools with each agent named in ACP_HOST_REAL_AGENTS, in the packed extension: the scripted model calls them, and reads their answers in
// its next request. The workspace has two folders, VS Code knows its language, and debugs its program.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { chooseOption } from '../harness/lib/configOptions.mjs';
import { until } from '../harness/lib/driver.mjs';
import { Conversation } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { wait } from '../harness/lib/proc.mjs';
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
      // Codex names a session by its first prompt, in a conversation of its own that would follow a script.
      await conversation.prompt('Hello.', { timeoutMs: 90_000 });
      await conversation.says('You said:');
      await conversation.turnEnd();
      // The editors of VS Code and of its debugger open beside the conversation, not over it.
      await stage.window.command('View: Lock Editor Group');
    };
    const endSession = async () => {
      await stage.window.command('ACP: End Session');
      await until('its processes to end', () => processesOf(stage.home).length === 0, { timeoutMs: 15_000 });
    };
    const file = (path) => join(base, path);
    /** Sends a prompt, allows what is asked, and returns the questions' titles and the model's log of the turn. */
    const turn = async (script, steps) => {
      stage.scripts[script] = steps;
      const since = stage.asked.length;
      const questions = [];
      await conversation.prompt(`Please work. ${inScript(script)}`, { timeoutMs: 90_000 });
      await until('the model to be asked', () => stage.asked.slice(since).some(({ index }) => index >= 0), { timeoutMs: 60_000 });
      await answerAll(conversation, allow, async (card, count) => {
        questions.push(await card.getAttribute('aria-label'));
        if (count === 1) await stage.picture(`editor-tools-${script}-asked`);
      });
      await conversation.says(steps.at(-1).text);
      await conversation.turnEnd();
      await stage.picture(`editor-tools-${script}`);
      console.log(`      ${script} asked: ${JSON.stringify(questions)}`);
      return { questions, log: stage.asked.slice(since) };
    };
    /** Asserts that the model has read these answers of a tool, one pattern for each call. */
    const hasRead = (log, tool, ...patterns) => {
      const read = answersTo(tool, log);
      assert.equal(read.length, patterns.length, `${read.length} answers of ${tool}`);
      patterns.forEach((pattern, at) => assert.match(read[at], pattern));
    };

    describe('with the default setting', () => {
      before(() => openSession({ 'acpHost.keepAgentsRunning': 'reload' }));
      after(endSession);

      it('find references in both folders, and text', async () => {
        const symbol = { file: 'src/till.ts', symbol: 'total', lineText: 'return `to pay: ${total([38, 4])}`;' };
        const { log } = await turn('references', [
          looksUp('references', 'search_text'),
          calls('references', symbol),
          calls('search_text', { query: 'prices.reduce' }),
          { text: 'They are found.' },
        ]);
        const places = [
          /5 references of total in 3 files\./,
          /src\/till\.ts:1:10 {2}import \{ total \} from '\.\.\/\.\.\/lib\/src\/total';/,
          /src\/till\.ts:4:21 {2}return `to pay: \$\{total\(\[38, 4\]\)\}`;/,
          /lib\/src\/average\.ts:3:54 {2}export const average/,
        ];
        places.forEach((place) => hasRead(log, 'references', place));
        hasRead(log, 'search_text', /lib\/src\/total\.ts:2/);
      });

      it('answer again in a turn that goes on over a reload, and in the next turn', async () => {
        const words = Array.from({ length: 120 }, (_, at) => `w${at} `).join('');
        const search = (query) => calls('search_text', { query });
        stage.scripts.reload = [
          looksUp('search_text'),
          search('prices.reduce'),
          { ...search('total(prices)'), text: words, pieces: 120, pieceMs: 250 },
          { text: 'They answer again.' },
        ];
        const since = stage.asked.length;
        await conversation.prompt(`Please work. ${inScript('reload')}`, { timeoutMs: 90_000 });
        await conversation.says('w3 ');
        await stage.window.reload();
        await stage.window.panel();
        conversation = new Conversation(stage.window);
        await conversation.says('They answer again.', { timeoutMs: 90_000 });
        await conversation.turnEnd();
        await stage.picture('editor-tools-reload');
        hasRead(stage.asked.slice(since), 'search_text', /lib\/src\/total\.ts:2/, /lib\/src\/average\.ts:3/);
        const { log } = await turn('after-reload', [search('Hello'), { text: 'They still answer.' }]);
        hasRead(log, 'search_text', /src\/greet\.ts:2/);
        assert.equal(await conversation.frame.getByText(/failed to start|can't reach VS Code/).count(), 0);
      });
    });

    describe('with the setting all', () => {
      before(() => openSession({ 'acpHost.editorTools': 'all' }));
      after(endSession);

      const changesBar = () => conversation.frame.getByRole('group', { name: 'Changes to review' });
      const isUndone = async () => {
        await until('the files as before', () => JSON.stringify(bytesOf(base)) === JSON.stringify(original));
        await changesBar().waitFor({ state: 'detached' });
      };
      const rename = async (script) => {
        const symbol = { file: 'src/till.ts', symbol: 'total', line: 1, newName: 'sumUp' };
        const { questions, log } = await turn(script, [
          looksUp('rename_symbol'),
          calls('rename_symbol', symbol),
          { text: `${script} is done.` },
        ]);
        assert.equal(questions.length, 1, `asked once: ${questions.join(', ')}`);
        hasRead(
          log,
          'rename_symbol',
          /Applied "Rename total to sumUp": 5 edits in 3 files[^]*src\/till\.ts:4:1 {2}return `to pay: \$\{sumUp\(/,
        );
        const stored = bytesOf(base);
        const changed = Object.keys(stored).filter((path) => stored[path] !== original[path]);
        assert.deepEqual(changed.sort(), ['app/src/till.ts', 'lib/src/average.ts', 'lib/src/total.ts']);
        for (const path of changed) assert.equal(stored[path], original[path].replaceAll(/\btotal\b(?!')/g, 'sumUp'));
        await changesBar().getByText('3 files changed').waitFor();
      };

      it('rename across the folders, and one undo of VS Code takes it back', async () => {
        await rename('rename');
        await stage.window.openFile('../app/src/till.ts');
        await stage.window.editor().locator('.view-line').first().click();
        await stage.window.page.keyboard.press('Control+z');
        for (const title of ['till.ts', 'total.ts', 'average.ts']) {
          await until(`${title} to be undone`, async () => stage.window.isDirty(title));
        }
        await stage.picture(`editor-tools-undone`);
        await stage.window.command('File: Save All Files');
        await isUndone();
      });

      it('rename across the folders, and the bar’s Undo takes it back', async () => {
        await rename('rename-again');
        // No click counts on a bar that has just appeared.
        await wait(1000);
        await changesBar().getByRole('button', { name: 'Undo', exact: true }).click();
        const files = stage.window.page.locator('.monaco-dialog-box').getByText('Will be changed: ');
        const names = (await files.innerText()).replace(/^[^]*Will be changed: /, '').trim();
        assert.deepEqual(names.split(', ').sort(), ['average.ts', 'till.ts', 'total.ts']);
        await stage.window.pressButton('Undo');
        await isUndone();
      });

      it('name the problems that an edit has caused, and those that are gone', async () => {
        const path = file('app/src/greet.ts');
        const [good, bad] = ['return `Hello ${name}`;', 'return name.length;'];
        const result = calls('edit_result', { file: 'src/greet.ts', waitSeconds: 20 });
        const { log } = await turn('problems', [
          looksUp('problems', 'edit_result'),
          calls('problems', { path: 'src/greet.ts' }),
          { text: 'I read it.', tools: [{ kind: 'read', args: { path } }] },
          { text: 'I break it.', tools: [{ kind: 'edit', args: { path, old: good, new: bad } }] },
          result,
          { text: 'I mend it.', tools: [{ kind: 'edit', args: { path, old: bad, new: good } }] },
          result,
          { text: 'It is whole again.' },
        ]);
        const problem = String.raw`src/greet\.ts:2:\d+ error ts \(2322\): Type 'number' is not assignable to type 'string'`;
        hasRead(log, 'problems', /No problems in src\/greet\.ts/);
        hasRead(
          log,
          'edit_result',
          new RegExp(`The edit of src/greet\\.ts was applied\\.[^]*The edit did not fail\\.\\n\\nNew problems \\(1\\):\\n${problem}`),
          new RegExp(`It caused no new problems in this file\\.\\n\\nGone since the edit \\(1\\):\\n${problem}`),
        );
        await isUndone();
      });

      it('stop a program at a breakpoint, and read a value', async () => {
        const { log } = await turn('debugging', [
          looksUp('set_breakpoint', 'start_debugging', 'stack', 'evaluate', 'step'),
          calls('set_breakpoint', { file: 'src/main.mjs', lineText: 'return sum;' }),
          calls('start_debugging', { file: 'src/main.mjs' }),
          calls('stack', {}),
          calls('evaluate', { expression: 'sum' }),
          calls('step', { action: 'continue' }),
          { text: 'The value is known.' },
        ]);
        hasRead(log, 'set_breakpoint', /Set a breakpoint at src\/main\.mjs:3: return sum;/);
        hasRead(log, 'start_debugging', /is stopped: breakpoint[^]*#0 .*priceOf src\/main\.mjs:3: return sum;/);
        hasRead(log, 'stack', /#0 .*priceOf src\/main\.mjs:3: return sum;\n#1 .*src\/main\.mjs:6/);
        hasRead(log, 'evaluate', /^42\b/m);
        hasRead(log, 'step', /The program has ended[^]*to pay 42/);
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
