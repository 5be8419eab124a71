/** Menus of the chat: for the agent, the session and a message; and the button after a limit. Pictures go to test-results/sessionMenus/. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { EventInput } from '../../src/core/model/event';
import { message as said } from '../support/events';
import { broken } from './support/axe';
import { eachInItsOwnView, keepPicture, root, type View } from './support/view';

const turn = (turnId: string, text: string, stopReason = 'end_turn'): EventInput[] => [
  { type: 'turn_started', turnId },
  said(text, turnId, 'user'),
  said(`Answer to ${text}`, `answer-${turnId}`),
  { type: 'turn_ended', turnId, stopReason },
];

describe('menus of the chat', function () {
  this.timeout(120_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const more = () => view.page.getByRole('button', { name: 'More Actions…' }).first();
  const items = () => view.page.getByRole('menuitem');
  const names = () => items().evaluateAll((all) => all.map((item) => item.getAttribute('aria-label')));
  const choose = async (name: string) => {
    await view.page.getByRole('menuitem', { name, exact: true }).click();
    return (await view.posted('action')).at(-1)?.action;
  };
  const namesOf = async (button: ReturnType<typeof more>) => {
    await button.click();
    await items().first().waitFor();
    const all = await names();
    await view.page.keyboard.press('Escape');
    return all;
  };

  it('offer the commands of a row in the list of sessions', async () => {
    await view.happen(...turn('t', 'Hi'));
    const actions = [
      ['Rename Session…', 'rename_session'],
      ['Pin Session', 'pin_session'],
      ['Archive Session', 'archive_session'],
      ['Move to Side Bar', 'move_to_side_bar'],
      ['New Session in Worktree…', 'new_in_worktree'],
      ['Restore Checkpoint…', 'restore_checkpoint'],
    ] as const;
    for (const [name, action] of actions) {
      await more().click();
      assert.equal(await choose(name), action);
    }
    await view.happen({ type: 'session_marked', pinned: true, archived: true });
    for (const [name, action] of [
      ['Unpin Session', 'unpin_session'],
      ['Unarchive Session', 'unarchive_session'],
    ] as const) {
      await more().click();
      assert.equal(await choose(name), action);
    }
  });

  it('omit Rename, Pin, Archive and Restore before the first message', async () => {
    const all = await namesOf(more());
    for (const name of ['Rename Session…', 'Pin Session', 'Archive Session', 'Restore Checkpoint…']) {
      assert.ok(!all.includes(name), name);
    }
    assert.ok(all.includes('Move to Side Bar'));
  });

  it('move a chat from the side bar to an editor', async () => {
    await view.page.evaluate(() => void (document.documentElement.dataset.place = 'sideBar'));
    await view.happen(...turn('t', 'Hi'));
    await more().click();
    assert.equal(await choose('Move to Editor'), 'move_to_editor');
  });

  it('start and continue sessions with another agent, from this one’s name', async () => {
    const agent = () => view.page.locator('#agent-menu-button');
    await agent().click();
    assert.equal(await choose('New Session with Another Agent…'), 'new_session_with');
    assert.ok(!(await namesOf(agent())).includes('Continue with Another Agent…'));
    await view.happen(...turn('t', 'Hi'));
    const all = await namesOf(agent());
    for (const name of ['Continue with Another Agent…', 'Restart Agent', 'Show Log', 'Open Settings']) {
      assert.ok(all.includes(name), name);
    }
  });

  it('list the MCP servers, from the agent’s name too', async () => {
    for (const button of [view.page.locator('#agent-menu-button'), more()]) {
      await button.click();
      await view.page.getByRole('menuitem', { name: 'MCP Servers…', exact: true }).click();
    }
    assert.deepEqual(await view.postedAtLeast('servers_choose', 2), [{ type: 'servers_choose' }, { type: 'servers_choose' }]);
  });

  it('send the last message again, and only that one', async () => {
    await view.happen(...turn('a', 'first'), ...turn('b', 'second'));
    const menu = (index: number) => view.page.getByRole('button', { name: 'Message Actions…' }).nth(index);
    await view.page.getByRole('textbox', { name: 'Message', exact: true }).fill('second');
    assert.ok(!(await namesOf(menu(0))).includes('Retry'));
    await menu(1).click();
    assert.equal((await names())[0], 'Edit and Resend');
    await view.page.getByRole('menuitem', { name: 'Retry', exact: true }).click();
    assert.deepEqual(await view.postedAtLeast('retry_prompt'), [{ type: 'retry_prompt', turnId: 'b' }]);
    // The text was not returned to the box when the message was answered: equal text in the box is a new message.
    assert.equal(await view.page.getByRole('textbox', { name: 'Message', exact: true }).inputValue(), 'second');
    await view.happen({ type: 'turn_started', turnId: 'c' });
    assert.ok(!(await namesOf(menu(1))).includes('Retry'));
  });

  for (const stopReason of ['max_tokens', 'max_turn_requests']) {
    it(`continue a turn that ended with ${stopReason}, once`, async () => {
      const button = () => view.page.getByRole('log').getByRole('button', { name: 'Continue', exact: true });
      await view.happen(...turn('t', 'Write a book', stopReason));
      await button().focus();
      await view.page.keyboard.press('Enter');
      assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Message');
      await button().click({ force: true });
      assert.deepEqual(await view.postedAtLeast('prompt'), [{ type: 'prompt', content: [{ type: 'text', text: 'Continue' }] }]);
      await view.happen({ type: 'turn_started', turnId: 'u' }, said('Continue', 'u', 'user'));
      await button().waitFor({ state: 'detached' });
    });
  }

  it('do not continue a turn that completed, was stopped or was refused', async () => {
    for (const stopReason of ['end_turn', 'cancelled', 'refusal']) {
      await view.happen(...turn(stopReason, 'Hi', stopReason));
    }
    await view.page.getByText('Answer to Hi').nth(2).waitFor();
    assert.equal(await view.page.getByRole('button', { name: 'Continue', exact: true }).count(), 0);
  });

  it('name the conversation that a new session continues, in place of suggestions', async () => {
    await view.page.getByRole('region', { name: 'Get started' }).waitFor();
    await view.happen(
      { type: 'session_info', title: 'Create hello' },
      {
        type: 'notice',
        noticeId: 'continues',
        severity: 'info',
        title: '',
        failure: { code: 'session.continues', params: { title: 'Create hello', agent: 'OpenCode' } },
      },
    );
    await view.page.getByRole('log').getByText('Continues "Create hello" (OpenCode).').waitFor();
    await view.page.getByRole('region', { name: 'Get started' }).waitFor({ state: 'detached' });
    await view.page.getByRole('heading', { name: 'Create hello', exact: true }).waitFor();
  });

  it('name the attachment of a restored conversation, in place of suggestions', async () => {
    await view.page.getByRole('region', { name: 'Get started' }).waitFor();
    const notice = { type: 'notice', severity: 'info', title: '' } as const;
    await view.happen(
      { type: 'session_info', title: 'Create hello' },
      { ...notice, noticeId: 'attached', failure: { code: 'session.attached_before' } },
      { ...notice, noticeId: 'restored', failure: { code: 'session.restored' } },
    );
    await view.page.getByRole('log').getByText('A new session, with the conversation before as an attachment.').waitFor();
    await view.page.getByRole('region', { name: 'Get started' }).waitFor({ state: 'detached' });
    await view.page.getByRole('heading', { name: 'Create hello', exact: true }).waitFor();
  });

  it('fit into a narrow page, without axe violations', async function () {
    this.timeout(240_000);
    const folder = path.join(root, 'test-results', 'sessionMenus');
    mkdirSync(folder, { recursive: true });
    await view.happen(...turn('t', 'Write a book', 'max_tokens'));
    for (const [width, theme] of [
      [300, 'dark'],
      [900, 'light'],
      [420, 'hc'],
    ] as const) {
      await view.page.setViewportSize({ width, height: 600 });
      await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
      for (const [name, button] of [
        ['more', more()],
        ['agent', view.page.locator('#agent-menu-button')],
        ['message', view.page.getByRole('button', { name: 'Message Actions…' })],
      ] as const) {
        await button.click();
        const { x, y, width: wide, height } = (await view.page.locator('.menu-popup').boundingBox())!;
        assert.ok(x >= 0 && y >= 0 && x + wide <= width && y + height <= 600, `${name} at ${width}: ${x} ${y} ${wide} ${height}`);
        await keepPicture(view.page, path.join(folder, `${name}-${width}.png`));
        assert.deepEqual(await broken(view), []);
        await view.page.keyboard.press('Escape');
      }
    }
  });
});
