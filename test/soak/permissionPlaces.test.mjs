// A permission request is shown in one place at a time, and Escape stops no turn while a request is pending.
import assert from 'node:assert/strict';
import { appears, until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { openWorkspace, startCommand } from '../e2e/stage.mjs';

const ask = (toolCallId, title, more = {}) => ({
  permission: { toolCall: { toolCallId, title, kind: 'execute', rawInput: { command: `make ${toolCallId}` } }, ...more },
});

describe('the place of a permission request', function () {
  this.timeout(180_000);
  let window;
  let conversation;

  const open = async (settings = {}) => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': { Asker: scripted() }, ...settings } }));
    await window.openFile('src/calc.js');
    conversation = await newSession(window, 'Asker');
  };
  // Work that one test left running must not fail the next.
  beforeEach(async () => {
    if (!conversation) return;
    if (await window.quickInputOpen()) await window.page.keyboard.press('Escape');
    if (await conversation.stopButton.isVisible()) await conversation.stopButton.click();
    await conversation.turnEnd();
  });

  const widget = () => window.page.locator('.quick-input-widget:visible');
  const card = (title) => conversation.toolCall(title);
  const group = (title) => conversation.permission(title);
  const waits = (title) => card(title).getByText('Needs approval').isVisible();
  const hasFocus = (title) =>
    group(title)
      .first()
      .evaluate((element) => element === element.ownerDocument.activeElement, undefined, { timeout: 1000 })
      .catch(() => false);
  const escape = () => window.page.keyboard.press('Escape');

  before(() => open());

  it('is the card while the user is in the session', async () => {
    await conversation.prompt(script(ask('card', 'In the session')));
    await card('In the session').getByText('Needs approval').waitFor();
    assert.equal(await appears(widget(), 4000), false, 'a quick pick came');
    await escape();
    await until('the request to have the focus', () => hasFocus('In the session'));
    await wait(700);
    await window.screenshot('permissions/card-keys');
    await window.page.keyboard.press('1');
    await conversation.says('permission: selected allow');
    await conversation.turnEnd();
  });

  it('is the card from the start when it comes while the user is idle in the session', async () => {
    await conversation.composer.click();
    await conversation.prompt(script({ sleep: 2500 }, ask('idle', 'While idle')));
    assert.equal(await appears(widget(), 7000), false, 'a quick pick came');
    assert.ok(await waits('While idle'));
    await conversation.answer('While idle', 'Allow');
    await conversation.turnEnd();
  });

  it('is the quick pick while the user is in an editor, and moves to the card with the focus', async () => {
    await conversation.prompt(script({ sleep: 2500 }, ask('move', 'From the editor')));
    await window.editor().locator('.view-line').first().click();
    await card('From the editor').getByText('Needs approval').waitFor({ state: 'attached' });
    await window.page.keyboard.press('ArrowDown');
    await until('the quick pick', async () => (await widget().isVisible()) && (await widget().innerText()).includes('From the editor'));
    await conversation.composer.click();
    await widget().waitFor({ state: 'hidden' });
    assert.equal(await appears(widget(), 3000), false, 'the pick came back');
    assert.ok(await waits('From the editor'), 'it was answered');
    await conversation.answer('From the editor', 'Reject');
    await conversation.says('permission: selected reject');
    await conversation.turnEnd();
  });

  it('is the quick pick wherever the user opens it, and Escape there leaves the request on its card', async () => {
    await conversation.prompt(script(ask('asked', 'Asked for')));
    await card('Asked for').getByText('Needs approval').waitFor();
    await startCommand('acpHost.answerPermission');
    await until('the quick pick', async () => (await widget().isVisible()) && (await widget().innerText()).includes('Asked for'));
    await escape();
    await widget().waitFor({ state: 'hidden' });
    assert.ok(await waits('Asked for'));
    assert.ok(await conversation.stopButton.isVisible());
    await conversation.answer('Asked for', 'Allow');
    await conversation.turnEnd();
  });

  it('asks before a second Escape stops the turn, where no option rejects once', async () => {
    const options = [{ optionId: 'y', name: 'Go on', kind: 'allow_once' }];
    await conversation.prompt(script(ask('only', 'Only to allow', { options })));
    await card('Only to allow').getByText('Needs approval').waitFor();
    const dialog = window.page.locator('.monaco-dialog-box');
    for (const answer of ['Cancel', 'Stop']) {
      await conversation.composer.click();
      await escape();
      await until('the request to have the focus', () => hasFocus('Only to allow'));
      await wait(700);
      await escape();
      await dialog.getByText('Stop Asker?').waitFor();
      assert.ok(await waits('Only to allow'));
      await dialog.getByRole('button', { name: answer, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    }
    await conversation.turnEnd();
  });

  for (const present of ['auto', 'both', 'quickPick', 'card']) {
    it(`keeps the turn at an Escape, whenever it comes, with ${present}`, async () => {
      await open({ 'acpHost.permissions.present': present });
      for (const ms of [300, 800, 1500, 2500, 4000]) {
        const title = `After ${ms} ms`;
        await conversation.prompt(script(ask(`t${ms}`, title)));
        await card(title).getByText('Needs approval').waitFor();
        await wait(ms);
        const hadPick = await window.quickInputOpen();
        await escape();
        await wait(200);
        assert.ok(await waits(title), `${title}: the request is gone`);
        assert.ok(await conversation.stopButton.isVisible(), `${title}: the turn was stopped`);
        // The key may have reached the quick pick that opened in this moment.
        if (!(await hasFocus(title))) {
          assert.ok(hadPick || present === 'both' || present === 'quickPick', `${title}: the focus is elsewhere`);
          await widget().waitFor({ state: 'hidden' });
          await conversation.composer.click();
          await escape();
        }
        await until('the request to have the focus', () => hasFocus(title));
        // A quick pick that opens now would take the second key.
        await wait(2500);
        assert.equal(await window.quickInputOpen(), false, `${title}: a pick came over the card`);
        await escape();
        await conversation.says(
          new RegExp(`permission: selected reject(?:[^]*permission: selected reject){${[300, 800, 1500, 2500, 4000].indexOf(ms)}}`),
        );
        await conversation.turnEnd();
      }
    });
  }
});
