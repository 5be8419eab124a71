// A whole task by keyboard alone, with the texts of a screen reader: the live regions of the chat and of VS Code, and the focused element
// after each step. The transcript is test-results/spoken.txt, for people to judge. The test itself checks that each step
// speaks, unless the focus or the cursor moves to what the reader then reads.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { results } from '../harness/lib/paths.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { scripted } from '../e2e/agents.mjs';
import { openWorkspace } from '../e2e/stage.mjs';
import { MessageBox } from './messageBox.mjs';

const resumes = { initialize: { agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } } }, keeps: true };
const toolCall = { toolCallId: 'test', title: 'Run the tests', kind: 'execute', rawInput: { command: 'npm test' } };
const fixes = [
  { say: 'The sum subtracts. I change the sign and run the tests.' },
  { sleep: 2500 },
  { shell: `cd '\${cwd}' && sed -i 's/a - b/a + b/; s/1 - percent/100 - percent/' src/calc.js && printf 'note\\n' > note.txt` },
  { permission: { toolCall } },
  { toolUpdate: { toolCallId: 'test', status: 'completed' } },
  { say: '\n\nAll tests pass.' },
];
const agents = { Heron: scripted({ ...resumes, script: fixes }, 'spoken') };

/** Runs in a document: records what its live regions say from now on. */
const listen = () => {
  window.spoken ??= [];
  if (window.speaking) return;
  window.speaking = new MutationObserver((changes) => {
    const texts = changes.flatMap(({ type, addedNodes, target }) =>
      type === 'characterData' ? [target.data] : [...addedNodes].map((each) => each.textContent),
    );
    window.spoken.push(...texts.map((text) => text.trim()).filter(Boolean));
  });
  for (const region of document.querySelectorAll('.monaco-aria-container, [aria-live].sr-only'))
    window.speaking.observe(region, { childList: true, subtree: true, characterData: true });
};

/** Runs in a document: the focused element's role, name, state and description. */
const focused = () => {
  const element = document.activeElement;
  if (!document.hasFocus() || !element || element === document.body || element.tagName === 'IFRAME') return '';
  const active = document.getElementById(element.getAttribute('aria-activedescendant') ?? '') ?? element;
  const name = active.getAttribute('aria-label') ?? (active.textContent ?? '').trim().slice(0, 80);
  const labelled = (active.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '');
  const state = ['aria-expanded', 'aria-selected', 'aria-description'].map(
    (each) => active.getAttribute(each) && `${each.slice(5)}: ${active.getAttribute(each)}`,
  );
  return [active.getAttribute('role') ?? active.tagName.toLowerCase(), labelled.join(' ').trim() || name, ...state.filter(Boolean)].join(
    ', ',
  );
};

describe('a task by keyboard, as a screen reader speaks it', function () {
  this.timeout(300_000);
  this.retries(0);

  it('asks, allows, reviews, keeps, undoes and restores', async () => {
    const { window, folder } = await openWorkspace({ userSettings: { 'acpHost.agents': agents } });
    const { page } = window;
    const { keyboard } = page;
    const lines = [];
    const silent = [];
    const conversation = await newSession(window, 'Heron');
    const box = new MessageBox(window, conversation);
    const documents = () => [page.locator('body'), box.body];
    const step = async (title, act, { quiet = false } = {}) => {
      for (const each of documents()) await each.evaluate(listen).catch(() => undefined);
      await act();
      await wait(2000);
      const [outside, inside] = await Promise.all(documents().map((each) => each.evaluate(() => window.spoken.splice(0)).catch(() => [])));
      const [here, there] = await Promise.all(
        documents().map((each) => each.evaluate(focused, undefined, { timeout: 3000 }).catch(() => '')),
      );
      lines.push(
        `## ${title}`,
        ...inside.map((text) => `  chat: ${text}`),
        ...outside.map((text) => `  window: ${text}`),
        `  focus: ${there || here || '(none)'}`,
        '',
      );
      if (!quiet && inside.length + outside.length === 0) silent.push(title);
      writeFileSync(join(results, 'spoken.txt'), lines.join('\n'));
    };
    const text = () => readFileSync(join(folder, 'src/calc.js'), 'utf8');
    const run = async (title) => {
      await until('the palette', async () => {
        await keyboard.press('F1');
        return appears(page.locator('.quick-input-widget:visible'), 2000);
      });
      await keyboard.insertText(title);
      const row = page.locator('.quick-input-widget:visible .monaco-list-row.focused');
      await until(
        `the row ${title}`,
        async () => (await row.filter({ hasText: title }).count()) > 0 || (await keyboard.press('ArrowDown'), false),
      );
      await keyboard.press('Enter');
    };
    /** The cursor's change, which the user moves to by the keys of the palette. */
    const nextChange = () => run('ACP: Go to Next Change to Review');

    await conversation.composer.waitFor();
    await step(
      'Session started',
      async () => {
        await until('the agent', async () => /Heron/.test((await conversation.composer.getAttribute('placeholder')) ?? ''));
        await until('the focus', async () => (await box.focusedName()).startsWith('Message'));
      },
      { quiet: true },
    );
    await step('Type the prompt, Enter; the agent answers, changes files and asks', async () => {
      await keyboard.type('The sum is wrong. Fix it.');
      await keyboard.press('Enter');
      await conversation.permission('Run the tests').first().waitFor({ timeout: 60_000 });
    });
    await step('Ctrl+Alt+J: to the question', () => keyboard.press('Control+Alt+j'), { quiet: true });
    await step('Tab: to the first answer', () => keyboard.press('Tab'), { quiet: true });
    await step('1: allow; the turn ends', async () => {
      await wait(900);
      await keyboard.press('1');
      await conversation.says('All tests pass.');
      await conversation.turnEnd();
    });
    await step(
      'Shift+Tab from the message box: to the bar of changes',
      async () => {
        await conversation.composer.focus();
        await box.reach('Review', 'Shift+Tab');
      },
      { quiet: true },
    );
    await step('Shift+Tab on: to the number of files', async () => box.reach('2 files changed', 'Shift+Tab'), { quiet: true });
    await step('Enter: open the list', () => keyboard.press('Enter'), { quiet: true });
    await step('Tab: to the first file', () => keyboard.press('Tab'), { quiet: true });
    await step('Tab on: to its Keep', async () => box.reach('Keep: ', 'Tab'), { quiet: true });
    await step('Tab on: to its Undo, Enter: undo it', async () => {
      await box.reach('Undo: note.txt', 'Tab');
      await keyboard.press('Enter');
      await conversation.frame.getByRole('button', { name: 'Undo: note.txt' }).waitFor({ state: 'detached' });
    });
    await step(
      'Enter on the remaining file: its diff opens',
      async () => {
        await box.reach('src/calc.js', 'Tab');
        await keyboard.press('Enter');
        await page.locator('.part.editor .monaco-diff-editor:visible').first().waitFor();
      },
      { quiet: true },
    );
    await step('F1, Go to Next Change to Review', nextChange, { quiet: true });
    // An extension has no way to make VS Code announce this.
    await step(
      'Ctrl+K Alt+Y: keep the change',
      async () => {
        await keyboard.press('Control+k');
        await keyboard.press('Alt+y');
        const bar = conversation.frame.getByRole('group', { name: 'Changes to review' });
        await until('one change in the bar', async () => /\+1\s*−1/.test(await bar.innerText()));
      },
      { quiet: true },
    );
    await step('F1, Go to Next Change to Review again', nextChange, { quiet: true });
    await step('Ctrl+K Alt+Z: undo the change', async () => {
      const before = text();
      await keyboard.press('Control+k');
      await keyboard.press('Alt+z');
      await until('the file', () => text() !== before);
    });
    await step(
      'F1, Restore Checkpoint…',
      async () => {
        await run('ACP: Restore Checkpoint');
        await page.locator('.quick-input-widget:visible .monaco-list-row').first().waitFor();
      },
      { quiet: true },
    );
    await step(
      'Enter: choose the message',
      async () => {
        await keyboard.press('Enter');
        await page.locator('.quick-input-widget:visible').getByText('Restore Files and Conversation').first().waitFor();
      },
      { quiet: true },
    );
    await step('Enter: restore', async () => {
      const before = text();
      await keyboard.press('Enter');
      await until('the file', () => text() !== before, { timeoutMs: 15_000 });
    });
    await window.screenshot('spoken');
    await step('F1, Undo Restore', () => run('ACP: Undo Restore'));
    assert.deepEqual(silent, []);
  });
});
