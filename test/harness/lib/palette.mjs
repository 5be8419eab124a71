// The command palette and every other quick pick of a VS Code window.
import { wait } from './proc.mjs';
import { appears, exactly, literal } from './see.mjs';

const quickInput = '.quick-input-widget:visible';
/** Rows of the quick pick that is open. */
export const quickRows = `${quickInput} .quick-input-list .monaco-list-row`;
/** A row's name. A second line has the same class, and remains hidden in reused rows. */
export const rowName = '.label-name:not(.quick-input-list-label-meta *)';

/** The operations on a quick input. `page` is the window's. */
export class Palette {
  constructor(page) {
    this.page = page;
  }

  /**
   * Runs a command from the palette. The palette is reopened until the command is listed, because an open palette does not add an
   * extension's commands.
   * @param title as shown, category included: `ACP: New Session`.
   */
  async command(title, { timeoutMs = 45_000 } = {}) {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      if (await this.typeInPalette(`>${title}`)) {
        const row = this.page.locator(quickRows).filter({ has: this.page.locator('.label-name', { hasText: exactly(title) }) });
        // A part that takes the focus while a window settles closes the palette: a user would reopen it.
        if ((await appears(row, 1500)) && (await isDone(row.first().click({ timeout: 5000 })))) return;
      }
      // In a chat the key would stop the turn.
      if (await this.quickInputOpen()) await this.page.keyboard.press('Escape');
      if (Date.now() > deadline) throw new Error(`the palette never offered "${title}"`);
      await wait(400);
    }
  }

  /** True when the palette offers a command right now. */
  async hasCommand(title) {
    await this.typeInPalette(`>${title}`);
    const row = this.page.locator(quickRows).filter({ has: this.page.locator('.label-name', { hasText: exactly(title) }) });
    const found = await appears(row, 2000);
    await this.page.keyboard.press('Escape');
    return found;
  }

  /** Waits for a quick pick and returns the names of its rows from the top, at most as many as fit the list. */
  async quickPickRows({ timeoutMs = 20_000 } = {}) {
    await this.page.locator(quickRows).first().waitFor({ timeout: timeoutMs });
    return (await this.page.locator(`${quickRows} ${rowName}`).allInnerTexts()).map((text) => text.trim());
  }

  /** Picks the row of the open quick pick whose name starts with `text` (or matches a RegExp). */
  async pickRow(text, { timeoutMs = 20_000 } = {}) {
    const name = typeof text === 'string' ? new RegExp(`^\\s*${literal(text)}`) : text;
    const row = this.page.locator(quickRows).filter({ has: this.page.locator(rowName, { hasText: name }) });
    const isListed = async () => {
      for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
        if (await appears(row, 1500)) return true;
        // A long list only renders the rows that fit, so this types the text like a user. A short list may be another one, which is
        // followed by the right one.
        if (typeof text === 'string' && (await this.isCut())) {
          await this.page
            .locator(`${quickInput} .quick-input-box input`)
            .fill(text, { timeout: 3000 })
            .catch(() => {});
        }
      }
      return appears(row, 1500);
    };
    if (!(await isListed())) {
      const rows = await this.page.locator(`${quickRows} ${rowName}`).allInnerTexts();
      throw new Error(`no row "${text}" in the quick pick; rows: ${rows.join(' | ') || 'none'}`);
    }
    await row.first().click({ timeout: 10_000 });
  }

  /** True while a quick pick has more rows than fit. */
  isCut() {
    return this.page
      .locator(`${quickInput} .quick-input-list .monaco-list`)
      .evaluateAll(([list]) => (list?.querySelector('.monaco-list-rows')?.offsetHeight ?? 0) > (list?.clientHeight ?? 0) + 1);
  }

  /** True while a quick pick or input box is visible. */
  async quickInputOpen() {
    return this.page.locator(quickInput).isVisible();
  }

  /** Opens the palette and types `text`, which is a file's path without a leading `>`; false when the palette did not open. */
  async typeInPalette(text) {
    const input = this.page.locator(`${quickInput} .quick-input-box input`);
    await this.page.keyboard.press('F1');
    if (!(await appears(input, 3000))) return false;
    try {
      await input.fill(text, { timeout: 3000 });
      return true;
    } catch {
      return false;
    }
  }
}

/** False when the action failed. */
function isDone(action) {
  return action.then(
    () => true,
    () => false,
  );
}
