// The user's rules and the permission modes with each agent named in ACP_HOST_REAL_AGENTS, in the packed extension.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseOption } from '../harness/lib/configOptions.mjs';
import { appears, until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { agents } from './agents.mjs';
import { patiently } from './answers.mjs';
import { inScript } from './llm/script.mjs';
import { keepJournal, leaveEvidence, openWithAgent } from './stage.mjs';

const message = 'Ask me before you push, in a sentence with seven words.';

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',').filter((each) => agents[each].asks !== false)) {
  describe(`the permissions of ${name}`, () => {
    let stage;
    let conversation;

    before(async () => {
      stage = await openWithAgent(name, {
        // A notification about a forwarded port would cover the Send button.
        settings: () => ({ 'acpHost.permissions.present': 'card', 'remote.autoForwardPorts': false }),
        // The window is a remote one, whose rules are those of the machine.
        machineSettings: {
          'acpHost.permissions.rules': [
            { effect: 'allow', command: 'touch *' },
            { effect: 'deny', command: 'git push *', message },
          ],
        },
      });
      Object.assign(stage.scripts, scriptsOf(name, stage.folder));
      conversation = await patiently(() => newSession(stage.window, name));
      const isStarting = () => conversation.frame.getByText(`Starting ${name}…`).isVisible();
      const isReady = async () => (await conversation.composer.getAttribute('placeholder')).includes(name) && !(await isStarting());
      await until('the agent to be ready', isReady, { timeoutMs: 90_000 });
      await confirmRules(stage.window);
      if (agents[name].first) await chooseOption(conversation.frame, ...agents[name].first);
    });

    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-permissions-${this.currentTest.title}`);
    });

    after(() => keepJournal(`${name}-permissions`));

    const cards = () => conversation.permission().filter({ has: conversation.frame.locator('.options') });

    /** Sends a prompt, and ends with the turn. No card may appear meanwhile. */
    const unasked = async (script) => {
      const before = stage.asked.length;
      await conversation.prompt(`Please work. ${inScript(script)}`, { timeoutMs: 90_000 });
      for (const deadline = Date.now() + 90_000; !(await conversation.send.isVisible()); await wait(50)) {
        assert.equal(await cards().count(), 0, 'a card appeared');
        assert.ok(Date.now() < deadline, 'the turn did not end');
      }
      await conversation.turnEnd();
      return stage.asked.slice(before).map(({ text }) => text);
    };
    const mode = async (choice) => {
      await chooseOption(conversation.frame, 'Permission mode', choice);
      const button = conversation.frame.getByRole('combobox', { name: 'Permission mode' });
      await until(choice, async () => (await button.innerText()).trim() === choice);
    };
    /** The details of the newest tool call, expanded. */
    const newest = async () => {
      const call = conversation.log.getByRole('article').last();
      const fold = call.locator('.tool-header[aria-expanded="false"]').first();
      if (await appears(fold, 1000)) await fold.click();
      return call;
    };

    it('a rule allows a command, and its tool call names the rule', async () => {
      await unasked('touched');
      await conversation.says('It is touched.');
      assert.ok(existsSync(join(stage.folder, 'made.txt')));
      const call = await newest();
      await call.getByText('Allowed by rule: Allow `touch *`').first().waitFor();
      await stage.picture('rule-allows');
    });

    it('a rule denies a command, and the model reads its message', async () => {
      const requests = await unasked('pushed');
      const call = await newest();
      await call.getByText('Denied by rule: Deny `git push *`').first().waitFor();
      await stage.picture('rule-denies');
      const inTurn = requests.slice(1).map((text) => text.includes(message));
      const [next] = await unasked('after');
      console.log(`      with the message: ${JSON.stringify(inTurn)} in the turn, ${next.includes(message)} in the next one`);
      assert.ok(inTurn.includes(true) || next.includes(message), 'the model never read the message');
    });

    it('the link on the tool call selects the rule in the view', async () => {
      const call = conversation.log.getByRole('article').last();
      await call.getByRole('button', { name: 'Show Rule' }).click();
      const { page } = stage.window;
      await page.locator('.sidebar .monaco-list-row.selected', { hasText: 'Deny `git push *`' }).waitFor();
      await page.locator('.sidebar .monaco-list-row', { hasText: 'git push origin main' }).first().waitFor();
      await stage.picture('rules-view');
    });

    it('Accept edits accepts an edit in the folder', async () => {
      await mode('Accept edits');
      await unasked('edited');
      assert.match(readFileSync(join(stage.folder, 'src', 'calc.js'), 'utf8'), /a \+ b/);
      const call = await newest();
      await call.getByText('Allowed by the permission mode: Accept edits').first().waitFor();
      await stage.picture('accept-edits');
    });

    it('Plan only lets neither an edit nor a command through', async () => {
      await mode('Plan only');
      await unasked('acting');
      assert.equal(existsSync(join(stage.folder, 'written.txt')), false, 'a file was written');
      assert.equal(existsSync(join(stage.folder, 'printed.txt')), false, 'a command has run');
      await stage.picture('plan-only');
      await mode('Ask');
    });

    it('Allow everything is asked for by typing a word, and allows both', async () => {
      await chooseOption(conversation.frame, 'Permission mode', 'Allow everything');
      const input = stage.window.page.locator('.quick-input-widget:visible input');
      await input.waitFor();
      await stage.picture('allow-everything-word');
      await input.fill('everything');
      await stage.window.page.keyboard.press('Enter');
      await conversation.frame.locator('.header-mode').waitFor();
      await unasked('acting');
      await until('both files', () => ['written.txt', 'printed.txt'].every((file) => existsSync(join(stage.folder, file))));
      const call = await newest();
      await call.getByText('Allowed by the permission mode: Allow everything').first().waitFor();
      await stage.picture('allow-everything');
      await unasked('pushed');
      await (await newest()).getByText('Denied by rule: Deny `git push *`').first().waitFor();
    });
  });
}

/** The model's answers. Codex asks about a command only outside of its own sandbox, and calls it from a small program. */
function scriptsOf(name, folder) {
  const escalated = { sandbox_permissions: 'require_escalated', justification: 'The command needs it.' };
  const program = (cmd) => `text(await tools.exec_command(${JSON.stringify({ cmd, ...escalated })}))`;
  const shell = (command) =>
    name === 'codex-acp' ? { kind: 'exec', args: { input: program(command) } } : { kind: 'shell', args: { command } };
  const edit = { kind: 'edit', args: { path: join(folder, 'src', 'calc.js'), old: 'return a - b;', new: 'return a + b;' } };
  return {
    touched: [{ text: 'I touch a file.', tools: [shell(`touch ${join(folder, 'made.txt')}`)] }, { text: 'It is touched.' }],
    pushed: [{ text: 'I push.', tools: [shell('git push origin main')] }, { text: 'Very well.' }],
    after: [{ text: 'I go on.' }],
    edited: [
      { text: 'I read it.', tools: [{ kind: 'read', args: { path: join(folder, 'src', 'calc.js') } }] },
      { text: 'I fix it.', tools: [edit] },
      { text: 'It is fixed.' },
    ],
    acting: [
      { text: 'I write.', tools: [{ kind: 'write', args: { path: join(folder, 'written.txt'), content: 'written\n' } }] },
      { text: 'I print.', tools: [shell(`printf done > ${join(folder, 'printed.txt')}`)] },
      { text: 'That was it.' },
    ],
  };
}

/** Confirms every rule of the machine, as the user would. */
async function confirmRules(window) {
  await window.notification("These permission rules aren't in force");
  await window.page.locator('.statusbar-item[id="status.notifications"]').click();
  await window.pressButton(/Confirm Rules/);
  const widget = window.page.locator('.quick-input-widget:visible');
  await widget.locator('.quick-input-list .monaco-list-row', { hasText: 'touch' }).first().click();
  await window.page.keyboard.press('Enter');
  await widget.waitFor({ state: 'hidden' });
  // Reads and then hides the list, which covers the Send button.
  await window.notifications();
}
