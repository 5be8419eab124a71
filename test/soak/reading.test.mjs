// Reading a conversation by keyboard: find it in the panel, read it as a document, ask for help. The keys reach us through VS Code.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { openWorkspace, opens, runCommands } from '../e2e/stage.mjs';

const paragraphs = [
  { chunks: Array.from({ length: 60 }, (_, index) => `Paragraph ${index}${index % 20 === 5 ? ' with a needle' : ''}.\n\n`) },
];

describe('reading by keyboard', () => {
  let window;
  let conversation;

  const open = async () => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': { Reader: scripted({ script: paragraphs }, 'reader') } } }));
    conversation = await newSession(window, 'Reader');
    await conversation.prompt('Read to me');
    await conversation.says('Paragraph 59');
    await conversation.turnEnd();
  };
  opens(open);

  const shown = (text) =>
    until(`an editor with ${text}`, async () => (await window.editor().isVisible()) && (await window.editorText()).includes(text));

  it('finds with Control+F, and Escape leads back', async () => {
    const box = conversation.frame.getByRole('searchbox', { name: 'Find in conversation' });
    await conversation.composer.click();
    await window.page.keyboard.press('Control+f');
    await box.waitFor();
    await box.fill('needle');
    await conversation.frame
      .getByRole('status')
      .filter({ hasText: /^1 of 3$/ })
      .waitFor();
    await window.page.keyboard.press('Enter');
    await conversation.frame
      .getByRole('status')
      .filter({ hasText: /^2 of 3$/ })
      .waitFor();
    await window.page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    assert.equal(await conversation.composer.evaluate((element) => element === document.activeElement), true);
  });

  it('opens the conversation as a document with Alt+F2, and the help with Alt+F1', async () => {
    await conversation.composer.click();
    await window.page.keyboard.press('Alt+F2');
    await shown('Paragraph 0.');
    assert.match(await window.editorText(), /Read to me|## Reader/);
    await runCommands('workbench.action.closeActiveEditor');
    await conversation.composer.waitFor();
    await conversation.composer.click();
    await window.page.keyboard.press('Alt+F1');
    await shown('Accessibility help for agent sessions');
    await runCommands('workbench.action.closeActiveEditor');
    await conversation.composer.waitFor();
  });

  it('follows a running turn in the document', async () => {
    await conversation.prompt(script({ say: 'Begun.' }, { pause: 3000 }, { say: ' And later.' }, { waitCancel: true }));
    await conversation.says('Begun.');
    await conversation.composer.click();
    await window.page.keyboard.press('Alt+F2');
    await shown('## ');
    await window.page.keyboard.press('Control+End');
    await until('the rest of the answer', async () => {
      await window.page.keyboard.press('Control+End');
      return (await window.editorText()).includes('And later.');
    });
    await runCommands('workbench.action.closeActiveEditor');
    await conversation.composer.waitFor();
    await conversation.stopButton.click(); // The turn was running all the time.
    await conversation.turnEnd();
  });
});
