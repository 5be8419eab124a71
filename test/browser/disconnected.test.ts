/** The page of an extension host that no longer responds: it says so, keeps typed and sent text, and offers the way back. */
import assert from 'node:assert/strict';
import { ANSWER_MS, SHOWN_ANSWER_MS, SHOWN_MS } from '../../webview/connection/heartbeat';
import { broken } from './support/axe';
import { eachInItsOwnView, View } from './support/view';

describe('view: an extension host that stopped responding', function () {
  this.timeout(60_000);
  let view: View;
  eachInItsOwnView(
    (each) => (view = each),
    async (each) => {
      await each.ready();
    },
    () => View.open(),
  );

  const banner = () => view.page.getByRole('group', { name: 'Extension host not responding' });
  const box = () => view.page.getByRole('textbox', { name: 'Message' });
  const answers = (value: boolean) => view.page.evaluate((is) => void (window.playground.sessions.answers = is), value);

  it('is reported with the first unanswered message, which returns to the box and survives the reload', async () => {
    await answers(false);
    await view.page.clock.install();
    await box().fill('Are you there?');
    await box().press('Enter');
    assert.equal(await box().inputValue(), '');
    await view.page.clock.runFor(ANSWER_MS + 1000);
    await banner().waitFor();
    assert.equal(await box().inputValue(), 'Are you there?');
    // Nothing is sent while the host does not answer.
    await box().press('Enter');
    assert.equal(await box().inputValue(), 'Are you there?');
    await view.page.getByText("Extension host isn't responding. Your message was not sent.").first().waitFor();
    assert.deepEqual(await broken(view), []);
    await box().fill('And now?');
    const link = banner().getByRole('link', { name: 'Reopen Chat' });
    // Do what VS Code does: it takes the address of the clicked link, and the page does not navigate.
    await view.page.evaluate(() =>
      document.addEventListener('click', (event) => {
        document.body.dataset['clicked'] = (event.target as HTMLAnchorElement).href;
        event.preventDefault();
      }),
    );
    await link.click();
    const [command, args] = (await view.page.evaluate(() => document.body.dataset['clicked']!)).split('?');
    assert.equal(command, 'command:acpHost.openSession');
    const [key, unsent] = JSON.parse(decodeURIComponent(args!)) as [string, { at: number; content: unknown }];
    assert.equal(key, await view.page.evaluate(() => window.playground.sessions.key));
    assert.ok(unsent.at > 0);
    assert.deepEqual(unsent.content, [{ type: 'text', text: 'And now?' }]);
  });

  it('is reported without an action of the user, soon after the page has come to the front', async () => {
    const { page } = view;
    await answers(false);
    await page.clock.install();
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.clock.runFor(SHOWN_MS + SHOWN_ANSWER_MS + 100);
    await banner().getByText('The conversation and your draft are kept.').waitFor();
  });

  it('was only busy: the page is as before, and a message that arrived after all is not in the box', async () => {
    await view.page.clock.install();
    await answers(false);
    await box().fill('Are you there?');
    await box().press('Enter');
    await view.page.clock.runFor(ANSWER_MS + 1000);
    await banner().waitFor();
    await answers(true);
    await view.happen({ type: 'session_info', title: 'Here I am' });
    await view.page.clock.runFor(100);
    await banner().waitFor({ state: 'detached' });
    assert.equal(await box().inputValue(), '');
    await box().fill('Fine.');
    await box().press('Enter');
    assert.equal(await box().inputValue(), '');
    const posted = await view.page.evaluate(() => window.playground.stage.posted);
    assert.deepEqual(
      posted.flatMap((message) => (message.type === 'prompt' ? message.content : [])),
      [{ type: 'text', text: 'Fine.' }],
    );
  });
});
