// The session of the chat view, which moves to an editor and back, before and after a reload of the window. The gate runs it in the oldest
// VS Code only, because versions differ in how they restore a view. Pictures go to test-results/chat-view/.
import assert from 'node:assert/strict';
import { appears, until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { script, scripted } from './agents.mjs';
import { openWorkspace } from './stage.mjs';

const resumes = { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } };
const userSettings = {
  'acpHost.agents': { Talker: scripted({ initialize: resumes, keeps: true }, 'talker') },
  'acpHost.notifications': 'hidden',
  'acpHost.chat.location': 'sideBar',
};

describe('the chat view', function () {
  this.timeout(240_000);
  let window;

  const picture = (name) => window.screenshot(`chat-view/${name}`);
  const tabs = () => window.page.locator('.part.editor .tabs-container').getByRole('tab');

  /** The visible conversation that contains `text`, in any place; undefined without one. */
  async function inFrame(text) {
    const webviews = window.page.locator('iframe.webview.ready:visible');
    for (let index = 0; index < (await webviews.count()); index++) {
      const frame = window.page.frameLocator(`iframe.webview.ready:visible >> nth=${index}`).frameLocator('iframe#active-frame');
      const log = frame.getByRole('log', { name: 'Conversation' });
      if ((await log.count()) === 1 && (await log.innerText()).includes(text)) return new Conversation({ frame: () => frame });
    }
    return undefined;
  }

  /** The number of visible webviews with a button of this name. */
  async function frames(name) {
    let count = 0;
    const webviews = window.page.locator('iframe.webview.ready:visible');
    for (let index = 0; index < (await webviews.count()); index++) {
      const inner = window.page.frameLocator(`iframe.webview.ready:visible >> nth=${index}`).frameLocator('iframe#active-frame');
      count += await inner.getByRole('button', { name, exact: true }).count();
    }
    return count;
  }

  /** The conversation in the editor, beside the view; undefined until it exists. */
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

  it('has its session after a reload, which was in an editor and came back, with its draft @minimum-only', async () => {
    ({ window } = await openWorkspace({ userSettings }));
    let conversation = await newSession(window, 'Talker');
    assert.equal(await tabs().count(), 0, 'nothing opens among the editors');
    // The box has the focus without a click.
    await until('the box to have the focus', () => conversation.composer.evaluate((box) => box === box.ownerDocument.activeElement));
    const first = script({ say: `First.\n\n${'Words of it.\n\n'.repeat(80)}Last.` });
    await window.page.keyboard.type(first.slice(0, 10));
    await window.page.keyboard.insertText(first.slice(10));
    await window.page.keyboard.press('Enter');
    await conversation.says('Last.');
    await conversation.turnEnd();
    await picture('view');
    await conversation.composer.fill('half a thought');
    await conversation.log.hover();
    const top = () => conversation.log.evaluate((log) => log.scrollTop);
    const bottom = await top();
    await until('it to be scrolled up', async () => {
      await window.page.mouse.wheel(0, -400);
      return (await top()) < bottom - 600;
    });

    await window.command('ACP: Move Chat to Editor');
    await until('a tab', async () => (await tabs().count()) === 1);
    await until('the view to be empty', async () => (await frames('Try the Demo Agent')) === 1);
    const editor = await until('the conversation among the editors', inEditor);
    await until('the draft', async () => (await editor.composer.inputValue()) === 'half a thought');
    await picture('editor');
    await editor.log.getByText('First.').first().waitFor();
    assert.ok(await editor.frame.getByRole('button', { name: 'Jump to latest' }).isVisible(), 'where it was, and not at the end');

    await window.command('ACP: Move Chat to Side Bar');
    await until('no tab', async () => (await tabs().count()) === 0);
    conversation = new Conversation(window);
    await until('the draft', async () => (await conversation.composer.inputValue()) === 'half a thought');
    assert.equal(await conversation.frame.getByRole('button', { name: 'Try the Demo Agent' }).count(), 0);
    // Ctrl+F belongs to the conversation, in the view as in a panel.
    await conversation.composer.focus();
    await until('find', async () => {
      // VS Code learns of the page's focus a moment later than the page.
      await window.page.keyboard.press('Control+f');
      return appears(conversation.frame.getByRole('searchbox', { name: 'Find in conversation' }), 1000);
    });
    await picture('back');

    await wait(600);
    await window.reload();
    // VS Code does not always reopen the side bar.
    const isBack = await until('the view', () => inFrame('Last.'), { timeoutMs: 5000 }).catch(() => false);
    if (!isBack) await window.command('ACP Host: Focus on Chat View');
    conversation = await until('the conversation in the view', () => inFrame('Last.'), { timeoutMs: 45_000 });
    await until('the draft', async () => (await conversation.composer.inputValue()) === 'half a thought');
    assert.equal(await tabs().count(), 0, 'it is not among the editors');
    await picture('reloaded');
  });
});
