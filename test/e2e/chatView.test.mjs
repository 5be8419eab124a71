// The chat view in a side bar: a session opens there, moves to an editor and back with what is half typed, and is there again after a reload.
// Pictures go to test-results/chatView/.
import assert from 'node:assert/strict';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from './agents.mjs';
import { opens, openWorkspace } from './stage.mjs';

const agents = {
  Talker: scripted({ initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true }, 'talker'),
};

describe('the chat view', () => {
  let window;

  const open = async () => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': agents, 'acpHost.chat.location': 'sideBar' } }));
  };
  opens(open);

  const tabs = () => window.page.locator('.part.editor .tabs-container').getByRole('tab').count();
  const picture = (name) => window.screenshot(`chatView/${name}`);

  it('has a session that goes to an editor and comes back with its draft, and is there after a reload @minimum', async () => {
    let conversation = await newSession(window, 'Talker');
    assert.equal(await tabs(), 0, 'nothing opens among the editors');
    // The keyboard is in the box without a click.
    await until('the box to have the focus', () => conversation.composer.evaluate((box) => box === box.ownerDocument.activeElement));
    await window.page.keyboard.type(script({ say: `First.\n\n${'Words of it.\n\n'.repeat(80)}Last.` }));
    await window.page.keyboard.press('Enter');
    await conversation.says('Last.');
    await conversation.turnEnd();
    await picture('view');
    await conversation.composer.fill('half a thought');
    await conversation.log.hover();
    const top = () => conversation.log.evaluate((log) => log.scrollTop);
    const end = await top();
    await until('it to be scrolled up', async () => {
      await window.page.mouse.wheel(0, -400);
      return (await top()) < end - 600;
    });

    await window.command('ACP: Move Chat to Editor');
    await until('a tab', async () => (await tabs()) === 1);
    conversation = new Conversation(window);
    await until('the view to be empty', async () => (await frames('Try the Demo Agent')) === 1);
    const editor = await until('the conversation among the editors', inEditor);
    await until('the draft', async () => (await editor.composer.inputValue()) === 'half a thought');
    await picture('editor');
    await editor.log.getByText('First.').first().waitFor();
    assert.ok(await editor.frame.getByRole('button', { name: 'Jump to latest' }).isVisible(), 'where it was, and not at the end');

    await window.command('ACP: Move Chat to Side Bar');
    await until('no tab', async () => (await tabs()) === 0);
    conversation = new Conversation(window);
    await until('the draft', async () => (await conversation.composer.inputValue()) === 'half a thought');
    assert.equal(await conversation.frame.getByRole('button', { name: 'Try the Demo Agent' }).count(), 0);
    // Ctrl+F is the conversation's, in the view as in a panel.
    await conversation.composer.focus();
    await window.page.keyboard.press('Control+f');
    await conversation.frame.getByRole('searchbox', { name: 'Find in conversation' }).waitFor();
    await picture('back');

    await window.reload();
    if (!(await appears(window.page.locator('iframe.webview.ready:visible').first(), 15_000))) {
      await window.command('ACP Host: Focus on Chat View');
    }
    conversation = new Conversation(window);
    await conversation.says('Last.', { timeoutMs: 45_000 });
    await until('the draft', async () => (await conversation.composer.inputValue()) === 'half a thought');
    assert.equal(await tabs(), 0);
    await picture('reloaded');
  });

  /** How many of the webviews on the screen show a button of this name. */
  async function frames(name) {
    let count = 0;
    const webviews = window.page.locator('iframe.webview.ready:visible');
    for (let index = 0; index < (await webviews.count()); index++) {
      const inner = window.page.frameLocator(`iframe.webview.ready:visible >> nth=${index}`).frameLocator('iframe#active-frame');
      count += await inner.getByRole('button', { name, exact: true }).count();
    }
    return count;
  }

  /** The conversation in the editor, beside the view; undefined until it is there. */
  async function inEditor() {
    const webviews = window.page.locator('iframe.webview.ready:visible');
    for (let index = 0; index < (await webviews.count()); index++) {
      const frame = window.page.frameLocator(`iframe.webview.ready:visible >> nth=${index}`).frameLocator('iframe#active-frame');
      if ((await frame.getByRole('textbox', { name: 'Message', exact: true }).count()) === 1) {
        return new Conversation({ frame: () => frame });
      }
    }
    return undefined;
  }
});
