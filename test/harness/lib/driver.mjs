// Hands and eyes on a real VS Code window in Chromium: the commands a person gives, and what the screen then says.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromeArgs, ensureChrome } from './chrome.mjs';
import { results } from './paths.mjs';
import { Palette, quickRows } from './palette.mjs';
import { onEnd, wait } from './proc.mjs';
import { appears, exactly, literal, until } from './see.mjs';

export { appears, until };

/** One Chromium for a whole run. Needs the project's dependencies installed. */
export async function launchBrowser() {
  const executablePath = await ensureChrome();
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath,
    args: chromeArgs,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const forget = onEnd(() => browser.close());
  browser.on('disconnected', forget);
  return browser;
}

/** Opens a page of 1400 × 900 for a server; call `openFolder` next. */
export async function openWindow(browser, serverUrl, { width = 1400, height = 900, colorScheme = 'dark' } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: serverUrl });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  return new VSCodeWindow(page, serverUrl);
}

/** In the page: the databases in which VS Code keeps the state of workspaces. */
async function stateDatabases() {
  const all = await indexedDB.databases();
  return all.map(({ name }) => name).filter((name) => name.startsWith('vscode-web-state-db-') && !name.endsWith('-global'));
}

/** In the page: what VS Code has saved of the editor area in one of these databases, as text; '' without anything. */
async function savedEditors(name) {
  const request = (wanted) =>
    new Promise((resolve, reject) =>
      Object.assign(wanted, { onsuccess: () => resolve(wanted.result), onerror: () => reject(wanted.error) }),
    );
  const database = await request(indexedDB.open(name));
  try {
    const items = database.transaction('ItemTable').objectStore('ItemTable');
    // Editors are JSON within JSON.
    return ((await request(items.get('memento/workbench.parts.editor'))) ?? '').replaceAll('\\\\', '');
  } finally {
    database.close();
  }
}

/** A VS Code window. Every wait has an end; every end says what was waited for. */
export class VSCodeWindow extends Palette {
  /** What the page and its webviews wrote to the console, `type: text`. */
  console = [];

  constructor(page, serverUrl) {
    super(page);
    /** Absolute path of the open folder. */
    this.folder = undefined;
    this.serverUrl = serverUrl;
    /** What runs commands in the window without its palette; undefined where no extension of the harness is installed. */
    this.neighbour = undefined;
    /** Where VS Code keeps the state of the open folder. */
    this.stateDatabase = undefined;
    page.on('console', (message) => this.console.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => this.console.push(`pageerror: ${error.stack ?? error}`));
    // Leaving a window with unsaved changes asks; a reload in a test means it.
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
  }

  /** Opens a folder, or a `.code-workspace` file, in this window and waits for the workbench. Without one an empty window. */
  async openFolder(folder, payload) {
    this.folder = folder;
    const query = new URLSearchParams(
      folder ? { [folder.endsWith('.code-workspace') ? 'workspace' : 'folder']: folder.replaceAll('\\', '/') } : { ew: 'true' },
    );
    query.set('payload', JSON.stringify(payload ?? [['skipWelcome', 'true']]));
    const before = new Set(await this.page.evaluate(stateDatabases).catch(() => []));
    for (let attempt = 1; ; attempt++) {
      await this.page.goto(`${this.serverUrl}/?${query}`, { waitUntil: 'domcontentloaded' });
      await this.ready();
      this.stateDatabase = (await this.page.evaluate(stateDatabases)).find((name) => !before.has(name)) ?? this.stateDatabase;
      // Under load VS Code now and then takes a workspace file for one without folders.
      if (
        attempt === 3 ||
        !folder?.endsWith('.code-workspace') ||
        (await appears(this.page.locator('.explorer-folders-view .monaco-list-row').first(), 15_000))
      )
        return;
    }
  }

  /** Waits until the workbench has drawn its frame. */
  async ready() {
    await this.page.locator('.monaco-workbench .part.editor').waitFor({ timeout: 60_000 });
    await this.page.locator('.part.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
  }

  /** Reloads the window as **Developer: Reload Window** does: page and extension host start anew. */
  async reload() {
    // A browser's page ends before it could save which editors are open: VS Code does that when it has nothing else to do.
    const saved = async () => {
      // It saves only while the window has the focus, which may have gone with a page that was closed.
      await this.page.evaluate(() => document.hasFocus() || window.focus());
      const text = await this.page.evaluate(savedEditors, this.stateDatabase);
      const titles = await this.page.locator('.part.editor .tabs-container .tab .label-name').allInnerTexts();
      // One that was closed a moment ago would come back.
      const isLeft = titles.length === 0 && text.includes('"editors":[{');
      return !isLeft && titles.every((title) => text.includes(JSON.stringify(title.trim()).slice(1, -1)));
    };
    await until('the open editors to be saved', saved, { timeoutMs: 60_000 });
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.ready();
  }

  /** The document inside the visible webview. */
  frame() {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');
  }

  /** Names the visible webview; undefined when there is none. */
  async frameName() {
    // Looked at once: it may go meanwhile, and nobody waits for its return.
    return this.page.locator('iframe.webview.ready:visible').evaluateAll(([frame]) => frame?.name || undefined);
  }

  /** Waits for our panel: its composer can be typed in. `other`: the name of a webview that is not meant. */
  async panel({ timeoutMs = 45_000, other } = {}) {
    const frame = this.frame();
    if (other !== undefined) await until('another panel', async () => ![other, undefined].includes(await this.frameName()), { timeoutMs });
    await frame.getByRole('textbox', { name: 'Message', exact: true }).waitFor({ timeout: timeoutMs });
    return frame;
  }

  /** Opens a file of the workspace by its path relative to the folder, through quick open where nothing faster is there. */
  async openFile(path) {
    const name = path.split('/').at(-1);
    if (this.neighbour) await this.neighbour.open(join(this.folder, path));
    else await this.quickOpen(path, name);
    await this.tab(name).waitFor();
    await this.editor().locator('.view-line').first().waitFor();
  }

  /** Opens a file as hands do, which take their time. */
  async quickOpen(path, name) {
    for (let attempt = 1; ; attempt++) {
      // A whole path is looked up on disk; a part of one needs the file search, which the slim server build may lack.
      await this.typeInPalette(join(this.folder, path));
      const row = this.page.locator(quickRows).filter({ has: this.page.locator('.label-name', { hasText: exactly(name) }) });
      if (await appears(row, 4000)) {
        await row.first().click();
        return;
      }
      await this.page.keyboard.press('Escape');
      if (attempt === 8) throw new Error(`quick open never offered ${path}`);
    }
  }

  /** The tab of an editor, by file name or title. */
  tab(name) {
    return this.page
      .locator('.part.editor .tabs-container')
      .getByRole('tab', { name: new RegExp(`^${literal(name)}(,|$)`) })
      .first();
  }

  /** Brings a tab to the front. */
  async showTab(name) {
    await this.tab(name).click();
  }

  /** True while the editor's tab carries the mark of unsaved changes. */
  async isDirty(name) {
    return /(^|\s)dirty(\s|$)/.test((await this.tab(name).getAttribute('class')) ?? '');
  }

  /** The text editor on the screen. */
  editor() {
    return this.page.locator('.part.editor .editor-instance .monaco-editor:visible').first();
  }

  /** Types `text` at the start or the end of the editor on the screen and leaves it unsaved. */
  async typeInEditor(text, { at = 'end' } = {}) {
    await this.editor().locator('.view-line').first().click();
    await this.page.keyboard.press(at === 'start' ? 'Control+Home' : 'Control+End');
    // insertText reaches both kinds of editor input, the text area and EditContext, as one edit without completions.
    await this.page.keyboard.insertText(text);
  }

  /** The text of the editor on the screen, unsaved changes included; lines beyond the screen are not there. */
  async editorText() {
    return this.editor()
      .locator('.view-lines')
      .first()
      .evaluate((lines) =>
        [...lines.querySelectorAll('.view-line')]
          .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
          .map((line) => line.textContent.replaceAll('\u00a0', ' '))
          .join('\n'),
      );
  }

  /** The messages of the notifications, those whose toast has gone included. Opens the notification centre. */
  async notifications() {
    if ((await this.page.locator('.notifications-center.visible').count()) === 0) {
      const bell = this.page.locator('.statusbar-item[id="status.notifications"]');
      if ((await bell.count()) === 0) return [];
      await bell.click();
    }
    await appears(this.page.locator('.notifications-center .notification-list-item-message'), 500);
    const messages = await this.page.locator('.notification-list-item-message').allInnerTexts();
    // It lies over the corner where our Send is.
    await this.page
      .locator('.notifications-center.visible .codicon-notifications-hide, .notifications-center.visible .codicon-chevron-down')
      .first()
      .click({ timeout: 2000 })
      .catch(() => {});
    return messages;
  }

  /** Waits for a notification that holds `text` (string or RegExp), toast or not, and gives its whole message. */
  async notification(text, { timeoutMs = 20_000 } = {}) {
    const message = this.page.locator('.notification-list-item-message', { hasText: text }).first();
    if (await appears(message, 1500)) return message.innerText();
    const matches = (each) => (typeof text === 'string' ? each.includes(text) : text.test(each));
    return until(`a notification "${text}"`, async () => (await this.notifications()).find(matches), { timeoutMs });
  }

  /** Presses a button of a notification or of a modal dialog. */
  async pressButton(name) {
    await this.page.locator('.notification-list-item-buttons-container, .monaco-dialog-box').getByRole('button', { name }).first().click();
  }

  /** Puts away what lies over the window: a quick pick, a dialog. */
  async dismiss() {
    const above = this.page.locator('.quick-input-widget:visible, .monaco-dialog-box:visible');
    await until('nothing to lie over the window', async () => {
      if ((await above.count()) === 0) return true;
      await this.page.keyboard.press('Escape');
      return false;
    });
  }

  /** Closes every editor without saving. */
  async closeEditors() {
    await (this.neighbour?.start('workbench.action.closeAllEditors') ?? this.command('View: Close All Editors'));
    await this.editorsClosed();
  }

  /** Waits until every editor is closed, which was asked for; nothing is saved. */
  async editorsClosed() {
    const dontSave = this.page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" });
    await until('the editors to close', async () => {
      if (await dontSave.isVisible()) await dontSave.click();
      return (await this.page.locator('.part.editor .tabs-container').getByRole('tab').count()) === 0;
    });
  }

  /** Saves a picture under test-results/ (or at an absolute path) for people. The gate asks for none but at absolute paths: they take long. */
  async screenshot(name) {
    if (process.env.ACP_HOST_PICTURES === 'off' && !name.startsWith('/')) return undefined;
    const path = name.startsWith('/') ? name : join(results, name.endsWith('.png') ? name : `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    await this.page.screenshot({ path, timeout: 15_000 });
    return path;
  }

  /** Saves picture, console and the webview's text for somebody who was not there; never throws. */
  async leaveEvidence(name) {
    const base = join(results, name.replace(/[^\w.-]+/g, '-').slice(0, 100));
    try {
      await this.screenshot(`${base}.png`);
      const view = await this.frame()
        .locator('body')
        .innerText({ timeout: 2000 })
        .catch(() => '(no webview)');
      writeFileSync(
        `${base}.txt`,
        `${view}\n\n--- notifications\n${(await this.notifications()).join('\n')}\n\n--- console\n${this.console.slice(-200).join('\n')}\n`,
      );
    } catch (error) {
      console.error(`no evidence for "${name}": ${error.message}`);
    }
    return `${base}.png`;
  }

  async close() {
    await this.page.context().close();
  }
}
