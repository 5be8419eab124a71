/** The display of changes on the page: the report that the next prompt carries, a turn's files, and the way back to a message. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { reportUri } from '../../src/core/model/reportAddress';
import { commentsUri } from '../../src/core/model/attachment';
import { attachmentUri } from '../../src/core/mentions/attachmentUri';
import { brokenIn } from './support/axe';
import { eachInItsOwnView, keepPicture, root, type View } from './support/view';
import { chunk } from '../support/events';

const FOLDER = '/home/ada/sample';

describe('view: reported and undone changes', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const chips = () => view.page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
  const names = async () => (await chips().allInnerTexts()).map((text) => text.trim());
  const posted = async () => (await view.posted('change_report')).map(({ act, path: file }) => [act, file]);

  it('leaves the focus to a user who comments on lines, and takes it for other attachments', async () => {
    const focused = () => view.page.evaluate(() => document.activeElement?.tagName);
    // A page without the focus would wait for it.
    await view.page.getByRole('textbox', { name: 'Message', exact: true }).click();
    await view.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await view.send({ type: 'attach', blocks: [{ type: 'resource', uri: commentsUri('c', [1, 2]), text: 'Two comments' }] });
    await chips().filter({ hasText: '2 comments' }).waitFor();
    assert.equal(await focused(), 'BODY');
    await view.send({ type: 'attach', blocks: [{ type: 'resource', uri: commentsUri('c', []), text: '' }] });
    await chips().filter({ hasText: '2 comments' }).waitFor({ state: 'detached' });
    assert.equal(await focused(), 'BODY');
    await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a/z.ts', name: 'z.ts' }] });
    await chips().filter({ hasText: 'z.ts' }).waitFor();
    await view.page.locator('textarea:focus').waitFor();
    await chips().filter({ hasText: 'z.ts' }).getByRole('button', { name: 'Remove' }).click();
  });

  it('has a chip for each file that the next prompt reports, beside the attachments', async () => {
    await view.send({ type: 'attach', blocks: [{ type: 'resource_link', uri: 'file:///a/b.ts', name: 'b.ts' }] });
    await view.happen({
      type: 'change_report',
      files: [
        { path: `${FOLDER}/a.ts`, undone: 2 },
        { path: `${FOLDER}/b.ts`, changed: 1 },
        { path: `${FOLDER}/c.ts`, undone: 1, changed: 1 },
      ],
    });
    await chips().nth(3).waitFor();
    assert.deepEqual(await names(), ['2 changes undone in a.ts', '1 change edited in b.ts', '2 changes undone or edited in c.ts', 'b.ts']);
    await view.happen({
      type: 'change_report',
      files: [
        { path: '/a.ts', applied: 1 },
        { path: '/b.ts', whole: 'restored' },
        { path: '/c.ts', whole: 'undone' },
      ],
    });
    await chips().getByText('b.ts restored').waitFor();
    assert.deepEqual(await names(), ['1 change applied again in a.ts', 'b.ts restored', 'All changes undone in c.ts', 'b.ts']);
    await view.happen({ type: 'change_report', files: ['a', 'b', 'c', 'd'].map((name) => ({ path: `/${name}.ts`, undone: 1 })) });
    await chips().getByText('Changes undone in 4 files').waitFor();
    assert.equal((await names()).length, 2);
    await view.happen({ type: 'change_report', files: [] });
    await chips().getByText('Changes undone').waitFor({ state: 'detached' });
    assert.deepEqual(await names(), ['b.ts']);
  });

  it('opens an undone change, applies it again, and leaves it out, all by keyboard', async () => {
    await view.happen({ type: 'change_report', files: [{ path: `${FOLDER}/a.ts`, undone: 2 }] });
    await view.page.getByRole('button', { name: '2 changes undone in a.ts', exact: true }).focus();
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.press('Tab');
    assert.equal(
      await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Apply Again: 2 changes undone in a.ts',
    );
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.press('Tab');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await posted(), [
      ['open', `${FOLDER}/a.ts`],
      ['apply', `${FOLDER}/a.ts`],
      ['remove', `${FOLDER}/a.ts`],
    ]);
    assert.equal(await view.page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
    await view.page.getByRole('status').getByText('The agent will not be told.').waitFor({ state: 'attached' });
  });

  it('offers no Apply Again for files only edited or restored, and sends no chip without text', async () => {
    await view.happen({
      type: 'change_report',
      files: [
        { path: '/a.ts', changed: 1 },
        { path: '/b.ts', whole: 'restored' },
      ],
    });
    await chips().nth(1).waitFor();
    assert.equal(await view.page.getByRole('button', { name: /^Apply Again/ }).count(), 0);
    assert.ok(await view.page.getByRole('button', { name: 'Send' }).isDisabled());
  });

  it('restores the state before a user message by that message’s menu', async () => {
    const say = (id: string) => ({ type: 'message', role: 'user', messageId: id, content: [{ type: 'text', text: `Say ${id}` }] }) as const;
    await view.happen(say('turn-1'), chunk('One.'), say('turn-2'), chunk('Two.'));
    const buttons = view.page.getByRole('button', { name: 'Message Actions…' });
    await buttons.nth(1).waitFor({ state: 'attached' });
    assert.equal(await buttons.count(), 2);
    await buttons.nth(1).focus();
    assert.equal(await buttons.nth(1).evaluate((button) => getComputedStyle(button.closest('.message-actions')!).opacity), '1');
    await view.page.keyboard.press('Enter');
    await view.page.getByRole('menuitem', { name: 'Restore Checkpoint…' }).press('Enter');
    assert.deepEqual(await view.posted('restore_checkpoint'), [{ type: 'restore_checkpoint', entryId: 'user:turn-2' }]);
    await view.happen({ type: 'disconnected', failure: { code: 'session.live_elsewhere' } });
    await view.painted();
    await buttons.nth(1).focus();
    await view.page.keyboard.press('Enter');
    await view.page.getByRole('menuitem', { name: 'Edit and Resend' }).waitFor();
    assert.equal(await view.page.getByRole('menuitem', { name: 'Restore Checkpoint…' }).count(), 0);
  });

  it('opens the difference of each stored file, and names the files without one', async () => {
    await turn();
    const turnEnd = view.page.getByRole('group', { name: 'End of turn' });
    await turnEnd.getByRole('button', { name: '4 files changed' }).click();
    const rows = turnEnd.getByRole('listitem');
    assert.deepEqual(
      (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
      ['src/a.ts +12 −3 Open File', 'early.txt No earlier version kept', 'logo.png New file', 'old.ts Deleted −8'].map((text) =>
        text.replace('Deleted −8', 'Deleted +0 −8'),
      ),
    );
    await rows.nth(0).getByRole('button', { name: 'src/a.ts', exact: true }).click();
    await rows.nth(3).getByRole('button', { name: 'old.ts', exact: true }).click();
    assert.deepEqual(
      (await view.posted('open_turn_file')).map(({ file }) => file),
      [0, 3],
    );
  });

  it('offers the changes of the whole session in its menu', async () => {
    await turn();
    await view.page.getByRole('button', { name: 'More Actions…' }).click();
    await view.page.getByRole('menuitem', { name: 'Review Changes of This Session' }).click();
    assert.deepEqual(await view.posted('action'), [{ type: 'action', action: 'review_session' }]);
  });

  it('names a sent report in the user’s words, and opens it', async () => {
    const report = reportUri('session', 1, [{ path: `${FOLDER}/src/cart.ts`, undone: 1 }]);
    const several = reportUri('session', 2, [
      { path: `${FOLDER}/src/cart.ts`, undone: 1 },
      { path: `${FOLDER}/src/b.ts`, changed: 1 },
    ]);
    await view.happen({
      type: 'message',
      role: 'user',
      messageId: 't',
      content: [
        { type: 'text', text: 'Go on.' },
        { type: 'resource', uri: commentsUri('c', [1], 'cart.ts:12'), mimeType: 'text/markdown', text: 'Comments' },
        { type: 'resource', uri: `file://${FOLDER}/src/index.ts#L1`, text: 'one' },
        { type: 'resource', uri: `file://${FOLDER}/src/cart.ts#L10-20`, text: 'ten' },
        { type: 'resource', uri: attachmentUri('terminal-npm-test.txt', 'Terminal: npm test'), text: '$ npm test' },
        { type: 'resource', uri: report, mimeType: 'text/markdown', text: 'Report' },
        { type: 'resource', uri: several, mimeType: 'text/markdown', text: 'Report' },
      ],
    });
    const you = view.page.getByRole('group', { name: 'You' });
    const sent = you.locator('.chip');
    await sent.nth(5).waitFor();
    assert.deepEqual(
      (await sent.allInnerTexts()).map((text) => text.trim()),
      [
        '1 comment on cart.ts:12',
        'index.ts:1',
        'cart.ts:10-20',
        'Terminal: npm test',
        '1 change undone in cart.ts',
        'Changes undone or edited in 2 files',
      ],
    );
    assert.equal(await you.getByRole('button', { name: 'Content' }).count(), 3, 'of the files and the text alone');
    await you.getByRole('button', { name: '1 change undone in cart.ts' }).click();
    await you.getByRole('button', { name: 'index.ts:1' }).click();
    assert.deepEqual(await view.posted('open_content'), [{ type: 'open_content', entryId: 'user:t', content: 5 }]);
    assert.deepEqual(await view.posted('open_link'), [{ type: 'open_link', href: `file://${FOLDER}/src/index.ts#L1` }]);
  });

  const turn = () =>
    view.happen(
      { type: 'turn_started', turnId: 't' },
      {
        type: 'message',
        role: 'user',
        messageId: 't',
        content: [
          { type: 'text', text: 'Make the greeting polite, in all languages that we have, and say so in the tests.' },
          {
            type: 'resource',
            uri: reportUri('session', 1, [{ path: 'a.ts', undone: 1 }]),
            mimeType: 'text/markdown',
            text: '1 change undone.',
          },
        ],
      },
      chunk('Done.'),
      { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
      {
        type: 'turn_changes',
        turnId: 't',
        changes: {
          files: [
            { path: `${FOLDER}/src/a.ts`, operation: 'modify', added: 12, removed: 3, kept: true },
            { path: `${FOLDER}/early.txt`, operation: 'modify', noBefore: true },
            { path: `${FOLDER}/logo.png`, operation: 'add' },
            { path: `${FOLDER}/old.ts`, operation: 'delete', added: 0, removed: 8, kept: true },
          ],
        },
      },
    );

  it('fits into narrow and wide pages, in dark and high contrast, without axe violations', async () => {
    await turn();
    await view.happen({
      type: 'change_report',
      files: [
        { path: `${FOLDER}/src/greeting/with-a-rather-long-name.test.ts`, undone: 2 },
        { path: `${FOLDER}/b.ts`, changed: 1 },
        { path: `${FOLDER}/c.ts`, whole: 'restored' },
      ],
    });
    await view.page.getByRole('button', { name: '4 files changed' }).click();
    await view.page.getByRole('button', { name: 'Message Actions…' }).focus();
    const folder = path.join(root, 'test-results', 'changeReport');
    await mkdir(folder, { recursive: true });
    for (const theme of ['dark', 'hc']) {
      await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
      for (const width of [300, 420, 900]) {
        await view.page.setViewportSize({ width, height: 640 });
        await view.painted();
        assert.ok(await view.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${theme} ${width}`);
        await keepPicture(view.page, path.join(folder, `${theme}-${width}.png`));
      }
      assert.deepEqual(await brokenIn(theme, view), [], theme);
    }
  });
});
