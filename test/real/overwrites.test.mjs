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

    it('loses no line without a way back', async () => {
      const file = join(stage.folder, 'src', 'list.txt');
      const stored = () => readFileSync(file, 'utf8');
      const mine = 'line 12 by me';
      writeFileSync(file, list());
      await conversation.prompt(`Change the list. ${inScript('list')}`, { timeoutMs: 90_000 });
      let hasAsked = false;
      await answerAll(conversation, allow, async (card) => {
        if (!hasAsked && (await card.innerText()).includes('list.txt')) {
          hasAsked = true;
          await wait(500);
          writeFileSync(file, list({ 12: mine }));
          await card.getByText('list.txt has changed since').waitFor({ timeout: 10_000 });
          await stage.picture('overwrites-card');
        }
      });
      assert.ok(hasAsked);
      const putBack = conversation.log.getByRole('button', { name: 'Put Lines Back' }).first();
      if (!stored().includes(mine)) {
        await putBack.waitFor();
        await stage.picture('overwrites-notice');
        await putBack.click();
        await until('the line', () => stored().includes(mine));
      }
      assert.equal(await appears(putBack, 1500), false);
      assert.ok(stored().includes('line 30 by the agent'));
    });
  });
}
