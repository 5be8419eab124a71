import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { AuthMethod } from '../../src/core/model/content';
import type { EventInput } from '../../src/core/model/event';
import { type View, eachInItsOwnView, keepPicture, root } from './support/view';
import { initialized as initializedOf, NO_CAPABILITIES } from '../support/events';

const METHODS: readonly AuthMethod[] = [
  { methodId: 'browser', name: 'Browser', type: 'agent', description: 'Opens the sign-in page' },
  { methodId: 'login', name: 'Log in', type: 'terminal', args: ['login'] },
  { methodId: 'old', name: 'Old way', type: 'terminal', command: '/opt/other', args: ['\u202elogin'] },
  {
    methodId: 'key',
    name: 'API key',
    type: 'env_var',
    link: 'https://example.com/keys',
    vars: [
      { name: 'A_KEY', secret: true, optional: false },
      { name: 'A_PLACE', label: 'Place', secret: false, optional: true },
    ],
  },
  { methodId: 'new', name: ' ', type: 'carrier-pigeon' },
];
const REQUIRED: EventInput = {
  type: 'sign_in',
  status: 'required',
  failure: { code: 'auth.required', detail: 'Your token has <b>expired</b>' },
};

describe('sign-in in the view', function () {
  this.timeout(30_000);
  let view: View;

  eachInItsOwnView(
    (opened) => (view = opened),
    (opened) => opened.tame(),
  );

  const opened: EventInput = { type: 'session_opened', agentName: 'Demo Agent', cwd: '/home/ada/sample' };
  const initialized = (logout = false, authMethods = METHODS) =>
    initializedOf({
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      authMethods,
      offers: { ...NO_CAPABILITIES, logout },
    });
  const ready: EventInput = { type: 'session_ready', sessionId: 's1' };
  const card = () => view.page.getByRole('group', { name: 'Sign in to Demo Agent', exact: true });
  const button = (name: string) => card().getByRole('button', { name, exact: true });
  const menuButton = () => view.page.getByRole('button', { name: 'Demo Agent', exact: true });
  const menu = () => view.page.getByRole('menu', { name: 'Demo Agent' });
  const focused = () => view.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
  const heard = (words: string) =>
    view.page.waitForFunction((wanted) => document.querySelector('[role=status]')!.textContent!.includes(wanted), words);
  const picture = async (name: string): Promise<void> => {
    const folder = path.join(root, 'test-results', 'sign-in');
    mkdirSync(folder, { recursive: true });
    await view.painted();
    await keepPicture(view.page, path.join(folder, `${name}.png`));
  };

  it('shows the reason, and each method with its effect, in place of the start page', async () => {
    await view.happen(opened, { type: 'start_progress', command: 'agent' });
    await view.page.getByText('Starting Demo Agent…').waitFor();
    await view.happen(initialized(), REQUIRED);
    await card().waitFor();
    assert.equal(await view.page.getByText('Starting Demo Agent…').count(), 0);
    await heard('Demo Agent requires you to sign in.');
    const said = await card().innerText();
    for (const words of [
      'Demo Agent requires you to sign in.',
      'Your token has <b>expired</b>',
      'Opens the sign-in page',
      'Opens a terminal.',
      '/opt/other ⟨U+202E⟩login',
      'Asks for: A_KEY; Place (A_PLACE), optional',
    ]) {
      assert.ok(said.includes(words), `“${words}” is missing in: ${said}`);
    }
    assert.equal(
      await button('Log in').evaluate((element) => document.getElementById(element.getAttribute('aria-describedby')!)!.textContent),
      'Opens a terminal.',
    );
    await picture('required');
    await button('Get a value').click();
    assert.deepEqual((await view.postedAtLeast('open_link'))[0], { type: 'open_link', href: 'https://example.com/keys' });
    await button('new').click();
    await button('API key').click();
    await button('Not Now').click();
    assert.deepEqual(await view.postedAtLeast('sign_in', 3), [
      { type: 'sign_in', methodId: 'new' },
      { type: 'sign_in', methodId: 'key' },
      { type: 'sign_in' },
    ]);
  });

  it('can be cancelled while it waits, shows the failure, and passes the focus on', async () => {
    await view.happen(opened, initialized(), REQUIRED);
    await button('Log in').focus();
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.postedAtLeast('sign_in'), [{ type: 'sign_in', methodId: 'login' }]);
    await view.happen({ type: 'sign_in', status: 'running', methodId: 'login' });
    await card().getByText('Waiting for sign-in…').waitFor();
    await card().getByText('Log in: continue in the terminal.').waitFor();
    assert.equal(await button('Log in').count(), 0);
    assert.equal(await focused(), 'Cancel');
    await picture('running');
    await view.page.keyboard.press('Space');
    assert.deepEqual((await view.postedAtLeast('sign_in', 2))[1], { type: 'sign_in' });
    await view.happen({
      type: 'sign_in',
      status: 'failed',
      methodId: 'login',
      failure: { code: 'auth.program_failed', params: { exitCode: 3 } },
    });
    await card().getByText('Exit code: 3.', { exact: false }).waitFor();
    await heard('Sign-in failed.');
    assert.equal(await focused(), 'Browser');
    await picture('failed');
    await view.happen({ type: 'sign_in', status: 'signed_in', methodId: 'login' }, ready);
    await card().waitFor({ state: 'hidden' });
    await heard('Signed in');
    assert.equal(await focused(), 'Message');
  });

  it('keeps a waiting turn open: Stop, and a note about the message', async () => {
    await view.happen(
      opened,
      initialized(),
      ready,
      { type: 'turn_started', turnId: 't' },
      { type: 'message', role: 'user', messageId: 't', content: [{ type: 'text', text: 'Fix it' }] },
      REQUIRED,
    );
    await card().getByText('Your message will be sent afterwards.').waitFor();
    await view.page.locator('.activity', { hasText: 'Waiting for sign-in…' }).waitFor();
    await view.page.getByRole('textbox', { name: 'Message' }).fill('and this');
    await view.page.keyboard.press('Enter');
    await view.postedAtLeast('prompt');
    await view.happen({ type: 'message_queued', queueId: 'q', content: [{ type: 'text', text: 'and this' }], size: 8 });
    await view.page.getByText('Queued until you sign in').waitFor();
    await picture('turn');
    await view.page.getByRole('button', { name: 'Stop', exact: true }).click();
    await view.postedAtLeast('cancel');
    await view.happen(
      { type: 'turn_cancelling' },
      { type: 'sign_in', status: 'dismissed', failure: { code: 'auth.required' } },
      { type: 'turn_ended', turnId: 't', stopReason: 'cancelled' },
    );
    await card().waitFor({ state: 'hidden' });
  });

  it('shows few of many methods at first, and fits into a narrow window', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      methodId: `m${index}`,
      name: `Way ${index} ${'long '.repeat(30)}`,
      type: 'agent',
      description: 'word '.repeat(200),
    }));
    await view.page.setViewportSize({ width: 320, height: 640 });
    await view.happen(opened, initialized(false, many), { ...REQUIRED, failure: { code: 'auth.required', detail: 'x'.repeat(4000) } });
    await button('Not Now').waitFor();
    assert.equal(await card().locator('.sign-in-method').count(), 20);
    const wide = await view.page.evaluate(
      () =>
        document.documentElement.scrollWidth > document.documentElement.clientWidth ||
        document.querySelector('.sign-in')!.scrollWidth > document.querySelector('.sign-in')!.clientWidth,
    );
    assert.ok(!wide, 'something is cut off');
    assert.ok(await view.page.getByRole('textbox', { name: 'Message' }).isVisible());
    await picture('narrow');
    await button('Show all 300').click();
    assert.equal(await card().locator('.sign-in-method').count(), 300);
  });

  it('is absent when no request needs it', async () => {
    await view.happen(opened, initialized(), ready);
    await view.happen({ type: 'sign_in', status: 'signed_in' });
    await view.painted();
    assert.equal(await card().count(), 0);
    await view.happen(REQUIRED, { type: 'disconnected', failure: { code: 'agent.exited' } });
    await view.painted();
    assert.equal(await card().count(), 0);
  });

  describe('the agent’s menu', () => {
    it('works by keyboard', async () => {
      await view.happen(opened, initialized(true), ready);
      await menuButton().focus();
      await view.page.keyboard.press('ArrowDown');
      await menu().waitFor();
      assert.equal(await menuButton().getAttribute('aria-expanded'), 'true');
      assert.equal(await focused(), 'Sign In: Browser');
      await picture('menu');
      await view.page.keyboard.press('ArrowUp');
      assert.equal(await focused(), 'Open Settings');
      await view.page.keyboard.press('Home');
      await view.page.keyboard.press('ArrowDown');
      assert.equal(await focused(), 'Sign In: Log in');
      await view.page.keyboard.press('o');
      assert.equal(await focused(), 'Open Settings');
      await view.page.keyboard.press('Escape');
      await menu().waitFor({ state: 'detached' });
      assert.equal(await focused(), 'Demo Agent');
      await view.page.keyboard.press('Enter');
      await menu().waitFor();
      await view.page.keyboard.press('Enter');
      await menu().waitFor({ state: 'detached' });
      assert.deepEqual(await view.postedAtLeast('sign_in'), [{ type: 'sign_in', methodId: 'browser' }]);
      await view.page.keyboard.press('ArrowUp');
      await view.page.keyboard.press('Tab');
      await menu().waitFor({ state: 'detached' });
    });

    it('shows the sign-in status, and the actions for it', async () => {
      const items = async (status = ''): Promise<string[]> => {
        await menuButton().click();
        await menu().waitFor();
        const shown = view.page.locator('.menu-status');
        assert.equal(await shown.innerText(), ['Protocol 1', status].filter((text) => text !== '').join(' · '));
        const names = await menu()
          .getByRole('menuitem')
          .evaluateAll((all) => all.map((item) => item.getAttribute('aria-label')!));
        await view.page.getByRole('textbox', { name: 'Message' }).click();
        await menu().waitFor({ state: 'detached' });
        return names;
      };
      const signIns = ['Sign In: Browser', 'Sign In: Log in', 'Sign In: Old way', 'Sign In: API key', 'Sign In: new'];
      const rest = ['About This Agent', 'Show Log', 'Open Settings'];
      const another = 'New Session with Another Agent…';
      const running = [another, 'Presets…', 'MCP Servers…', 'Restart Agent', ...rest];
      await view.happen(opened, initialized(true), ready);
      assert.deepEqual(await items(), [...signIns, 'Sign Out', 'Clear Saved Credentials', ...running]);
      await view.happen({ type: 'sign_in', status: 'running', methodId: 'browser' });
      assert.deepEqual(await items('Waiting for sign-in…'), ['Cancel Sign-In', ...running]);
      await view.happen(REQUIRED);
      assert.deepEqual(await items('Sign-in required'), [...signIns, 'Clear Saved Credentials', ...running]);
      await view.happen({ type: 'sign_in', status: 'signed_in' });
      assert.ok((await items('Signed in')).includes('Sign Out'));
      await view.happen({ type: 'sign_in', status: 'signed_out' });
      await items('Signed out');
      await view.happen({ type: 'session_ended' });
      assert.deepEqual(await items('Signed out'), [another, ...rest]);
      await menuButton().click();
      await menu().getByRole('menuitem', { name: 'Show Log' }).click();
      assert.deepEqual((await view.postedAtLeast('action'))[0], { type: 'action', action: 'show_log' });
    });

    it('keeps the name readable beside a title and a folder', async () => {
      await view.page.setViewportSize({ width: 320, height: 640 });
      await view.happen({ ...opened, agentName: 'An agent whose name is rather long' } as EventInput, initialized(true), ready, {
        type: 'session_info',
        title: 'A title that is long as well, as most of them are',
      });
      await view.send({ type: 'page', folderName: 'a-folder-with-a-long-name', multiRoot: false });
      await view.painted();
      const cut = await view.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
      assert.ok(!cut);
      await view.page.getByRole('button', { name: 'An agent whose name is rather long' }).click();
      await view.page.getByRole('menu').waitFor();
      await picture('menu-narrow');
    });
  });
});
