// A line that is saved while a request of each agent named in ACP_HOST_REAL_AGENTS waits: it is kept, or the conversation puts it back.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseOption } from '../harness/lib/configOptions.mjs';
import { appears, until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { agents } from './agents.mjs';
import { allow, answerAll, patiently } from './answers.mjs';
import { inScript } from './llm/script.mjs';
import { leaveEvidence, openWithAgent } from './stage.mjs';

const number = (index) => String(index).padStart(2, '0');
const list = (changed = {}) => Array.from({ length: 40 }, (_, index) => `  ${changed[index] ?? `line ${number(index)} same`}\n`).join('');

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',')) {
  describe(`${name}, while its file is saved`, function () {
    let stage;
    let conversation;
    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-overwrites`);
    });
    before(async () => {
      stage = await openWithAgent(name);
      conversation = await patiently(() => newSession(stage.window, name));
      const { first, writes = first } = agents[name];
      if (writes) {
        await until('the agent to be ready', async () => !(await conversation.frame.getByText(`Starting ${name}…`).isVisible()));
        await chooseOption(conversation.frame, ...writes);
      }
    });
    after(() => stage.window.command('ACP: End Session'));

    /** The file is saved with a line of the user's while the first request about it waits. */
    async function saveMeanwhile(script, name, save) {
      const file = join(stage.folder, 'src', name);
      const stored = () => readFileSync(file, 'utf8');
      await conversation.prompt(`Change it. ${inScript(script)}`, { timeoutMs: 90_000 });
      let hasAsked = false;
      await answerAll(conversation, allow, async (card) => {
        if (!hasAsked && (await card.innerText()).includes(name)) {
          hasAsked = true;
          await wait(500);
          await save(file);
          await until('the saved line', () => stored().includes('by me'));
          await card.getByText(`${name} has changed since`).waitFor({ timeout: 10_000 });
          await stage.picture(`overwrites-${script}-card`);
        }
      });
      assert.ok(hasAsked);
      const putBack = conversation.log.getByRole('button', { name: 'Put Lines Back' }).first();
      if (!stored().includes('by me')) {
        await putBack.waitFor();
        await stage.picture(`overwrites-${script}-notice`);
        await putBack.click();
        await until('the line', () => stored().includes('by me'));
      }
      assert.equal(await appears(putBack, 1500), false);
      return stored();
    }

    it('loses no line without a way back', async () => {
      writeFileSync(join(stage.folder, 'src', 'list.txt'), list());
      const text = await saveMeanwhile('list', 'list.txt', (file) => writeFileSync(file, list({ 12: 'line 12 by me' })));
      assert.ok(text.includes('line 30 by the agent'));
    });

    it('marks only its own line in an open file', async () => {
      const { window } = stage;
      const text = await saveMeanwhile('fix', 'calc.js', async () => {
        await window.openFile('src/calc.js');
        await window.page.locator('.part.editor .view-lines').first().click();
        await window.page.keyboard.press('Control+End');
        await window.page.keyboard.insertText('// by me');
        await window.page.keyboard.press('Control+s');
        await window.page.locator('.part.editor .tabs-container .tab').first().click();
      });
      assert.ok(text.includes('return a + b;'));
      await window.openFile('src/calc.js');
      const lenses = window.page.locator('.part.editor .codelens-decoration:visible').filter({ hasText: 'Undo' });
      await until('one change', async () => (await lenses.count()) === 1, { timeoutMs: 20_000 });
      await stage.picture('overwrites-marks');
    });
  });
}
