// Drives a real VS Code window in Chromium: sends a user's commands and reads the screen.
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
  if (isUndrawn()) await page.addInitScript(leaveUndrawn, SEEN);
  return new VSCodeWindow(page, serverUrl);
}

/** The attribute of the root element while an undrawn document is visible. */
const SEEN = 'data-seen';

/** True in the gate: no test looks at pictures, and painting takes a fifth of a window's processor time. */
function isUndrawn() {
  return process.env.ACP_HOST_PICTURES === 'off';
}

/** Runs in each document of a window: it is laid out, measured, clicked and read as usual, but not painted. */
function leaveUndrawn(seen) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`html:not([${seen}]) { opacity: 0; }`);
  document.adoptedStyleSheets.push(sheet);
}

/** Runs in the page: the databases in which VS Code keeps the state of workspaces. */
async function stateDatabases() {
  const all = await indexedDB.databases();
  return all.map(({ name }) => name).filter((name) => name.startsWith('vscode-web-state-db-') && !name.endsWith('-global'));
}

/** Runs in the page: the state of the editor area that VS Code has saved in one of these databases, as text; '' without one. */
async function savedEditors(name) {
  const request = (wanted) =>
    new Promise((resolve, reject) =>
      Object.assign(wanted, { onsuccess: () => resolve(wanted.result), onerror: () => reject(wanted.error) }),
    );
  const database = await request(indexedDB.open(name));
  try {
    const items = database.transaction('ItemTable').objectStore('ItemTable');
    // The editors are JSON within JSON.
    return ((await request(items.get('memento/workbench.parts.editor'))) ?? '').replaceAll('\\\\', '');
  } finally {
    database.close();
  }
}

/** A VS Code window. Every wait has a limit, and its error names the awaited condition. */
export class VSCodeWindow extends Palette {
  /** The console output of the page and its webviews, as `type: text`. */
  console = [];

  constructor(page, serverUrl) {
    super(page);
    /** The absolute path of the open folder. */
    this.folder = undefined;
    this.serverUrl = serverUrl;
    /** Runs commands in the window without its palette; undefined when the harness's extension is not installed. */
    this.neighbour = undefined;
    /** The database in which VS Code keeps the state of the open folder. */
    this.stateDatabase = undefined;
    page.on('console', (message) => this.console.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => this.console.push(`pageerror: ${error.stack ?? error}`));
    // Leaving a window with unsaved changes asks for confirmation, which a reload in a test always gives.
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
  }

  /** Opens a folder, or a `.code-workspace` file, in this window and waits for the workbench. Without a path it opens an empty window. */
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
      // Under load VS Code sometimes takes a workspace file for one without folders.
      if (
        attempt === 3 ||
        !folder?.endsWith('.code-workspace') ||
        (await appears(this.page.locator('.explorer-folders-view .monaco-list-row').first(), 15_000))
      )
        return;
    }
  }

  /** Waits until the workbench is drawn. */
  async ready() {
    await this.page.locator('.monaco-workbench .part.editor').waitFor({ timeout: 60_000 });
    await this.page.locator('.part.statusbar .statusbar-item').first().waitFor({ timeout: 60_000 });
  }

  /** Reloads the window with **Developer: Reload Window**, which saves the window's state first. Page and extension host are restarted. */
  async reload() {
    const id = 'workbench.action.reloadWindow';
    await Promise.all([
      this.page.waitForEvent('domcontentloaded', { timeout: 60_000 }),
      // The answer of the neighbour may get lost with its extension host.
      this.neighbour?.start(id).catch(() => undefined) ?? this.command('Developer: Reload Window'),
    ]);
    await this.ready();
  }

  /** Locates the document inside the visible webview. */
  frame() {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');
  }

  /** Returns the name of the visible webview; undefined when there is none. */
  async frameName() {
    // Evaluated at once, because the frame may be removed meanwhile and must not be waited for.
    return this.page.locator('iframe.webview.ready:visible').evaluateAll(([frame]) => frame?.name || undefined);
  }

  /** Waits for our panel, until its composer accepts text. `other`: the name of a webview to ignore. */
  async panel({ timeoutMs = 45_000, other } = {}) {
    const frame = this.frame();
    if (other !== undefined) await until('another panel', async () => ![other, undefined].includes(await this.frameName()), { timeoutMs });
    await frame.getByRole('textbox', { name: 'Message', exact: true }).waitFor({ timeout: timeoutMs });
    return frame;
  }

  /** Opens a file of the workspace by its path relative to the folder, through quick open if there is no faster way. */
  async openFile(path) {
    const name = path.split('/').at(-1);
    if (this.neighbour) await this.neighbour.open(join(this.folder, path));
    else await this.quickOpen(path, name);
    await this.tab(name).waitFor();
    await this.editor().locator('.view-line').first().waitFor();
  }

  /** Opens a file like a user, which takes time. */
  async quickOpen(path, name) {
    for (let attempt = 1; ; attempt++) {
      // A whole path is resolved on disk; a partial one needs the file search, which the slim server build may lack.
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

  /** Activates a tab. */
  async showTab(name) {
    await this.tab(name).click();
  }

  /**
   * Closes the group that contains a tab, by its tabs. VS Code's commands for groups depend on the active one, and the focus of a webview that was
   * clicked arrives late, and activates its own group.
   */
  async closeGroup(name) {
    await this.dismiss();
    const named = this.page.getByRole('tab', { name: new RegExp(`^${literal(name)}(,|$)`) });
    const group = this.page.locator('.part.editor .editor-group-container').filter({ has: named });
    await group.waitFor();
    const tabs = group.locator('.tabs-container').getByRole('tab');
    for (let left = await tabs.count(); left > 0; left--) {
      // The named tab is the last one: it identifies the group.
      const others = tabs.filter({ hasNotText: name });
      await (left > 1 ? others.first() : tabs.first()).click({ button: 'middle' });
      await until('the tab to be closed', async () => (await tabs.count()) < left);
    }
  }

  /** True while the editor's tab has the mark of unsaved changes. */
  async isDirty(name) {
    return /(^|\s)dirty(\s|$)/.test((await this.tab(name).getAttribute('class')) ?? '');
  }

  /** The visible text editor. */
  editor() {
    return this.page.locator('.part.editor .editor-instance .monaco-editor:visible').first();
  }

  /** Types `text` at the start or the end of the visible editor and leaves it unsaved. */
  async typeInEditor(text, { at = 'end' } = {}) {
    await this.editor().locator('.view-line').first().click();
    await this.page.keyboard.press(at === 'start' ? 'Control+Home' : 'Control+End');
    // insertText works with both kinds of editor input, the text area and EditContext, as one edit without completions.
    await this.page.keyboard.insertText(text);
  }

  /** The text of the visible editor, with unsaved changes; lines outside the screen are missing. */
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

  /** The messages of the notifications, including those whose toast has disappeared. Opens the notification centre. */
  async notifications() {
    if ((await this.page.locator('.notifications-center.visible').count()) === 0) {
      const bell = this.page.locator('.statusbar-item[id="status.notifications"]');
      if ((await bell.count()) === 0) return [];
      await bell.click();
    }
    await appears(this.page.locator('.notifications-center .notification-list-item-message'), 500);
    const messages = await this.page.locator('.notification-list-item-message').allInnerTexts();
    // The notification centre covers the corner with our Send button.
    await this.page
      .locator('.notifications-center.visible .codicon-notifications-hide, .notifications-center.visible .codicon-chevron-down')
      .first()
      .click({ timeout: 2000 })
      .catch(() => {});
    return messages;
  }

  /** Waits for a notification that contains `text` (string or RegExp), toast or not, and returns its whole message. */
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

  /** Closes what covers the window: a quick pick, a dialog. */
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

  /** Waits until every editor is closed, without saving, after a request to close them. */
  async editorsClosed() {
    const dontSave = this.page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" });
    await until('the editors to close', async () => {
      if (await dontSave.isVisible()) await dontSave.click();
      return (await this.page.locator('.part.editor .tabs-container').getByRole('tab').count()) === 0;
    });
  }

  /**
   * Saves a picture under test-results/ (or at an absolute path) for people. The gate only takes those with absolute paths, because
   * pictures take long.
   */
  async screenshot(name) {
    if (process.env.ACP_HOST_PICTURES === 'off' && !name.startsWith('/')) return undefined;
    const path = name.startsWith('/') ? name : join(results, name.endsWith('.png') ? name : `${name}.png`);
    mkdirSync(dirname(path), { recursive: true });
    await this.whileSeen(() => this.page.screenshot({ path, timeout: 15_000 }));
    return path;
  }

  /** Paints the window and its webviews while `work` runs. */
  async whileSeen(work) {
    if (!isUndrawn()) return work();
    const areSeen = async (seen) => {
      const show = ([name, isSeen]) => void document.documentElement.toggleAttribute(name, isSeen);
      // A frame may be gone by now.
      await Promise.all(this.page.frames().map((frame) => frame.evaluate(show, [SEEN, seen]).catch(() => undefined)));
    };
    await areSeen(true);
    try {
      return await work();
    } finally {
      await areSeen(false);
    }
  }

  /** Saves a picture, the console and the webview's text for a later analysis; never throws. */
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
