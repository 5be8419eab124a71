// The message box in the real window: each of its popups by keyboard alone, announced, with the focus restored. The messages to the agent
// are read on its wire. Pictures go to test-results/composer/.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { chooseMenuItem } from '../harness/lib/see.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { chosenOption } from '../harness/lib/configOptions.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { script } from '../e2e/agents.mjs';
import { changeSettings, clearWindow, opens, openWorkspace, theStage } from '../e2e/stage.mjs';
import { MessageBox } from './messageBox.mjs';
import { recorded } from './recorded.mjs';

const options = (...names) => names.map((name) => ({ value: name.toLowerCase().replaceAll(' ', '-'), name }));
const configOptions = [
  { id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: 'ask', options: options('Ask', 'Plan', 'Code') },
  {
    id: 'model',
    name: 'Model',
    category: 'model',
    type: 'select',
    currentValue: 'model-1',
    options: options(...Array.from({ length: 14 }, (_, index) => `Model ${index + 1}`)),
  },
];
const commands = [
  { name: 'plan', description: 'Makes a plan' },
  { name: 'review', description: 'Reviews', input: { hint: 'what to look at' } },
  { name: 'compress', description: 'Makes room' },
];
const full = recorded(
  {
    initialize: {
      agentCapabilities: { promptCapabilities: { image: true, embeddedContext: true }, sessionCapabilities: { resume: {}, close: {} } },
      _meta: { steering: { supported: true } },
    },
    new: { configOptions },
    afterNew: [{ commands }, { usage: { used: 150_000, size: 200_000, cost: { amount: 0.42, currency: 'USD' } } }],
    script: [{ say: 'Done.' }],
    keeps: true,
  },
  'composer-full',
);
const models = ['Small', 'Medium', 'Large'].map((name) => ({ modelId: name.toLowerCase(), name }));
const legacy = recorded(
  { new: { models: { currentModelId: 'small', availableModels: models } }, script: [{ say: 'Done.' }] },
  'composer-legacy',
);
const settings = { 'acpHost.agents': { Full: full.entry, Legacy: legacy.entry }, 'acpHost.defaultAgent': 'Full' };

describe('the message box', () => {
  let window;
  let neighbour;
  let conversation;
  let box;
  const outside = join(tempDir('outside'), 'notes.md');

  opens(async () => {
    ({ window } = await openWorkspace({ userSettings: settings, prepare: versioned }));
    ({ neighbour } = await theStage());
    await begin();
  });

  /** A repository with a change, with instruction files for agents, with secrets, and with links that lead outside. */
  function versioned(workspace) {
    const git = (...args) => execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: workspace });
    const write = (name, text) => {
      mkdirSync(join(workspace, name, '..'), { recursive: true });
      writeFileSync(join(workspace, name), text);
    };
    write('.gitignore', 'node_modules/\n');
    write('.github/prompts/review.prompt.md', 'Review it well\n');
    write('AGENTS.md', '# Rules\n');
    write('node_modules/lib/index.js', 'library\n');
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'First thing');
    appendFileSync(join(workspace, 'src', 'calc.js'), '// changed\n');
    write('broken.json', '{ "a": 1,, }\n');
    write('deploy/.env', 'TOKEN=4711\n');
    write('deploy/id_rsa', 'PRIVATE 4712\n');
    writeFileSync(outside, 'from outside 4713\n');
    symlinkSync(outside, join(workspace, 'deploy', 'linked.md'));
    return workspace;
  }

  /** Opens a new session in an otherwise empty window, with either agent. */
  async function begin(agent = 'Full') {
    await clearWindow();
    await changeSettings({ ...settings, 'acpHost.defaultAgent': agent });
    conversation = await newSession(window);
    box = new MessageBox(window, conversation);
    await box.listen();
    await frame().getByRole('combobox', { name: 'Model' }).waitFor({ timeout: 30_000 });
    await conversation.composer.focus();
  }
  const picture = (name) => window.screenshot(`composer/${name}`);
  /** The prompts that the agent received. */
  const prompts = (agent = full) =>
    agent
      .wire()
      .filter(({ to, message }) => to === 'agent' && message.method === 'session/prompt')
      .map(({ message }) => message.params.prompt);
  /** Sends by Enter and returns the blocks that the agent received. */
  const sent = async () => {
    const before = prompts().length;
    await box.press('Enter');
    await until('it to be sent', () => prompts().length > before);
    await conversation.turnEnd();
    return prompts().at(-1);
  };
  const frame = () => conversation.frame;
  /** Moves the active file beside the session, which gets the focus back. */
  const backToSession = async () => {
    await neighbour.commands('workbench.action.moveEditorToNextGroup');
    await window.page.locator('.part.editor .tabs-container').getByRole('tab').first().click();
    await window.panel();
    await box.listen();
    await conversation.composer.focus();
  };
  const runInTerminal = async (line) => {
    await neighbour.commands('workbench.action.terminal.new');
    const terminal = window.page.locator('.terminal-wrapper.active .xterm-screen').first();
    await terminal.click();
    await box.type(`${line}\n`);
    await neighbour.commands('workbench.action.closePanel');
    await conversation.composer.focus();
    await box.focusIsOn('Message');
  };

  it('mentions everything by keyboard alone, and sends it in place @minimum', async () => {
    await window.openFile('broken.json');
    await window.openFile('src/calc.js');
    await window.editor().locator('.view-line').first().click();
    await box.press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await backToSession();
    await box.type('All');
    await box.type(' @');
    await frame().getByRole('listbox', { name: 'Add to the message' }).waitFor();
    await box.hears(/^\d+ suggestions$/);
    await picture('mention-list');
    await box.press('Escape');
    await frame().getByRole('option').first().waitFor({ state: 'detached' });
    await box.focusIsOn('Message');
    await box.press('Backspace', 'Backspace');
    // VS Code reports no output before it has read that the command began.
    await runInTerminal('sleep 1; echo hello-$((6*7))');
    await box.mention('calc.j', /^calc\.js/, 'calc.js');
    await box.mention('', /^Selection/, 'calc.js:1-2');
    await box.mention('src', /^src\//, 'src/');
    await box.mention('node_modules/lib/ind', /^index\.js/, 'index.js');
    await box.mention('problems:', /^Problems/, 'problems');
    await box.mention('changes:calc', /^calc\.js/, 'changes:calc.js');
    await box.mention('commit:First', /^First thing/, 'commit');
    await box.mention('prompt:review', /^review\.prompt\.md/, 'review.prompt.md');
    await box.mention('https://example.com/x', /example\.com/, 'https://example.com/x');
    await until('the command of the terminal', async () => {
      await box.type(' @terminal:');
      const isThere = await frame()
        .getByRole('option')
        .filter({ hasText: 'sleep 1' })
        .first()
        .waitFor({ timeout: 3000 })
        .then(
          () => true,
          () => false,
        );
      if (!isThere) for (let count = 0; count < 11; count++) await box.press('Backspace');
      return isThere;
    });
    await box.choose(/^sleep 1/);
    await until('its chip', async () => (await box.chips()).some((name) => name.startsWith('Terminal: sleep 1')));
    await picture('mention-chips');
    const blocks = (await sent()).filter(({ text }) => text === undefined || text.trim() !== '');
    const has = (...parts) =>
      assert.ok(
        blocks.some((block) => parts.every((part) => JSON.stringify(block).includes(part))),
        `${parts} in ${JSON.stringify(blocks)}`,
      );
    has('/src/calc.js"', 'Sum of two amounts');
    has('/src/calc.js#L1-2"', 'export function add');
    has('/src/"', 'calc.js');
    has('/node_modules/lib/index.js', 'library');
    has('broken.json', 'diagnostics');
    has('changes.diff', '// changed');
    has('commit-', 'First thing');
    has('review.prompt.md', 'Review it well');
    has('"resource_link"', 'https://example.com/x');
    has('terminal-sleep-1', 'hello-42');
    assert.equal(blocks.length, 11, JSON.stringify(blocks));
    assert.deepEqual(blocks[0], { type: 'text', text: 'All ' });
    await box.focusIsOn('Message');
  });

  it('opens and removes chips by keyboard', async () => {
    // The window has no other editor, to which the focus would move when the chip's editor closes.
    await begin();
    await box.type('See');
    await box.mention('calc.j', /^calc\.js/, 'calc.js');
    await box.reach('calc.js', 'Shift+Tab');
    await box.press('Delete');
    await box.hears(/^Removed calc\.js$/);
    await box.focusIsOn('Message');
    assert.equal((await box.text()).trim(), 'See');
    await box.mention('prompt:AGENTS', /^AGENTS\.md/, 'AGENTS.md');
    await box.reach('AGENTS.md', 'Shift+Tab');
    await box.press('Enter');
    await window.tab('AGENTS.md').waitFor();
    // The user sees the editor before closing it: VS Code has focused it by then.
    await window.page.locator('.monaco-editor.focused').first().waitFor();
    await neighbour.commands('workbench.action.closeActiveEditor');
    await box.focusIsOn('AGENTS.md');
    await box.empty();
    await window.openFile('package.json');
    await backToSession();
    await box.type('See');
    await box.mention('symbol:version', /^version/, 'version');
    const [, symbol] = await sent();
    assert.match(symbol.resource.uri, /\/package\.json#L\d/);
    assert.match(symbol.resource.text, /"version"/);
    // Mention an earlier session of this folder.
    await begin();
    await box.mention('session:See', /^See/, 'See');
    const said = (await sent()).at(-1);
    assert.ok(said.resource.mimeType === 'text/markdown' && said.resource.text.includes('Done.'), JSON.stringify(said));
  });

  it('asks before it sends a file that leads out of the folder, or may be secret', async () => {
    const dialog = window.page.locator('.monaco-dialog-box');
    for (const [typed, row, chip, named, text] of [
      ['deploy/linked', /^linked\.md/, 'linked.md', 'notes.md', 'from outside 4713'],
      ['deploy/.env', /^\.env/, '.env', '.env', 'TOKEN=4711'],
      ['deploy/id_', /^id_rsa/, 'id_rsa', 'id_rsa', 'PRIVATE 4712'],
      ['changes:', /^All changes/, 'changes', '.env', '+TOKEN=4711'],
    ]) {
      await begin();
      const before = prompts().length;
      await box.type('Look at');
      await box.mention(typed, row, chip);
      const written = await box.text();
      await box.press('Enter');
      await dialog.waitFor();
      assert.match(await dialog.innerText(), new RegExp(`Attach these files\\?[^]*/${named.replace('.', '\\.')}[^]*may contain secrets`));
      if (chip === 'linked.md') await picture('asked');
      await box.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await until('the message to be back', async () => (await box.text()).trim() === written.trim());
      await box.focusIsOn('Message');
      assert.ok((await box.chips()).length > 0);
      assert.equal(prompts().length, before);
      await box.press('End', 'Enter');
      await dialog.waitFor();
      await box.press('Enter');
      await until('it to be sent', () => prompts().length > before);
      const told = JSON.stringify(prompts().at(-1));
      assert.ok(told.includes(text), told);
      if (chip === 'changes') assert.ok(!told.includes('from outside 4713'));
      await box.focusIsOn('Message');
      await conversation.turnEnd();
    }
  });

  it('asks also about a link that the Explorer adds', async () => {
    await begin();
    const before = prompts().length;
    const row = (name) => window.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
    await row('deploy').click();
    await row('linked.md').click({ button: 'right' });
    await chooseMenuItem(window.page.locator('.monaco-menu').getByRole('menuitem', { name: /^Add to ACP Session/ }));
    await until('the chip', async () => (await box.chips()).includes('linked.md'));
    await box.focusIsOn('Message');
    await box.type('hello');
    await box.press('Enter');
    await window.page.locator('.monaco-dialog-box').waitFor();
    await box.press('Escape');
    await until('the message to be back', async () => (await box.text()).includes('hello'));
    assert.equal(prompts().length, before);
  });

  it('has slash commands, with their argument hints, last used first, and built-in ones', async () => {
    await begin();
    await box.type('/');
    await frame().getByRole('listbox', { name: 'Commands' }).waitFor();
    await box.hears(/^\d suggestions$/);
    const names = () => frame().locator('.suggestion-name').allInnerTexts();
    assert.deepEqual(await names(), ['/plan', '/review', '/compress', '/new', '/compact']);
    await picture('commands');
    await box.press('Escape');
    await box.focusIsOn('Message');
    await box.press('Backspace');
    await box.type('/rev');
    await box.press('Tab');
    await box.hears(/^what to look at$/);
    await picture('argument-hint');
    await box.type('the queue');
    assert.deepEqual(await sent(), [{ type: 'text', text: '/review the queue' }]);
    await box.type('/');
    await until('the one used last first', async () => (await names())[0] === '/review');
    assert.ok((await names()).includes('/export'));
    await box.type('export');
    await box.press('Enter');
    await until('what to export as', () => window.quickInputOpen());
    await box.press('Escape');
    await until('it to close', async () => !(await window.quickInputOpen()));
    await box.focusIsOn('Message');
    assert.equal(await box.text(), '');
    await box.type('/compact');
    assert.deepEqual(await sent(), [{ type: 'text', text: '/compress' }]);
    const old = await window.frameName();
    await box.type('/new');
    await box.press('Enter');
    await window.panel({ other: old });
  });

  it('cycles modes by a key, marks favorites, and starts the next session with the same options @minimum', async () => {
    await begin();
    await box.press('Control+Alt+.');
    await until('the next mode', async () => (await chosenOption(frame(), 'Mode')) === 'Plan');
    await box.hears(/Plan/);
    await box.focusIsOn('Message');
    await box.reach('Model');
    await box.press('Enter');
    await frame().getByRole('combobox', { name: 'Filter' }).waitFor();
    await box.type('model 12');
    await box.press('Control+d');
    await box.hears(/^Added to favorites$/);
    await frame().getByRole('group', { name: 'Favorites' }).waitFor();
    await picture('options');
    await box.press('Escape');
    await box.focusIsOn('Model');
    assert.equal(await chosenOption(frame(), 'Model'), 'Model 1');
    await box.press('Enter');
    await until('favorites first', async () => /^Model 12/.test((await box.rows())[0]));
    await box.press('Home', 'Enter');
    await box.focusIsOn('Model');
    await until('it to be set', async () => (await chosenOption(frame(), 'Model')) === 'Model 12');
    await begin();
    await until(
      'what was chosen',
      async () => (await chosenOption(frame(), 'Model')) === 'Model 12' && (await chosenOption(frame(), 'Mode')) === 'Plan',
    );
    const set = full
      .wire()
      .filter(({ message }) => message.method === 'session/set_config_option')
      .slice(-2);
    assert.deepEqual(set.map(({ message }) => message.params.value).toSorted(), ['model-12', 'plan']);
    // The agent's own changes are shown at once.
    const changed = configOptions.map((option) =>
      option.id === 'mode' ? { ...option, currentValue: 'code' } : { ...option, currentValue: 'model-3' },
    );
    await conversation.composer.fill(script({ config: changed }, { say: 'Changed.' }));
    await conversation.composer.focus();
    await sent();
    assert.deepEqual([await chosenOption(frame(), 'Mode'), await chosenOption(frame(), 'Model')], ['Code', 'Model 3']);
  });

  it('sets and remembers models of agents that use the old method', async () => {
    const set = () =>
      legacy
        .wire()
        .filter(({ message }) => message.method === 'session/set_model')
        .map(({ message }) => message.params.modelId);
    await begin('Legacy');
    await box.reach('Model');
    await box.press('Enter');
    await frame().getByRole('listbox', { name: 'Model' }).waitFor();
    await box.press('End', 'Enter');
    await box.focusIsOn('Model');
    await until('the agent to be told', () => set().at(-1) === 'large');
    await begin('Legacy');
    await until('the next session to begin with it', () => set().length === 2);
    assert.equal(await chosenOption(frame(), 'Model'), 'Large');
  });
});
