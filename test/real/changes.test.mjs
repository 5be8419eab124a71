// The review of direct writes to the disk by each agent named in ACP_HOST_REAL_AGENTS, change by change; and the report that its model
// receives.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseOption } from '../harness/lib/configOptions.mjs';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { agents } from './agents.mjs';
import { allow, answerAll, patiently } from './answers.mjs';
import { inScript } from './llm/script.mjs';
import { leaveEvidence, openWithAgent, processesOf } from './stage.mjs';

const number = (index) => String(index).padStart(2, '0');
const list = (changed = {}) => Array.from({ length: 40 }, (_, index) => `  ${changed[index] ?? `line ${number(index)} same`}\n`).join('');
const byAgent = { 3: 'line 03 by the agent', 20: 'line 20 by sed', 30: 'line 30 by the agent' };

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',')) {
  describe(`${name}, reviewed`, function () {
    let stage;
    let conversation;
    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-changes`);
    });

    const file = () => join(stage.folder, 'src', 'list.txt');
    const stored = () => readFileSync(file(), 'utf8');
    const storedIs = (text) =>
      until('list.txt on disk', () => stored() === text).catch((error) => assert.fail(`${error.message}\n${stored()}`));
    const lenses = () => stage.window.page.locator('.part.editor .codelens-decoration:visible').filter({ hasText: 'Undo' });
    const lensesAre = (count) =>
      until(`${count} changes in the editor`, async () => (await lenses().count()) === count, { timeoutMs: 20_000 });
    const nextChange = () => stage.window.command('ACP: Go to Next Change to Review');

    before(async () => {
      stage = await openWithAgent(name);
      writeFileSync(file(), list());
      const git = (...args) =>
        execFileSync('git', ['-c', 'user.name=User', '-c', 'user.email=user@example.com', ...args], { cwd: stage.folder });
      git('init', '-q');
      git('add', '-A');
      git('commit', '-q', '-m', 'first');
      conversation = await patiently(() => newSession(stage.window, name));
      const { first, writes = first } = agents[name];
      if (writes) {
        await until('the agent to be ready', async () => !(await conversation.frame.getByText(`Starting ${name}…`).isVisible()));
        await chooseOption(conversation.frame, ...writes);
      }
    });
    after(async () => {
      await stage.window.command('ACP: End Session');
      await until('its processes to end', () => processesOf(stage.home).length === 0, { timeoutMs: 15_000 });
    });

    it('each change can be undone without touching the others and the user’s typing', async () => {
      await conversation.prompt(`Change the list. ${inScript('list')}`, { timeoutMs: 90_000 });
      await answerAll(conversation, allow);
      await conversation.says('The list is changed.');
      assert.equal(stored(), list(byAgent));
      await stage.window.openFile('src/list.txt');
      await lensesAre(3);
      await stage.window.page.keyboard.press('Control+Home');
      await stage.window.page.keyboard.insertText('mine ');
      await nextChange();
      await stage.window.command('ACP: Undo Change');
      await lensesAre(2);
      await stage.picture('changes-undone');
      await stage.window.page.keyboard.press('Control+s');
      await storedIs(`mine ${list({ ...byAgent, 3: undefined })}`);
      await nextChange();
      await stage.window.command('ACP: Keep Change');
      await lensesAre(1);
      await nextChange();
      await stage.window.command('ACP: Undo Change');
      await lensesAre(0);
      await storedIs(`mine ${list({ 20: byAgent[20] })}`);
      await stage.window.openFile('made.txt');
      await stage.window.command('ACP: Undo Changes in File');
      await until('made.txt to be gone', () => !existsSync(join(stage.folder, 'made.txt')));
    });

    it('sends the undone changes to the model with the next prompt, and not with the one after', async () => {
      await stage.window.page.locator('.part.editor .tabs-container .tab').first().click();
      const before = stage.asked.length;
      await conversation.prompt(`What did I do? ${inScript('hello')}`);
      await conversation.says('Hello again, still here.', { timeoutMs: 60_000 });
      await conversation.turnEnd();
      const asked = () =>
        stage.asked
          .slice(before)
          .map(({ text }) => text)
          .filter((text) => text.includes('What did I do?'));
      const told = asked().at(0) ?? '';
      for (const words of [
        'The user undid 2 of your changes',
        '-  line 03 by the agent',
        '+  line 03 same',
        '-  line 30 by the agent',
        'The user undid the creation of this file',
      ]) {
        assert.ok(told.includes(words), `the model is told: ${words}`);
      }
      assert.ok(!told.includes('-  line 20 by sed'), 'what was kept is not told of');
      assert.ok(!told.includes('+mine'), 'what the user typed elsewhere is not told of');
    });
  });
}
