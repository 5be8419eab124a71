// The features of the message box, with every agent named in ACP_HOST_REAL_AGENTS whose models we know. The model chosen in its row is
// used, a picture reaches the model, and a mentioned file is sent with the editor's text. All assertions read the requests to the scripted
// model.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, crc32 } from 'node:zlib';
import { until } from '../harness/lib/driver.mjs';
import { chooseOption, chosenOption } from '../harness/lib/configOptions.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { inScript } from './llm/script.mjs';
import { leaveEvidence, openWithAgent } from './stage.mjs';

/** A model to choose: its label in the row, and its name in the agent's requests. */
const models = {
  claude: ['Sonnet 5.5', /sonnet/],
  opencode: ['Scripted/Scripted Model 2', /^scripted-model-2$/],
  'codex-acp': ['6.1 Sol', /6\.1-sol/],
};
/** The time in ms after which the view drops a choice that the agent did not confirm. */
const CONFIRMED_MS = 4500;
const UNSAVED = 'nobody has saved this 4711';

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',').filter((each) => models[each])) {
  describe(`the message box with ${name}`, () => {
    const [choice, model] = models[name];
    let stage;
    let conversation;
    let greetings = 0;

    before(async () => {
      stage = await openWithAgent(name);
      conversation = await newSession(stage.window, name);
      await conversation.frame.getByRole('combobox', { name: 'Model', exact: true }).waitFor({ timeout: 60_000 });
    });
    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-${this.currentTest.title}`);
    });

    /** Sends the text in the box and returns the requests to the model, as JSON. */
    const sent = async (marker) => {
      const before = stage.asked.length;
      await conversation.composer.press('Enter');
      greetings++;
      await until(
        'the answer',
        async () => (await conversation.log.innerText()).split('Hello again, still here.').length === greetings + 1,
        { timeoutMs: 90_000 },
      );
      await conversation.turnEnd();
      const requests = stage.asked
        .slice(before)
        .filter(({ text }) => text.includes(marker))
        .map(({ text }) => JSON.parse(text));
      // Requests for titles offer no tools.
      return requests.filter(({ tools, input }) => tools?.length > 0 || Array.isArray(input));
    };

    it('uses the model that is chosen in the row, and the agent confirms it', async () => {
      await conversation.composer.fill(`The first model. ${inScript('hello')}`);
      const before = await sent('The first model.');
      assert.ok(before.length > 0);
      for (const request of before) assert.doesNotMatch(request.model, model);
      await chooseOption(conversation.frame, 'Model', choice);
      await wait(CONFIRMED_MS);
      assert.equal(await chosenOption(conversation.frame, 'Model'), choice);
      await conversation.composer.fill(`The other model. ${inScript('hello')}`);
      const after = await sent('The other model.');
      assert.ok(after.length > 0);
      for (const request of after) assert.match(request.model, model);
    });

    it('sends a picture to the model', async () => {
      const picture = png().toString('base64');
      await conversation.composer.fill(`Look at the picture. ${inScript('hello')}`);
      await conversation.composer.evaluate((box, data) => {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
        box.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
      }, picture);
      await conversation.frame.getByRole('list', { name: 'Attachments' }).getByRole('listitem').first().waitFor();
      await stage.picture('picture');
      const requests = await sent('Look at the picture.');
      assert.ok(
        requests.some((request) => JSON.stringify(request).includes(picture)),
        `no request has it: ${requests.map((request) => JSON.stringify(request).slice(-2000))}`,
      );
    });

    it('sends the editor’s text of a mentioned file, not the text on disk', async () => {
      const { window, folder } = stage;
      await window.openFile('src/calc.js');
      await window.typeInEditor(`\n// ${UNSAVED}\n`);
      // The session's tab is the other one.
      await window.page.locator('.part.editor .tabs-container').getByRole('tab').first().click();
      await conversation.composer.fill(`Mind the last line. ${inScript('hello')} `);
      await conversation.composer.press('End');
      await window.page.keyboard.type('@calc.js');
      await conversation.frame.getByRole('option', { name: 'calc.js' }).first().waitFor();
      await until('the chip', async () => {
        await window.page.keyboard.press('Enter');
        return (await conversation.frame.getByRole('button', { name: 'Remove calc.js' }).count()) > 0;
      });
      await stage.picture('mention');
      const requests = await sent('Mind the last line.');
      assert.ok(requests.length > 0 && requests.every((request) => JSON.stringify(request).includes(UNSAVED)));
      assert.ok(!readFileSync(join(folder, 'src', 'calc.js'), 'utf8').includes(UNSAVED));
    });
  });
}

/** A picture of 8 × 8, red. */
function png() {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0]);
  const rows = Buffer.concat(Array.from({ length: 8 }, () => Buffer.from([0, ...Array.from({ length: 8 }, () => [200, 30, 30]).flat()])));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
