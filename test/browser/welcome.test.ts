/** The page without a session, where chats open: its actions, in each theme and at the width of a side bar. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { THEMES } from '../../webview/playground/themes';
import { brokenIn } from './support/axe';
import { eachInItsOwnView, keepPicture, root, type View } from './support/view';

describe('a page without a session', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView(
    (each) => (view = each),
    async (each) => {
      await each.page.setViewportSize({ width: 300, height: 700 });
      await each.page.evaluate(() => document.documentElement.setAttribute('data-place', 'sideBar'));
      await each.page.evaluate(() => window.playground.sessions.showNone());
      await button('New Session').waitFor();
    },
  );
  const button = (name: string) => view.page.getByRole('button', { name, exact: true });
  const acts = () =>
    view.page.evaluate(() =>
      window.playground.stage.posted.flatMap((message) =>
        message.type === 'action' ? message.action : message.type === 'set_chat_location' ? message.location : [],
      ),
    );

  it('introduces the extension, and offers a session, the demo, and agents', async () => {
    await view.page.getByRole('heading', { name: 'Chat with coding agents' }).waitFor();
    for (const name of ['New Session', 'Open Session…', 'Try the Demo Agent', 'Add Agent…']) {
      await button(name).click();
    }
    await view.page.getByRole('radio', { name: 'Side Bar' }).check();
    await view.painted();
    assert.deepEqual(await acts(), ['new_session', 'session_history', 'try_demo', 'add_agent', 'sideBar']);
  });

  it('makes only New Session a primary button', async () => {
    const primary = view.page.getByRole('region', { name: 'Get started' }).locator('.button:not(.button-secondary)');
    assert.deepEqual(await primary.allInnerTexts(), ['New Session']);
    const colors = await Promise.all(
      ['New Session', 'Open Session…', 'Try the Demo Agent', 'Add Agent…'].map((name) =>
        button(name).evaluate((element) => getComputedStyle(element).backgroundColor),
      ),
    );
    assert.equal(colors.filter((color) => color === colors[0]).length, 1, colors.join());
  });

  it('works by keyboard alone', async () => {
    const focused = () => view.page.evaluate(() => (document.activeElement as HTMLElement).innerText || document.activeElement!.tagName);
    await view.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const seen: string[] = [];
    for (let step = 0; step < 5; step++) {
      await view.page.keyboard.press('Tab');
      seen.push(await focused());
    }
    assert.deepEqual(seen, ['New Session', 'Open Session…', 'Try the Demo Agent', 'Add Agent…', 'INPUT']);
    await view.page.keyboard.press('ArrowRight');
    await view.painted();
    assert.deepEqual(await acts(), ['sideBar']);
  });

  it('fits a narrow side bar, without axe violations in any theme', async () => {
    for (const theme of THEMES) {
      await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
      await view.painted();
      assert.deepEqual(await brokenIn(theme, view), [], theme);
      const wide = await view.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 300, `${theme}: ${wide}`);
      const colours = await view.page.evaluate(() => {
        const probe = document.createElement('div');
        document.body.append(probe);
        probe.style.backgroundColor = 'var(--vscode-sideBar-background)';
        const wanted = getComputedStyle(probe).backgroundColor;
        probe.remove();
        return [getComputedStyle(document.body).backgroundColor, wanted];
      });
      assert.equal(colours[0], colours[1], theme);
      await keepPicture(view.page, path.join(root, 'test-results', `welcome-${theme}.png`));
    }
  });
});
