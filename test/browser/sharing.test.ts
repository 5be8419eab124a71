/** The page of a sharing, and the marks of other clients in a conversation. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { keepPicture, root, stopBrowser } from '../support/browser';
import { initialized, NO_CAPABILITIES } from '../support/events';
import { sharedState, UNSHARED } from '../support/sharePage';
import { AgentsView } from './support/agentsView';
import { brokenIn } from './support/axe';
import { themesOf } from './support/themesOf';
import { eachInItsOwnView, type View } from './support/view';

const THEMES = themesOf(['dark', 'light', 'hc', 'hc-light'], ['dark', 'light']);
const WIDTHS = [300, 600, 1200];

describe('the page of a sharing', function () {
  this.timeout(180_000);
  const folder = path.join(root, 'test-results', 'sharing');
  before(() => mkdir(folder, { recursive: true }));
  after(stopBrowser);

  for (const theme of THEMES) {
    it(`breaks no rule of accessibility in ${theme}`, async () => {
      const view = await AgentsView.open({ theme });
      try {
        for (const [name, state] of Object.entries({ unshared: UNSHARED, shared: sharedState(false), token: sharedState(true) })) {
          await view.send(state);
          await view.page.getByText(state.about).waitFor();
          for (const width of WIDTHS) {
            await view.page.setViewportSize({ width, height: 800 });
            await keepPicture(view.page, path.join(folder, `${name}-${theme}-${width}.png`));
            assert.deepEqual(await brokenIn(theme, view.asView), [], `${name} at ${width}`);
            const overflow = await view.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            assert.ok(overflow <= 0, `${name} at ${width} is ${overflow} pixels too wide`);
          }
        }
      } finally {
        await view.close();
      }
    });
  }

  it('has a button for each client, session and token, and the QR code as an image', async () => {
    const view = await AgentsView.open({ theme: 'dark' });
    try {
      await view.send(sharedState(true));
      const press = (name: string): Promise<void> => view.page.getByRole('button', { name, exact: true }).click();
      await view.page.getByRole('img', { name: /^QR code/ }).waitFor();
      assert.equal(await view.page.evaluate(() => document.activeElement?.textContent), 'Token');
      await press('Disconnect: Pixel');
      await press('Stop Sharing: Fix the date parser of the import');
      await press('Revoke: Read only');
      await press('Copy Token');
      await press('Hide Token');
      await press('Stop Sharing');
      const posted = (await view.posted('share')).map(({ message }) => message);
      assert.deepEqual(posted, [
        { action: 'disconnect', key: '1' },
        { action: 'stop_session', key: 'a' },
        { action: 'revoke', key: 'y' },
        { action: 'copy_token' },
        { action: 'hide_token' },
        { action: 'stop_sharing' },
      ]);
      await view.send(sharedState(false));
      await view.page.getByRole('img').waitFor({ state: 'detached' });
    } finally {
      await view.close();
    }
  });
});

describe('view: other clients of a shared session', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView((opened) => (view = opened));

  it('are counted in the header, whose button opens the page', async () => {
    await view.happen({ type: 'sharing', clients: 0 });
    await view.page.getByRole('button', { name: 'Shared', exact: true }).waitFor();
    await view.happen({ type: 'sharing', clients: 2 });
    await view.page.getByRole('button', { name: 'Shared: 2 clients' }).click();
    const [action] = await view.postedAtLeast('action');
    assert.deepEqual(action, { type: 'action', action: 'share_session' });
    await view.happen({ type: 'sharing' });
    await view.page.getByRole('button', { name: /^Shared/ }).waitFor({ state: 'detached' });
  });

  it('show the machine of an agent that runs elsewhere', async () => {
    await view.send({ type: 'page', folderName: 'sample', multiRoot: false, host: 'far.example:8443' });
    await view.page.locator('.header').getByText('On far.example:8443').waitFor();
    await view.send({ type: 'page', folderName: 'sample', multiRoot: false });
    await view.page.getByText('On far.example:8443').waitFor({ state: 'detached' });
  });

  it('may give read-only access, with which nothing can be written', async () => {
    const box = view.page.getByRole('textbox', { name: 'Message' });
    await view.happen(initialized({ offers: { ...NO_CAPABILITIES, load: true, readOnly: true } }));
    await view.page.getByPlaceholder('You have read-only access to this session.').waitFor();
    assert.equal(await box.getAttribute('readonly'), '');
    await view.page.getByRole('button', { name: 'Attach files' }).waitFor({ state: 'hidden' });
    await view.happen(initialized({ offers: { ...NO_CAPABILITIES, load: true } }));
    await view.page.getByRole('button', { name: 'Attach files' }).waitFor();
    assert.equal(await box.getAttribute('readonly'), null);
  });

  it('are named below a long message, which stays as wide as any other', async () => {
    const content = [{ type: 'text', text: 'A long message. '.repeat(40) }] as const;
    await view.happen(
      { type: 'message', role: 'user', messageId: 'own', content },
      { type: 'message', role: 'user', messageId: 'sent', content },
    );
    const bubble = view.page.locator('.bubble');
    const [own] = [(await bubble.nth(0).boundingBox())!];
    await view.happen({ type: 'entry_origin', entryId: 'user:sent', client: 'Pixel' });
    const name = (await view.page.getByText('Sent from Pixel').boundingBox())!;
    const sent = (await bubble.nth(1).boundingBox())!;
    assert.ok(Math.abs(sent.width - own.width) < 2, `${sent.width} instead of ${own.width}`);
    assert.ok(name.y >= sent.y + sent.height, 'it is below');
    assert.ok(Math.abs(name.x + name.width - (sent.x + sent.width)) < 2, 'it ends where the message ends');
  });

  it('are named at their messages and answers', async () => {
    const client = 'Pixel \u202e<b>';
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      { type: 'message', role: 'user', messageId: 't', content: [{ type: 'text', text: 'From my phone' }] },
      { type: 'entry_origin', entryId: 'user:t', client },
      {
        type: 'permission_requested',
        permissionId: 'p',
        title: 'Run it',
        options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
        subject: {},
      },
      { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
      { type: 'entry_origin', entryId: 'permission:p', client },
    );
    await view.page.getByText(/^Sent from Pixel ⟨U\+202E⟩<b>$/).waitFor();
    const card = view.page.getByRole('group', { name: /Run it/ });
    await card.getByRole('button').first().click();
    await view.page.getByText(/Answered from Pixel ⟨U\+202E⟩<b>/).waitFor();
  });
});
