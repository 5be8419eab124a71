// Journeys that need a workspace of several folders, or a window of their own, and share one. They review changes in a repository and
// in a plain folder, use sessions in one folder or several, and run commands without the native part of node-pty. Pictures go to
// test-results/changes/, test-results/earlier/ and test-results/failures/.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation, shows } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { noneLeft, script, scripted } from './agents.mjs';
import { changeSettings, closeAll, notesAtLineEnds, openWorkspace, opens, runCommands, startCommand, theStage } from './stage.mjs';

const sessionCapabilities = { resume: {}, close: {}, additionalDirectories: {} };
const setup = { initialize: { agentCapabilities: { sessionCapabilities } }, keeps: true };
const terminal = [
  { tool: { toolCallId: 'run', title: 'Compute', kind: 'execute', status: 'pending' } },
  {
    terminal: {
      command: process.execPath,
      args: ['-e', 'console.log(`6 x 7 = ${6 * 7}`); console.error(process.stdout.isTTY ? "a tty" : "no tty")'],
      toolCallId: 'run',
    },
  },
  { toolUpdate: { toolCallId: 'run', status: 'completed' } },
];

const agents = { Writer: scripted(setup, 'writer'), Roomy: scripted(setup, 'roomy'), Runner: scripted({ script: terminal }, 'runner') };
const planted = { 'acpHost.agents': { 'Planted agent': { command: 'planted' } } };
const lines = (...changed) =>
  Array.from({ length: 12 }, (_, index) => changed.find((line) => line.startsWith(`${index} `)) ?? `${index} same`).join('\n') + '\n';

describe('in a multi-root window', () => {
  let window;
  let folder;
  let isOpen = false;
  let native;

  before(async () => {
    const { dir } = await theStage();
    const [extension] = readdirSync(join(dir, 'ext')).filter((name) => name.startsWith('acp-host.acp-host'));
    native = join(dir, 'ext', extension, 'node_modules', 'node-pty', 'prebuilds');
    renameSync(native, `${native}-gone`);
  });
  // The extension hosts of later windows load it again.
  after(() => existsSync(`${native}-gone`) && renameSync(`${native}-gone`, native));

  afterEach(function () {
    if (this.currentTest.state !== 'passed') isOpen = false;
  });

  /**
   * Opens a window with a repository and a plain folder with the same files, and two more folders. It has no session, and these settings.
   */
  async function open(userSettings) {
    if (isOpen) {
      // Notifications stay: a refusal is shown only once.
      await closeAll();
    } else {
      const files = ['shell.txt', 'deleted.txt', 'old.txt', 'early.txt'].map((name) => [
        name,
        name === 'shell.txt' ? lines() : `${name}\n`,
      ]);
      ({ window, folder } = await openWorkspace({
        files: {
          ...Object.fromEntries(['repository', 'plain'].flatMap((place) => files.map(([name, text]) => [`${place}/${name}`, text]))),
          ...{ 'one/one.txt': '1', 'one/.vscode/settings.json': JSON.stringify(planted), 'two/two.txt': 'two' },
        },
        prepare: (workspace) => {
          const git = (...args) => execFileSync('git', args, { cwd: join(workspace, 'repository'), stdio: 'ignore' });
          git('init', '-q', '-b', 'main');
          git('config', 'user.email', 'user@example.com');
          git('config', 'user.name', 'User');
          git('add', '-A');
          git('commit', '-q', '-m', 'first');
          const file = join(workspace, 'four.code-workspace');
          writeFileSync(file, JSON.stringify({ folders: ['repository', 'plain', 'one', 'two'].map((path) => ({ path })) }));
          return file;
        },
      }));
    }
    isOpen = true;
    await changeSettings(userSettings);
  }

  const rowOf = (title) =>
    window.page
      .locator(quickRows)
      .filter({ has: window.page.locator('.label-name', { hasText: title }) })
      .first();

  // These come first, in a newly loaded window: a file that an agent changes at once has no earlier version yet.
  describe('changes to review', () => {
    let conversation;

    opens(async () => {
      await open({ 'acpHost.agents': agents, 'acpHost.defaultAgent': 'Writer' });
      await startCommand('acpHost.newSession');
      await window.pickRow(/Add Other Workspace Folders/);
      await window.pickRow('repository');
      await window.page.locator(quickRows).filter({ hasText: 'plain' }).first().click();
      await window.page.keyboard.press('Enter');
      await window.panel();
      conversation = new Conversation(window);
    });

    const rows = () =>
      window.page
        .locator('.scm-view .monaco-list-row')
        .evaluateAll((all) => all.filter((row) => row.querySelector('.resource')).map((row) => row.getAttribute('aria-label')));
    const rowsOf = async (pattern) => (await rows()).filter((row) => pattern.test(row));
    const rowsAre = async (what, holds) => {
      let seen = [];
      const look = async () => holds((seen = await rows()));
      await until(what, look, { timeoutMs: 20_000 }).catch((error) => assert.fail(`${error.message}\n${seen.join('\n')}`));
    };
    const run = async (...commands) => (await theStage()).neighbour.commands(...commands);

    it('are listed with the kind of change, in a repository and in a plain folder', async () => {
      await run('workbench.view.scm');
      const edits = (place) => ({
        shell: [
          `cd '${join(folder, place)}'`,
          `sed -i 's/^2 same/2 changed/; s/^9 same/9 changed/' shell.txt`,
          'rm deleted.txt',
          place === 'repository' ? 'git mv old.txt new.txt' : 'mv old.txt new.txt',
          'echo made > made.txt',
          `printf '\\0\\1' > made.bin`,
        ].join(' && '),
      });
      await conversation.prompt(
        script(
          { shell: `echo more >> '${join(folder, 'repository', 'early.txt')}'` },
          { sleep: 2000 },
          edits('repository'),
          edits('plain'),
          {
            say: 'Done.',
          },
        ),
      );
      await conversation.says('Done.');
      await conversation.turnEnd();
      await rowsAre('eleven rows', (all) => all.filter((row) => /was (changed|created|deleted|moved)/.test(row)).length === 11);
      for (const expected of [
        /shell\.txt was changed\. Changes: 2/,
        /deleted\.txt was deleted/,
        /new\.txt was moved from old\.txt/,
        /made\.txt was created\. Changes: 1/,
        /made\.bin was created/,
      ]) {
        assert.equal((await rowsOf(expected)).length, 2, String(expected));
      }
      assert.equal((await rowsOf(/early\.txt was created or changed\. Can't be undone/)).length, 1);
      await window.screenshot('changes/group');
    });

    it('are marked in the gutter, with Keep and Undo above each, and show their earlier text in the peek', async () => {
      await window.openFile('../repository/shell.txt');
      await window.page.locator('.part.editor .dirty-diff-modified').first().waitFor({ timeout: 15_000 });
      await window.page.locator('.part.editor .codelens-decoration').first().waitFor();
      await window.screenshot('changes/gutter');
      await window.editor().locator('.view-line').first().click();
      await run('editor.action.dirtydiff.next');
      await window.page.locator('.part.editor .peekview-widget').waitFor();
      await window.screenshot('changes/peek');
      await window.page.keyboard.press('Escape');
    });

    it('take comments on their lines: a chip sent with the message, and marks until the answer', async () => {
      await run('workbench.action.moveEditorToNextGroup');
      const threads = window.page.locator('.review-widget');
      const form = threads.locator('.comment-form .monaco-editor.focused');
      // VS Code refuses the command until it knows the commenting ranges.
      await until('the form', async () => (await form.count()) > 0 || (await run('workbench.action.addComment'), appears(form, 1500)));
      await window.page.keyboard.insertText('Say it in other words');
      await threads.getByRole('button', { name: 'Add to Message' }).click();
      await conversation.frame.getByRole('list', { name: 'Attachments' }).getByText('1 comment').waitFor();
      await until('the mark', async () => (await notesAtLineEnds(window)).some((note) => /Say it.*not sent/.test(note)));
      assert.equal(await threads.count(), 0);
      await conversation.prompt(script({ sayPrompt: true }));
      await conversation.turnEnd();
      await conversation.says(/shell\.txt:3[^]*> 2 changed[^]*Say it in other words/);
      await until('no mark', async () => (await notesAtLineEnds(window)).every((note) => !note.includes('Say it')));
    });
  });

  describe('sessions', () => {
    it('a folder adds no agents of its own unasked, and the session works in the picked one', async () => {
      await open({});
      await startCommand('acpHost.newSession');
      const rows = await window.quickPickRows();
      assert.deepEqual(
        rows.filter((row) => /planted/i.test(row)),
        [],
      );
      await window.pickRow('Demo');
      await window.pickRow('two');
      const frame = await window.panel();
      await frame.getByText('two', { exact: true }).first().waitFor();
    });

    it('a session may use further folders, and releases them', async () => {
      await open({ 'acpHost.agents': agents, 'acpHost.defaultAgent': 'Roomy' });
      const reads = async (conversation, answer) => {
        await conversation.prompt(script({ read: join(folder, 'two', 'two.txt') }));
        await conversation.says(answer);
        await conversation.turnEnd();
      };
      const pickNothingElse = async (place) => {
        const box = window.page
          .locator(quickRows)
          .filter({ has: window.page.locator('.label-name', { hasText: 'two' }) })
          .first();
        await box.waitFor();
        await box.click();
        await window.screenshot(`earlier/${place}`);
        await window.page.keyboard.press('Enter');
      };

      await startCommand('acpHost.newSession');
      await window.pickRow(/Add Other Workspace Folders/);
      await window.pickRow('one');
      await window.page
        .locator('.quick-input-widget:visible .quick-input-box input[placeholder*="Select other folders the agent can use"]')
        .waitFor();
      await pickNothingElse('folders');
      await window.panel();
      const conversation = new Conversation(window);
      await conversation.frame.locator('.header').getByText('1 more folder').waitFor();
      await reads(conversation, 'read: "two"');
      await window.screenshot('earlier/roomy');

      await window.command('ACP: Change Session Folders…');
      await pickNothingElse('change-folders');
      await conversation.frame.locator('.header').getByText('1 more folder').waitFor({ state: 'detached' });
      await reads(conversation, 'Outside the folders of this session');
      await runCommands('acpHost.endSession');
      await noneLeft('scripted-agent.mjs roomy');

      await runCommands('workbench.action.closeActiveEditor');
      await startCommand('acpHost.newSession');
      await rowOf('one').waitFor();
      assert.match(await rowOf('one').innerText(), /\+ two/, 'what was chosen is remembered');
      await window.pickRow('two');
      await window.panel();
      await reads(new Conversation(window), 'read: "two"');
      assert.equal(await conversation.frame.locator('.header').getByText('more folder').count(), 0);
      await runCommands('acpHost.endSession');
      await noneLeft('scripted-agent.mjs roomy');
    });

    it('a command runs on a pipe without the native part of node-pty, and its card says so', async () => {
      await open({ 'acpHost.agents': agents, 'acpHost.askBeforeCommands': { Runner: 'never' } });
      await startCommand('acpHost.newSession');
      await window.pickRow('Runner');
      await window.pickRow('two');
      await window.panel();
      const conversation = new Conversation(window);
      await conversation.prompt('Run it');
      await conversation.says(/terminal: exit 0 ".*6 x 7 = 42/);
      await conversation.turnEnd();
      const card = conversation.toolCall('Compute');
      assert.ok(await shows(card, /6 x 7 = 42/), 'the output is not in the card');
      assert.match(await card.innerText(), /no tty/);
      assert.match(await card.innerText(), /Using a pipe/);
      await window.screenshot('failures/no-pty');
    });
  });
});
