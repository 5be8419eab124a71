/**
 * The packed extension in the real VS Code, from Enter in the command palette to a text box on the screen. The baseline is an extension
 * that only opens a webview with a text box, in the same browser and run, alternately in fresh windows.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { median } from './median';
import { openPackedWindow, type PackedWindow } from './packedWindow';
import type { BenchLine } from './run';

const ROUNDS = Number(process.env['ACP_HOST_BENCH_ROUNDS'] ?? 9);
/** The maximum cost of a first open, as a multiple of the empty panel's. */
const LIMIT = 1.5;
/** The time in ms in which a new window, or its palette, comes to rest: only the effect of Enter is measured. */
const REST_MS = 2500;

const EMPTY = { command: 'Empty: Open Panel' } as const;
const OURS = { command: 'ACP: New Session' } as const;
type Subject = typeof EMPTY | typeof OURS;

/** The times in ms from Enter until there is a text box, and until the page's own script has rendered (ours only). */
interface Opened {
  readonly box: number;
  readonly drawn: number | undefined;
}

interface Window {
  page: Page;
  openFolder(folder: string): Promise<void>;
  typeInPalette(text: string): Promise<boolean>;
  screenshot(name: string): Promise<string>;
}

export async function run(): Promise<readonly BenchLine[]> {
  const harness = await start();
  const empty = { first: [] as Opened[], second: [] as Opened[] };
  const ours = { first: [] as Opened[], second: [] as Opened[] };
  try {
    // An extra first round fills the caches of server and browser.
    for (let round = 0; round <= ROUNDS; round++) {
      const subjects = [
        { subject: EMPTY, times: empty },
        { subject: OURS, times: ours },
      ];
      for (const { subject, times } of round % 2 === 0 ? subjects : subjects.reverse()) {
        await harness.window.openFolder(harness.copyWorkspace());
        const first = await open(harness.window, subject);
        const second = await open(harness.window, subject);
        console.error(`${round}: ${subject.command}: first ${said(first)}, second ${said(second)}`);
        if (round === ROUNDS && subject === OURS) {
          console.error(`picture: ${await harness.window.screenshot('bench-open')}`);
        }
        if (round > 0) {
          times.first.push(first);
          times.second.push(second);
        }
      }
    }
  } finally {
    await harness.stop();
  }
  const line = (name: string, values: readonly number[], baselines: readonly Opened[], limit?: number): BenchLine => {
    const value = median(values);
    const baseline = median(baselines.map(({ box }) => box));
    return { name, value, unit: 'ms', baseline, ratio: value / baseline, ...(limit !== undefined && { limit }) };
  };
  const boxes = (times: readonly Opened[]) => times.map(({ box }) => box);
  const drawn = (times: readonly Opened[]) => times.map((opened) => opened.drawn ?? Infinity);
  return [
    line('open: text box, first of a window, beside an empty panel', boxes(ours.first), empty.first, LIMIT),
    line('open: text box, second of a window, beside an empty panel', boxes(ours.second), empty.second),
    line('open: page drawn, first of a window, beside an empty panel’s box', drawn(ours.first), empty.first),
    line('open: page drawn, second of a window, beside an empty panel’s box', drawn(ours.second), empty.second),
  ];
}

function said({ box, drawn }: Opened): string {
  return `${Math.round(box)}${drawn === undefined ? '' : ` (drawn ${Math.round(drawn)})`} ms`;
}

async function start(): Promise<PackedWindow<Window>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'acp-host-empty-'));
  const harness = await openPackedWindow<Window>({ 'acpHost.defaultAgent': 'Demo Agent' }, [await emptyExtension(folder)]);
  rmSync(folder, { recursive: true });
  await harness.window.page.context().addInitScript(watch);
  return harness;
}

/** Packs a minimal extension with a text box in a webview panel; returns the path of its VSIX. */
async function emptyExtension(folder: string): Promise<string> {
  const manifest = {
    name: 'empty-panel',
    publisher: 'acp-host-bench',
    version: '0.0.1',
    engines: { vscode: '^1.100.0' },
    main: './extension.js',
    contributes: { commands: [{ command: 'emptyPanel.open', category: 'Empty', title: 'Open Panel' }] },
  };
  const html = `<!DOCTYPE html><html><body><textarea aria-label="Message"></textarea></body></html>`;
  const code = `const vscode = require('vscode');
exports.activate = (context) => void context.subscriptions.push(vscode.commands.registerCommand('emptyPanel.open', () => {
  const panel = vscode.window.createWebviewPanel('emptyPanel', 'Empty', vscode.ViewColumn.Active, { enableScripts: true });
  panel.webview.html = ${JSON.stringify(html)};
}));
`;
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'extension.js'), code);
  writeFileSync(path.join(folder, 'README.md'), 'An empty panel.\n');
  const packagePath = path.join(folder, 'empty.vsix');
  const { createVSIX } = await import('@vscode/vsce');
  await createVSIX({ cwd: folder, packagePath, allowMissingRepository: true, skipLicense: true, dependencies: false });
  return packagePath;
}

interface Watched {
  enterAt?: number;
  boxAt?: number;
  drawnAt?: number;
}

/**
 * Runs in every frame of the window. The outermost frame records when Enter was pressed, and the frame around a webview's page records
 * when the page first shows a box and a log. The page itself is replaced when it starts, and would lose the record.
 */
function watch(): void {
  const watched = globalThis as Watched;
  const now = (): number => performance.timeOrigin + performance.now();
  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter') {
        watched.enterAt = performance.timeOrigin + event.timeStamp;
      }
    },
    true,
  );
  if (window.top === window) {
    return;
  }
  const shows = (selector: string): boolean =>
    [...document.querySelectorAll('iframe')].some((frame) => {
      try {
        const found = frame.contentDocument?.querySelector(selector)?.getBoundingClientRect();
        // VS Code hides a page until it has loaded.
        const isShown = frame.checkVisibility({ visibilityProperty: true }) && frame.getBoundingClientRect().height > 0;
        return isShown && found !== undefined && found.width > 0 && found.height > 0;
      } catch {
        return false; // The frame has another origin.
      }
    });
  const look = (): void => {
    if (watched.boxAt === undefined && shows('[aria-label="Message"]')) {
      watched.boxAt = now();
    }
    if (watched.drawnAt === undefined && shows('[role="log"]')) {
      watched.drawnAt = now();
    }
    if (watched.drawnAt === undefined) {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}

/**
 * Opens the palette with the subject's command selected. Reopens it until the command appears, because an open palette does not add an
 * extension's commands.
 */
async function offered(window: Window, { command }: Subject): Promise<void> {
  const row = window.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row.focused', { hasText: command });
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    if (await window.typeInPalette(`>${command}`)) {
      const found = await row
        .waitFor({ timeout: 1500 })
        .then(() => true)
        .catch(() => false);
      if (found) {
        return;
      }
    }
    await window.page.keyboard.press('Escape');
  }
  throw new Error(`the palette never offered "${command}"`);
}

async function open(window: Window, subject: Subject): Promise<Opened> {
  const { page } = window;
  await offered(window, subject);
  await page.waitForTimeout(REST_MS);
  await page.keyboard.press('Enter');
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await page.waitForTimeout(250)) {
    const { enterAt } = await watchedIn(page.mainFrame());
    const frames = await Promise.all(page.frames().map((frame) => watchedIn(frame)));
    const opened = frames.find(
      ({ boxAt = 0, drawnAt }) => enterAt !== undefined && boxAt > enterAt && (subject === EMPTY || drawnAt !== undefined),
    );
    if (enterAt !== undefined && opened?.boxAt !== undefined) {
      const { boxAt, drawnAt } = opened;
      return { box: boxAt - enterAt, drawn: drawnAt === undefined ? undefined : drawnAt - enterAt };
    }
  }
  throw new Error(`"${subject.command}" never showed a text box: ${await window.screenshot('bench-open-failed')}`);
}

function watchedIn(frame: Frame): Promise<Watched> {
  const read = (): Watched => {
    const { enterAt, boxAt, drawnAt } = globalThis as Watched;
    return { ...(enterAt !== undefined && { enterAt }), ...(boxAt !== undefined && { boxAt }), ...(drawnAt !== undefined && { drawnAt }) };
  };
  return frame.evaluate(read).catch(() => ({})); // The frame was removed meanwhile.
}
