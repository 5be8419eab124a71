import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseOption, chosenOption } from '../harness/lib/configOptions.mjs';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession, shows } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { exactly } from '../harness/lib/see.mjs';
import { settingsFile } from '../harness/lib/vscode.mjs';
import { openWorkspace, startCommand, theStage } from './stage.mjs';

describe('the demo agent', () => {
  /** The window with the demo agent's tour. */
  let toured;

  it('reads unsaved text, plans, edits with permission and runs a command @minimum', async () => {
    const { window, folder } = await openWorkspace();
    const file = join(folder, 'src', 'calc.js');
    const before = readFileSync(file, 'utf8');
    await window.openFile('src/calc.js');
    await window.typeInEditor('// typed and not saved\n');
    assert.equal(await window.isDirty('calc.js'), true);
    assert.equal(readFileSync(file, 'utf8'), before);

    await window.command('ACP: New Session');
    const rows = await window.quickPickRows();
    const row = (name) => window.page.locator(quickRows).filter({ has: window.page.locator('.label-name', { hasText: exactly(name) }) });
    assert.ok(rows.includes('Demo Agent') && rows.includes('Claude Code'), rows.join());
    await row('Demo Agent').getByText('Try it without an account (works offline)').waitFor();
    await row('Claude Code')
      .getByText(/^npx --yes /)
      .waitFor();
    assert.ok((await window.page.locator(`${quickRows} .quick-input-list-icon:visible`).count()) >= 2, 'the rows have icons');
    assert.ok((await window.page.locator(`${quickRows} .quick-input-list-separator`).allInnerTexts()).includes('Popular'));
    await window.screenshot('first/agents');
    await window.page.keyboard.press('Escape');

    const conversation = await newSession(window, 'Demo');
    const growth = conversation.watchGrowth();
    await conversation.starter('Find a bug in calc.js').waitFor();
    await window.screenshot('first/starters');
    await conversation.begin('Show me what you can do');
    await conversation.says('Show me what you can do');

    await conversation.permission('Fix add').first().waitFor();
    assert.equal(readFileSync(file, 'utf8'), before, 'nothing may be written before the answer');
    assert.ok(await shows(conversation.toolCall('Fix add'), /return a - b;[\s\S]*return a \+ b;/), 'the card shows the diff');
    await conversation.answer('Fix add', 'Allow');
    await conversation.turnEnd();

    const lengths = await growth.stop();
    assert.ok(lengths.length >= 5, `the answer came in ${lengths.length} step(s): it did not stream`);
    await conversation.says('unsaved changes');
    assert.ok(await shows(conversation.toolCall('Read src/calc.js'), /typed and not saved/), 'the agent saw the unsaved text');
    const plan = await conversation.planEntries();
    assert.equal(plan.length, 4);
    assert.ok(plan[1].includes('Propose a small edit'), plan[1]);
    assert.match(await conversation.plan.innerText(), /4\/4/);
    assert.ok(await shows(conversation.toolCall('node --version'), /v\d+\.\d+\.\d+/), 'the card shows the terminal output');

    const expected = before.replace('a - b', 'a + b') + '// typed and not saved\n';
    await until('the edit to be saved', () => readFileSync(file, 'utf8') === expected);
    await window.showTab('calc.js');
    await until('the editor to show the edit', async () => (await window.editorText()).includes('return a + b;'));
    assert.equal(await window.isDirty('calc.js'), false);

    // The header of the session, and its way back from an empty session.
    await window.showTab('Show me what you can do');
    await conversation.frame.locator('.header').getByRole('button', { name: 'More Actions…', exact: true }).click();
    const focused = conversation.frame.locator('[role="menuitem"]:focus');
    assert.equal(await focused.innerText(), 'Find');
    assert.equal(await conversation.frame.getByRole('menuitem').last().innerText(), 'End Session');
    await window.page.keyboard.press('Escape');
    await conversation.frame.getByRole('button', { name: 'Session History', exact: true }).click();
    assert.equal((await window.quickPickRows())[0], 'Show me what you can do');
    await window.page.keyboard.press('Escape');
    toured = window;
  });

  // VS Code 1.100 may leave a page empty that it shows again on a busy machine, while it waits for its service worker.
  it('is opened again from the list of an empty session', async () => {
    const window = toured;
    await window.showTab('Show me what you can do');
    const conversation = new Conversation(window);
    const other = await window.frameName();
    await conversation.frame.getByRole('button', { name: 'New Session', exact: true }).click();
    await window.pickRow('Demo');
    await window.panel({ other });
    const next = new Conversation(window);
    await next.starter(/^Show me what you can do Demo Agent, /).click();
    // A hidden page is replaced by a new one when it is shown again.
    await new Conversation(window).says('That was the tour');
  });

  it('leaves the file alone when the edit is refused', async () => {
    const { dir } = await theStage();
    const { window, folder } = await openWorkspace();
    const file = join(folder, 'src', 'calc.js');
    const before = readFileSync(file, 'utf8');
    // The default is one of the existing agents; no question follows.
    await window.command('ACP: Select Default Agent…');
    await window.pickRow('Demo Agent');
    await until('the choice to be kept', () => readFileSync(settingsFile(dir), 'utf8').includes('"acpHost.defaultAgent": "Demo Agent"'));
    await window.command('ACP: New Session');
    await window.panel();
    const conversation = new Conversation(window);
    await conversation.prompt('/edit src/calc.js');
    await conversation.answer('Fix add', 'Reject');
    await conversation.turnEnd();
    await conversation.says('was not changed');
    assert.equal(readFileSync(file, 'utf8'), before);
    await startCommand('acpHost.selectDefaultAgent');
    await window.pickRow('Ask each time');
  });

  it('stops when asked to', async () => {
    const { window } = await openWorkspace();
    const conversation = await newSession(window, 'Demo');
    await conversation.prompt('/edit src/calc.js');
    await conversation.permission('Fix add').first().waitFor();
    await conversation.stopButton.click();
    await conversation.turnEnd({ timeoutMs: 10_000 });
    await until(
      'the card to close',
      async () => (await conversation.permission('Fix add').getByRole('button', { name: 'Allow', exact: true }).count()) === 0,
    );

    // The agent's options are lists. Slow motion leaves time for Escape, which stops the next turn.
    await chooseOption(conversation.frame, 'Thinking', 'Off');
    await chooseOption(conversation.frame, 'Model', 'Scripted guide, slow motion');
    await until(
      'the agent to have set them',
      async () => (await chosenOption(conversation.frame, 'Model')) === 'Scripted guide, slow motion',
    );
    assert.equal(await chosenOption(conversation.frame, 'Thinking'), 'Off');
    await conversation.prompt('/help');
    await conversation.stopButton.waitFor();
    await conversation.composer.press('Escape');
    await conversation.turnEnd({ timeoutMs: 10_000 });
    await until('the end of the turn', async () => (await conversation.log.getByText('Stopped', { exact: false }).count()) >= 2);

    // The sent messages come back, and Down restores the empty box.
    for (const [key, text] of [
      ['ArrowUp', '/help'],
      ['ArrowUp', '/edit src/calc.js'],
      ['ArrowDown', '/help'],
      ['ArrowDown', ''],
    ]) {
      await conversation.composer.press(key);
      assert.equal(await conversation.composer.inputValue(), text);
    }
  });

  it('receives files that are found by name', async () => {
    const { window } = await theStage();
    const conversation = new Conversation(window);
    const attach = () => conversation.frame.getByRole('button', { name: 'Attach files', exact: true }).click();
    const chip = (name) => conversation.frame.getByRole('button', { name: `Remove ${name}`, exact: true });
    await attach();
    assert.match((await window.quickPickRows())[0], /Browse…$/);
    await window.page.keyboard.type('calc.js');
    const rows = window.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'calc.js' }).first().waitFor();
    await window.screenshot('attach-files');
    await window.page.keyboard.press('Enter');
    await chip('calc.js').waitFor();
    // Several files, by their checkboxes.
    await attach();
    for (const name of ['README.md', 'package.json']) {
      const row = rows.filter({ hasText: name }).first();
      await row.waitFor();
      await row.click();
    }
    await window.page.keyboard.press('Enter');
    await chip('package.json').waitFor();
    await chip('README.md').waitFor();
    // The file dialog is one row further.
    await attach();
    await window.pickRow(/Browse…$/);
    await window.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: 'Attach Files' }).waitFor();
    await until('the dialog', async () => (await rows.filter({ hasText: 'Browse…' }).count()) === 0);
    await window.page.keyboard.press('Escape');
  });

  it('has a page that shows its pictures, and a walkthrough', async () => {
    const { window } = await theStage();
    if (window.folder === undefined) await openWorkspace();
    const { page } = window;
    await window.command('Extensions: Show Installed Extensions');
    await page.locator('.extensions-viewlet .extension-list-item', { hasText: 'ACP Host' }).first().dblclick();
    await page.locator('.extension-editor .name', { hasText: 'ACP Host' }).waitFor();
    const readme = window.frame();
    await readme.getByRole('heading', { name: 'First session' }).waitFor();
    const images = await readme.locator('img, video').evaluateAll((all) => all.map(({ src, naturalWidth }) => ({ src, naturalWidth })));
    assert.deepEqual(
      images.filter(({ naturalWidth }) => !(naturalWidth > 0)),
      [],
      'broken pictures',
    );
    const cards = readme.locator('blockquote');
    assert.equal(await cards.count(), 2);
    assert.deepEqual(await cards.nth(0).locator('kbd').allInnerTexts(), ['✓ Allow', '✓ Always allow', '✗ Reject']);
    assert.match(await cards.nth(0).locator('pre').innerText(), /^- {2}return a - b;\n\+ {2}return a \+ b;$/m);
    assert.equal(await cards.nth(1).locator('input:checked').count(), 4);
    const dead = await readme
      .locator('a:not(#scroll-to-top)')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? link.textContent));
    assert.deepEqual(
      dead.filter((href) => !/^(https:|#)/.test(href)),
      [],
      'links that lead nowhere',
    );
    await window.screenshot('extension-page/top');
    await cards.nth(1).scrollIntoViewIfNeeded();
    await window.screenshot('extension-page/second');

    await window.command('Welcome: Open Walkthrough...');
    await window.pickRow(/^ACP Host/);
    for (const step of ['Start a session', 'Decide what agents can do']) {
      await page.locator('.gettingStartedContainer .step-title', { hasText: step }).first().click();
      const picture = page.locator('.gettingStartedContainer .getting-started-media img');
      await until(`the picture of "${step}"`, async () => (await picture.evaluate(({ naturalWidth }) => naturalWidth)) > 0);
      await window.screenshot(`extension-page/${step}`);
    }
  });
});
