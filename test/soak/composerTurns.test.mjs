// The message box in the real window, around turns: the context meter, pasting and dragging, sizes, input methods, steering, editing and
// retrying. The tests use the keyboard alone where a keyboard can do it. Pictures go to test-results/composer/.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { script } from '../e2e/agents.mjs';
import { changeSettings, clearWindow, opens, openWorkspace, theStage } from '../e2e/stage.mjs';
import { MessageBox } from './messageBox.mjs';
import { recorded } from './recorded.mjs';

const agent = recorded(
  {
    initialize: {
      agentCapabilities: { promptCapabilities: { image: true, embeddedContext: true }, sessionCapabilities: { resume: {}, close: {} } },
      _meta: { steering: { supported: true } },
    },
    afterNew: [
      { commands: [{ name: 'compact', description: 'Makes room' }] },
      { usage: { used: 20_000, size: 200_000, cost: { amount: 0.42, currency: 'USD' } } },
    ],
    script: [{ say: 'Done.' }],
    keeps: true,
  },
  'turns',
);
const settings = { 'acpHost.agents': { Turner: agent.entry }, 'acpHost.defaultAgent': 'Turner' };

describe('the message box and turns', () => {
  let window;
  let folder;
  let neighbour;
  let conversation;
  let box;

  opens(async () => {
    ({ window, folder } = await openWorkspace({ userSettings: settings }));
    ({ neighbour } = await theStage());
    await begin();
  });

  async function begin() {
    await clearWindow();
    conversation = await newSession(window);
    box = new MessageBox(window, conversation);
    await box.listen();
    await meter().waitFor({ timeout: 30_000 });
    await conversation.composer.focus();
  }
  const frame = () => conversation.frame;
  const meter = () => frame().getByRole('button', { name: /^Context: / });
  const picture = (name) => window.screenshot(`composer/${name}`);
  const asked = (method) => agent.wire().filter(({ to, message }) => to === 'agent' && message.method === method);
  const prompts = () => asked('session/prompt').map(({ message }) => message.params.prompt);
  const sent = async (key = 'Enter') => {
    const before = prompts().length;
    await box.press(key);
    await until('it to be sent', () => prompts().length > before);
    await conversation.turnEnd();
    return prompts().at(-1);
  };
  /** A script is filled in at once: its @ is not a mention. */
  const run = async (...steps) => {
    await conversation.composer.fill(script(...steps));
    await conversation.composer.focus();
    await box.press('Enter');
  };

  it('shows the context usage by turn, and compacts @minimum', async () => {
    const levels = [];
    for (const used of [120_000, 160_000, 184_000, 196_000]) {
      const turn = prompts().length + 1;
      await run({ usage: { used, size: 200_000, cost: { amount: 0.42 + turn, currency: 'USD' } } }, { say: `Turn ${turn}.` });
      await conversation.says(`Turn ${turn}.`);
      await conversation.turnEnd();
      levels.push([await meter().getAttribute('aria-label'), (await meter().getAttribute('class')).replace('usage', '').trim()]);
    }
    assert.deepEqual(levels, [
      ['Context: 120K of 200K (60%), $1.42', ''],
      ['Context: 160K of 200K (80%), $2.42', 'usage-much'],
      ['Context: 184K of 200K (92%), $3.42', 'usage-high'],
      ['Context: 196K of 200K (98%), $4.42', 'usage-full'],
    ]);
    await box.reach('Context: ');
    await box.press('Enter');
    const usage = frame().getByRole('group', { name: 'Usage' });
    await usage.waitFor();
    await picture('meter');
    assert.match(await usage.innerText(), /196,000[^]*200,000[^]*\$4\.42[^]*almost full[^]*By Turn/i);
    const rows = (await usage.getByRole('row').allInnerTexts()).map((row) => row.split(/\s+/)).slice(1);
    assert.deepEqual(
      rows.map(([number, context]) => [number, context]),
      [
        ['4', '196K'],
        ['3', '184K'],
        ['2', '160K'],
        ['1', '120K'],
      ],
    );
    await box.press('Escape');
    await usage.waitFor({ state: 'detached' });
    await box.focusIsOn('Context: ');
    await box.press('Enter');
    await box.reach('Compact Conversation');
    const before = prompts().length;
    await box.press('Enter');
    await until('it to be sent', () => prompts().length > before);
    assert.deepEqual(prompts().at(-1), [{ type: 'text', text: '/compact' }]);
    await conversation.turnEnd();
    await box.focusIsOn('Context: ');
  });

  it('makes a chip of a long pasted text, which one undo reverts', async () => {
    await box.empty();
    const text = Array.from({ length: 60 }, (_, line) => `line ${line} of what was pasted`).join('\n');
    await window.page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
    await box.type('Sum up: ');
    await box.press('Control+v');
    await until('the chip', async () => (await box.text()) === 'Sum up: [Pasted text, 60 lines] ');
    await box.hears(/^Pasted text, 60 lines$/);
    await picture('pasted');
    await box.press('Control+z');
    await until('the text again', async () => (await box.text()) === `Sum up: ${text}`);
    assert.deepEqual(await box.chips(), []);
    await box.press('Control+z');
    await until('nothing of it', async () => (await box.text()) === 'Sum up: ');
    await box.press('Control+v');
    await until('the chip', async () => (await box.chips()).length === 1);
    await box.reach('Pasted text, 60 lines', 'Shift+Tab');
    await box.press('Enter');
    await until('what it holds', async () => (await window.editorText().catch(() => '')).includes('line 3 of what was pasted'));
    await neighbour.commands('workbench.action.closeActiveEditor');
    await box.focusIsOn('Pasted text, 60 lines');
    await conversation.composer.focus();
    await box.press('End');
    const [before, pasted] = await sent();
    assert.deepEqual([before.text, pasted.resource.text], ['Sum up: ', text]);
  });

  it('explains that other programs’ files need Shift, and takes the Explorer’s with Shift', async () => {
    await box.empty();
    const { mouse, keyboard } = window.page;
    const hint = frame().locator('.composer-hint');
    const to = await conversation.composer.boundingBox();
    const client = await window.page.context().newCDPSession(window.page);
    const data = { items: [], files: [join(folder, 'package.json')], dragOperationsMask: 1 };
    const drag = (type) => client.send('Input.dispatchDragEvent', { type, x: to.x + 40, y: to.y + 8, data });
    await drag('dragEnter');
    await drag('dragOver');
    await hint.getByText('Hold Shift to drop files here').waitFor();
    await picture('drag');
    await drag('dragCancel');
    await client.detach();
    // A page receives no event of a drag that begins in VS Code before Shift is held.
    const from = await window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'package.json' }).first().boundingBox();
    await mouse.move(from.x + 30, from.y + 8);
    await mouse.down();
    await mouse.move(from.x + 60, from.y + 20, { steps: 4 });
    await keyboard.down('Shift');
    await mouse.move(to.x + 40, to.y - 100, { steps: 6 });
    await mouse.move(to.x + 60, to.y + 10, { steps: 6 });
    await hint.getByText('Drop to attach').waitFor();
    await picture('drag-shift');
    await mouse.up();
    await keyboard.up('Shift');
    await until('the chip', async () => (await box.chips()).includes('package.json'));
    await conversation.composer.focus();
    await box.type('What is it?');
    assert.ok((await sent()).some((block) => JSON.stringify(block).includes('package.json')));
  });

  it('refuses with a notice what is too large, or not accepted by the agent', async () => {
    await box.empty();
    await box.pasteFiles({ name: 'huge.txt', type: 'text/plain', size: 300 * 1024 }, { name: 'small.png', type: 'image/png', size: 10 });
    const hint = frame().locator('.composer-hint');
    await hint.getByText(/^huge\.txt is too large: 3\S*B, at most 2\S*B$/).waitFor();
    await box.hears(/^huge\.txt is too large/);
    assert.deepEqual(await box.chips(), ['small.png']);
    await box.pasteFiles({ name: 'voice.mp3', type: 'audio/mpeg', size: 10 });
    await hint.getByText("The agent doesn't accept: voice.mp3").waitFor();
    await picture('refused');
    assert.deepEqual(await box.chips(), ['small.png']);
    await box.reach('Remove small.png', 'Shift+Tab');
    await box.press('Enter');
    await box.hears(/^Removed small\.png$/);
    await box.focusIsOn('Message');
  });

  it('sends nothing while an input method composes', async () => {
    await box.empty();
    const client = await window.page.context().newCDPSession(window.page);
    const before = prompts().length;
    await client.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    for (const key of ['Enter', 'Tab', 'Escape']) {
      await client.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: 229 });
      await client.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode: 229 });
    }
    assert.equal(await box.text(), 'にほん');
    await client.send('Input.insertText', { text: '日本' });
    assert.equal(await box.text(), '日本');
    assert.equal(prompts().length, before);
    assert.deepEqual(await sent(), [{ type: 'text', text: '日本' }]);
    await client.detach();
  });

  it('sends the user’s current editor only once that is switched on, and shows it', async () => {
    await window.openFile('src/calc.js');
    // The file is moved beside the session, where it is visible.
    await neighbour.commands('workbench.action.moveEditorToNextGroup');
    await window.page.locator('.part.editor .tabs-container').getByRole('tab').first().click();
    await box.listen();
    await conversation.composer.focus();
    await box.type('one');
    assert.equal((await sent()).length, 1);
    await box.press('Control+k', 'Control+Alt+f');
    await until('the chip', async () => (await box.chips()).some((name) => name === 'Active file: calc.js'));
    await picture('live');
    await box.focusIsOn('Message');
    await box.type('two');
    assert.ok((await sent()).some((block) => block.type === 'resource' && block.resource.uri.endsWith('/src/calc.js')));
    await box.reach('Stop sending the active file', 'Shift+Tab');
    await box.press('Enter');
    await box.hears(/^The active file is not sent$/);
    await until('no chip', async () => (await box.chips()).length === 0);
    await box.focusIsOn('Message');
    await box.type('three');
    assert.equal((await sent()).length, 1);
  });

  it('breaks the line with Shift+Enter, or with Enter where Ctrl+Enter sends, and grows', async () => {
    const height = async () => (await conversation.composer.boundingBox()).height;
    const low = await height();
    await box.type('one');
    await box.press('Shift+Enter', 'Shift+Enter', 'Shift+Enter');
    await box.type('two');
    await until('it to be higher', async () => (await height()) > 2 * low);
    assert.deepEqual(await sent(), [{ type: 'text', text: 'one\n\n\ntwo' }]);
    await until('it to be low', async () => (await height()) === low);
    await changeSettings({ ...settings, 'acpHost.composer.sendWith': 'ctrlEnter' });
    await conversation.composer.focus();
    await until('Enter to make a line', async () => {
      await box.empty();
      await box.type('a');
      await box.press('Enter');
      return (await box.text()) === 'a\n' || (await conversation.turnEnd(), false);
    });
    await box.type('b');
    assert.deepEqual(await sent('Control+Enter'), [{ type: 'text', text: 'a\nb' }]);
    await changeSettings(settings);
    await conversation.composer.focus();
  });

  it('steers and interrupts, each by its key, and labels both @minimum', async () => {
    await run({ say: 'Working.' }, { waitSteer: true }, { say: 'Looked.' });
    await conversation.says('Working.');
    await conversation.composer.focus();
    await box.type('look left');
    await box.reach('Send Options');
    await box.press('Enter');
    await frame().getByRole('menu').waitFor();
    const items = await frame().getByRole('menuitem').allInnerTexts();
    assert.match(items.join('\n'), /Steer[^]*Interrupt/);
    await picture('send-options');
    await box.press('Escape');
    await box.focusIsOn('Send Options');
    await conversation.composer.focus();
    const before = asked('_session/steering').length;
    await box.press('Control+Enter');
    await conversation.says('steered: look left');
    assert.equal(asked('_session/steering').length, before + 1);
    await conversation.says('Looked.');
    await conversation.turnEnd();
    await run({ say: 'Busy.' }, { waitCancel: true });
    await conversation.says('Busy.');
    await conversation.composer.focus();
    await box.type('stop that');
    const count = prompts().length;
    await box.press('Control+Shift+Enter');
    await until('it to be sent', () => prompts().length > count);
    assert.ok(asked('session/cancel').length > 0);
    assert.deepEqual(prompts().at(-1), [{ type: 'text', text: 'stop that' }]);
    await conversation.turnEnd();
    await box.focusIsOn('Message');
  });

  it('retries after a failure @minimum', async () => {
    const there = join(tempDir('again'), 'there');
    rmSync(there, { force: true });
    const steps = [{ shell: `test -e ${there}` }, { say: 'Second time lucky.' }];
    await run(...steps);
    const retry = frame().getByRole('log').getByRole('button', { name: 'Retry', exact: true });
    await retry.waitFor();
    assert.equal(await box.text(), '', 'Retry sends it: it is not in the box as well');
    await picture('failed');
    writeFileSync(there, '');
    await retry.focus();
    await box.press('Enter');
    await conversation.says('Second time lucky.');
    await conversation.turnEnd();
    assert.equal(await box.text(), '');
    await box.focusIsOn('Message');
    assert.equal(prompts().filter(([{ text }]) => text === script(...steps)).length, 2);
  });

  it('edits an earlier message, announces the consequence, and sends it in a new session @minimum', async () => {
    await begin();
    for (const text of ['first question', 'second question']) {
      await box.type(text);
      await sent();
    }
    await box.type('half a thought');
    const menu = frame().getByRole('button', { name: 'Message Actions…' });
    const edit = async () => {
      await box.press('Enter');
      await frame().getByRole('menuitem', { name: 'Edit and Resend' }).waitFor();
      await box.press('Enter');
    };
    await menu.nth(1).focus();
    await box.press('Enter');
    await frame().getByRole('menuitem', { name: 'Edit and Resend' }).waitFor();
    await box.press('Escape');
    await box.focusIsOn('Message Actions…');
    await edit();
    await box.hears(/Sending starts a new session with the conversation up to there\. Files stay as they are\./);
    await box.focusIsOn('Message');
    assert.equal(await box.text(), 'second question');
    await picture('edit');
    await box.press('Escape');
    await box.hears(/^Editing canceled$/);
    assert.equal(await box.text(), 'half a thought');
    await box.focusIsOn('Message');
    await menu.nth(1).focus();
    await edit();
    await box.focusIsOn('Message');
    await box.press('End');
    await box.type(', better');
    const [old, sessions, count] = [await window.frameName(), asked('session/new').length, prompts().length];
    await box.press('Enter');
    await window.panel({ other: old });
    await until('it to be sent in a new session', () => asked('session/new').length === sessions + 1 && prompts().length === count + 1);
    const seeded = JSON.stringify(prompts().at(-1));
    assert.match(seeded, /second question, better[^]*first question/);
    await conversation.says('second question, better');
    await picture('edited');
  });
});
