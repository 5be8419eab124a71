// Signing in at an agent, by each type of method: the card, the terminal, the input boxes, the agent's menu, the commands. Pictures go to
// test-results/sign-in/.
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { tempDir } from '../harness/lib/temp.mjs';
import { noneLeft, script, scripted } from './agents.mjs';
import { clearWindow, openWorkspace, opens, runCommands } from './stage.mjs';

const agentCapabilities = { promptCapabilities: {}, sessionCapabilities: { close: {}, resume: {} }, auth: { logout: {} } };
const browser = { id: 'browser', name: 'Browser', description: 'Opens the sign-in page' };
const login = { id: 'login', name: 'Log in', description: 'Asks for a code', type: 'terminal', args: ['--login'] };
const key = {
  id: 'key',
  name: 'API key',
  type: 'env_var',
  link: 'https://example.com/keys',
  vars: [
    { name: 'SCRIPTED_KEY', label: 'Key' },
    { name: 'SCRIPTED_PLACE', label: 'Place', secret: false, optional: true },
  ],
};

describe('signing in', () => {
  const dir = tempDir('sign-in');
  const file = (name) => join(dir, name);
  // The form that agents used before methods of type `terminal` existed: a program of its own, which the user has not configured.
  const older = {
    id: 'older',
    name: 'Older way',
    _meta: {
      'terminal-auth': {
        command: 'env',
        args: ['MARK=1', process.execPath, '-e', `require('node:fs').writeFileSync(${JSON.stringify(file('older'))}, 'yes')`],
        label: 'Older',
      },
    },
  };
  const agents = {
    Terminal: scripted(
      {
        account: { needed: ['session/new'], file: file('terminal') },
        keeps: true,
        initialize: { authMethods: [login, browser], agentCapabilities },
      },
      'sign-in-terminal',
    ),
    Own: scripted(
      { account: { needed: ['session/prompt'] }, keeps: true, initialize: { authMethods: [browser], agentCapabilities } },
      'sign-in-own',
    ),
    Values: scripted(
      { account: { needed: ['session/new'], variable: 'SCRIPTED_KEY' }, initialize: { authMethods: [key], agentCapabilities } },
      'sign-in-values',
    ),
    Older: scripted(
      { account: { needed: ['session/new'], file: file('older') }, initialize: { authMethods: [older], agentCapabilities } },
      'sign-in-older',
    ),
    Slow: scripted({ authenticate: [{ waitCancel: true }], initialize: { authMethods: [browser], agentCapabilities } }, 'sign-in-slow'),
  };
  let window;

  const open = async () => {
    // No user is signed in, whatever the earlier tests did.
    for (const name of ['terminal', 'older']) rmSync(file(name), { force: true });
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } }));
  };
  opens(open);
  beforeEach(clearWindow);

  const card = ({ frame }, agent) => frame.getByRole('group', { name: `Sign in to ${agent}`, exact: true });
  const button = (place, name) => place.getByRole('button', { name, exact: true });
  const menuItem = async ({ frame }, agent, name) => {
    await button(frame, agent).click();
    return frame.getByRole('menu').getByRole('menuitem', { name, exact: true });
  };
  const works = async (conversation, words) => {
    await conversation.prompt(script({ chunks: [words, ' it works'] }));
    await conversation.says(`${words} it works`);
    await conversation.turnEnd();
  };
  const terminals = () => window.page.locator('.terminal-wrapper:visible');
  /** Types into the terminal once its program runs. */
  async function typeInTerminal(text) {
    await terminals().first().waitFor();
    // The terminal of an ended program has an answer after the question.
    await until('the program to ask', async () => /The code, please:\s*$/.test(await terminals().first().innerText()));
    await until('the terminal to have the focus', () =>
      window.page.evaluate(() => document.activeElement?.closest('.terminal-wrapper') != null),
    );
    await window.page.keyboard.type(text);
    await window.page.keyboard.press('Enter');
  }

  it('runs the agent’s own program in a terminal, and continues when it has finished', async () => {
    const conversation = await newSession(window, 'Terminal');
    await card(conversation, 'Terminal').waitFor();
    await window.screenshot('sign-in/terminal-asked');
    await button(card(conversation, 'Terminal'), 'Log in').click();
    await card(conversation, 'Terminal').getByText('Waiting for sign-in…').waitFor();
    await typeInTerminal('nonsense');
    await card(conversation, 'Terminal').getByText('Exit code: 3.', { exact: false }).waitFor();
    await window.screenshot('sign-in/terminal-failed');
    assert.equal(await terminals().count(), 1, 'what the program said can still be read');
    await button(card(conversation, 'Terminal'), 'Log in').click();
    await window.screenshot('sign-in/terminal-running');
    await typeInTerminal('please');
    await card(conversation, 'Terminal').waitFor({ state: 'hidden' });
    assert.ok(existsSync(file('terminal')));
    await works(conversation, 'signed in:');
    await window.screenshot('sign-in/terminal-done');
    await runCommands('workbench.action.terminal.killAll');
  });

  it('is cancelled with Cancel, which closes the terminal', async () => {
    const conversation = await newSession(window, 'Terminal');
    await works(conversation, 'known already:');
    await (await menuItem(conversation, 'Terminal', 'Sign In: Log in')).click();
    await card(conversation, 'Terminal').getByText('Waiting for sign-in…').waitFor();
    await until('the terminal', async () => (await terminals().count()) === 1);
    await button(card(conversation, 'Terminal'), 'Cancel').click();
    await card(conversation, 'Terminal').waitFor({ state: 'hidden' });
    await until('no terminal', async () => (await terminals().count()) === 0);
    // The agent itself has this text in its setup.
    await noneLeft('} --login');
    await works(conversation, 'still:');
  });

  it('keeps the message that needed it, and sends it afterwards; signing out asks again', async () => {
    const conversation = await newSession(window, 'Own');
    const first = script({ chunks: ['I can ', 'answer now'] });
    await conversation.prompt(first);
    await card(conversation, 'Own').getByText('Your message will be sent afterwards.').waitFor();
    assert.ok(await conversation.stopButton.isVisible());
    await window.screenshot('sign-in/own-asked');
    await button(card(conversation, 'Own'), 'Browser').click();
    await conversation.says('I can answer now');
    await conversation.turnEnd();
    await window.screenshot('sign-in/own-done');
    const item = await menuItem(conversation, 'Own', 'Sign Out');
    await conversation.frame.getByText('Signed in', { exact: true }).first().waitFor();
    await window.screenshot('sign-in/menu');
    await item.click();
    await conversation.prompt(script({ chunks: ['never ', 'said'] }));
    await card(conversation, 'Own').waitFor();
    await conversation.stopButton.click();
    await card(conversation, 'Own').waitFor({ state: 'hidden' });
    await until('the text to be back', async () => (await conversation.composer.inputValue()) !== '');
    await window.command('ACP: Sign In…');
    await window.pickRow('Browser');
    // VS Code returns the focus to the page, which puts it into the composer; a menu that was opened before would close.
    await until('the focus to be back', () =>
      conversation.composer.evaluate((box) => box === document.activeElement && document.hasFocus()),
    );
    await (await menuItem(conversation, 'Own', 'Sign Out')).waitFor();
    await window.page.keyboard.press('Escape');
    await conversation.composer.fill('');
    await works(conversation, 'once more:');
  });

  it('asks for values in boxes, stores them for the next time and forgets them on request', async () => {
    const conversation = await newSession(window, 'Values');
    await button(card(conversation, 'Values'), 'API key').click();
    const input = window.page.locator('.quick-input-widget:visible input');
    await input.waitFor();
    assert.equal(await input.getAttribute('type'), 'password');
    await window.screenshot('sign-in/values-asked');
    await input.fill('sesame-open-4711');
    await window.page.keyboard.press('Enter');
    await until('the second box', async () => (await input.getAttribute('type')) !== 'password');
    await window.page.keyboard.press('Enter');
    await card(conversation, 'Values').waitFor({ state: 'hidden' });
    await works(conversation, 'with a key:');
    assert.ok(!(await conversation.frame.locator('body').innerText()).includes('sesame'));
    await runCommands('acpHost.endSession');
    const again = await newSession(window, 'Values');
    await button(card(again, 'Values'), 'API key').click();
    await card(again, 'Values').waitFor({ state: 'hidden' });
    assert.equal(await window.quickInputOpen(), false, 'what is kept is not asked for');
    await works(again, 'still with it:');
    await (await menuItem(again, 'Values', 'Clear Saved Credentials')).click();
    await window.notification('Cleared saved credentials');
  });

  it('runs a program outside the settings only when the user has read and confirmed it', async () => {
    const conversation = await newSession(window, 'Older');
    await button(card(conversation, 'Older'), 'Older way').click();
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    const asked = await dialog.innerText();
    for (const words of ['Older wants to run this', 'env MARK=1', 'writeFileSync', file('older')])
      assert.ok(asked.includes(words), `“${words}” is missing in: ${asked}`);
    await window.screenshot('sign-in/older-asked');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await button(card(conversation, 'Older'), 'Older way').waitFor();
    assert.equal(existsSync(file('older')), false);
    await button(card(conversation, 'Older'), 'Older way').click();
    await dialog.waitFor();
    await window.pressButton('Run in Terminal');
    await card(conversation, 'Older').waitFor({ state: 'hidden' });
    await works(conversation, 'the older way:');
  });

  it('can be stopped when the agent never answers', async () => {
    const conversation = await newSession(window, 'Slow');
    await button(card(conversation, 'Slow'), 'Browser').click();
    await button(card(conversation, 'Slow'), 'Cancel').click();
    await button(card(conversation, 'Slow'), 'Browser').waitFor();
    await button(card(conversation, 'Slow'), 'Not Now').click();
    await conversation.frame.getByRole('group', { name: 'Not signed in', exact: true }).waitFor();
    await window.screenshot('sign-in/not-now');
  });
});
