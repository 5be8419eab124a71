// The message box by keyboard alone, and the announcements for a screen reader.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';

/** The limit for an immediate effect, on a busy machine. */
const SOON = { timeoutMs: 10_000 };

/** Runs in the page: the accessible name of the focused element, or '' when the page does not have the focus. */
const focused = () => {
  const element = document.activeElement;
  if (!document.hasFocus() || !element) return '';
  return element === document.body ? '<body>' : (element.getAttribute('aria-label') ?? element.textContent ?? '');
};

export class MessageBox {
  /** @param conversation the conversation whose page is visible */
  constructor(window, conversation) {
    this.window = window;
    this.conversation = conversation;
    this.frame = conversation.frame;
    this.body = conversation.frame.locator('body');
  }

  /** Records the live region's announcements from now on. */
  async listen() {
    // The box exists before the live region.
    await this.frame.locator('[role=status].sr-only').first().waitFor({ state: 'attached' });
    await this.body.evaluate(() => {
      window.heardWords = [];
      if (window.listening) return;
      window.listening = new MutationObserver((changes) =>
        changes.forEach(({ addedNodes }) => addedNodes.forEach((line) => window.heardWords.push(line.textContent ?? ''))),
      );
      window.listening.observe(document.querySelector('[role=status].sr-only'), { childList: true });
    });
  }

  async hears(pattern) {
    const heard = () => this.body.evaluate(() => window.heardWords);
    await until(
      `${pattern} to be announced`,
      async () => {
        const words = await heard();
        return words.some((each) => pattern.test(each)) || Promise.reject(new Error(`heard: ${words.join(' | ')}`));
      },
      SOON,
    );
  }

  async press(...keys) {
    for (const key of keys) await this.window.page.keyboard.press(key);
  }

  type(text) {
    return this.window.page.keyboard.type(text);
  }

  focusedName() {
    return this.body.evaluate(focused);
  }

  /** Waits until VS Code has focused the element whose name begins with this. */
  async focusIsOn(name) {
    await until(
      `the focus to be on "${name}"`,
      async () => {
        const now = await this.focusedName();
        return now.startsWith(name) || Promise.reject(new Error(`it is on "${now}"`));
      },
      SOON,
    );
  }

  /** Moves to an element by Tab alone. */
  async reach(name, key = 'Tab') {
    for (let presses = 0; presses < 60; presses++) {
      if ((await this.focusedName()).startsWith(name)) return;
      await this.press(key);
    }
    assert.fail(`${key} does not reach "${name}"`);
  }

  /** Empties the box by keys and leaves it focused. */
  async empty() {
    await this.conversation.composer.focus();
    await until('the message box to be empty', async () => {
      await this.press('Control+a', 'Delete');
      return (await this.text()) === '';
    });
  }

  text() {
    return this.conversation.composer.inputValue();
  }

  /** The rows of the open list. */
  rows() {
    return this.frame.getByRole('option').allInnerTexts();
  }

  /** Moves down to a row of the open list, and accepts it. */
  async choose(row, key = 'Enter') {
    const active = this.frame.locator('[role=option][aria-selected=true]');
    await this.frame.getByRole('option').filter({ hasText: row }).first().waitFor({ timeout: 20_000 });
    await until(`the keys to reach ${row}`, async () => {
      if ((await active.count()) > 0 && row.test(await active.first().innerText())) return true;
      await this.press('ArrowDown');
      return false;
    });
    await this.press(key);
  }

  /** Mentions an item: the text after the @, the row to accept, and the chip's name. */
  async mention(typed, row, chip) {
    await this.type(` @${typed}`);
    await this.choose(row);
    // While the answer is pending, Enter does nothing.
    const remove = this.frame.getByRole('button', { name: `Remove ${chip}` }).first();
    await until(`the chip ${chip}`, async () => {
      const isThere = await remove.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
      if (!isThere && (await this.frame.getByRole('option').count()) > 0) await this.press('Enter');
      return isThere;
    });
    await this.focusIsOn('Message');
  }

  async chips() {
    const all = await this.frame.getByRole('list', { name: 'Attachments' }).getByRole('listitem').allInnerTexts();
    return all.map((text) => text.trim());
  }

  /** Dispatches a paste in the page, as for copied files. */
  async pasteFiles(...files) {
    await this.conversation.composer.evaluate((box, all) => {
      const clipboardData = new DataTransfer();
      // A picture is recognized by its bytes: this has one pixel, and the bytes after it are ignored.
      const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      const png = Uint8Array.from(atob(pixel), (char) => char.charCodeAt(0));
      for (const { name, type, size } of all) {
        const start = type === 'image/png' ? png : new Uint8Array();
        clipboardData.items.add(new File([start, new Uint8Array(Math.max(0, size - start.length))], name, { type }));
      }
      box.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    }, files);
  }
}
