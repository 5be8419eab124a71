/**
 * The packed extension in the real VS Code, from the agent's first byte until the end is visible. The baseline is a page that appends the
 * same agent's text as it arrives, in the same browser and run. Each load is checked: no tool call, word or order may be lost. The check
 * takes most of the time; `ACP_HOST_BENCH_UNCHECKED` turns it off.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { markdownText } from './markdownText';
import { median } from './median';
import { openPackedWindow, type PackedWindow } from './packedWindow';
import type { BenchLine } from './run';

const ROUNDS = Number(process.env.ACP_HOST_BENCH_ROUNDS ?? 3);
const LOADS = ['tools', 'markdown', 'replay'] as const;
type Load = (typeof LOADS)[number];
const END = 'END OF THE FLOOD';
const AGENT = path.resolve(__dirname, 'floodAgent.mjs');
const TEXT = markdownText(73 * 1024);

/**
 * Writes the text to a file from which the agent reads it. An environment variable would count as a secret with hundreds of lines, each of
 * which is searched for in all recorded text.
 */
function textFile(): string {
  const file = path.join(tmpdir(), `acp-host-flood-${process.pid}.md`);
  writeFileSync(file, TEXT);
  return file;
}

interface BenchWindow {
  page: Page;
  command(name: string): Promise<void>;
  typeInPalette(text: string): Promise<boolean>;
  openFolder(folder: string): Promise<void>;
  frame(): FrameLocator;
  pickRow(name: string): Promise<void>;
  leaveEvidence(name: string): Promise<string>;
}
type Harness = PackedWindow<BenchWindow>;

export async function run(): Promise<readonly BenchLine[]> {
  const harness = await open();
  const ours: Record<Load, number[]> = { tools: [], markdown: [], replay: [] };
  const page: Record<Load, number[]> = { tools: [], markdown: [], replay: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const load of LOADS) {
        ours[load].push(await inWindow(harness, load));
        page[load].push(await inPage(harness, load));
        console.error(`${load}: ${ours[load].at(-1)} ms, appending ${page[load].at(-1)} ms`);
      }
    }
  } finally {
    await harness.stop();
  }
  const names: Record<Load, string> = {
    tools: '1,000 tool calls with diffs',
    markdown: '73 KB of markdown in 20-byte chunks',
    replay: '5,000 replayed entries',
  };
  return LOADS.map((load) => {
    const value = median(ours[load]);
    const baseline = median(page[load]);
    return { name: `window: ${names[load]} beside appending`, value, unit: 'ms', baseline, ratio: value / baseline };
  });
}

async function open(): Promise<Harness> {
  const harness = await openPackedWindow<BenchWindow>();
  await harness.window.page.context().addInitScript(watchForEnd, END);
  return harness;
}

/**
 * Runs in every frame of the window. The frame around a webview's page checks in each animation frame whether that page shows the end: a
 * check from outside would be delayed by its own transport. The page itself is replaced when it starts, and would lose the record.
 */
function watchForEnd(end: string): void {
  const found = globalThis as { endShownAt?: number[] };
  found.endShownAt = [];
  let was = false;
  const look = (): void => {
    const shows = [...document.querySelectorAll('iframe')].some((frame) => {
      try {
        return frame.contentDocument?.querySelector('[role="log"]')?.textContent?.includes(end) === true;
      } catch {
        return false; // The frame has another origin.
      }
    });
    if (shows && !was) {
      requestAnimationFrame(() => found.endShownAt!.push(Date.now()));
    }
    was = shows;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * The ms from the agent's first byte until a frame of the window showed the end. A conversation of an earlier load may show its end before.
 * @param started the file in which the agent writes the time of its first byte
 */
async function timeUntilShown(page: Page, started: string): Promise<number> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    const began = existsSync(started) ? Number(readFileSync(started, 'utf8')) : 0;
    if (began > 0) {
      const times = await Promise.all(
        page.frames().map((frame) => frame.evaluate(() => (globalThis as { endShownAt?: number[] }).endShownAt ?? []).catch(() => [])),
      );
      const shown = times.flat().find((time) => time >= began);
      if (shown !== undefined) {
        return shown - began;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the end is never shown');
}

/** The time in ms from the agent's first byte until its end is on the screen. */
async function inWindow({ window, dir, copyWorkspace, tempDir }: Harness, load: Load): Promise<number> {
  const { writeSettings } = (await import('../harness/lib/vscode.mjs' as string)) as { writeSettings(dir: string, settings: object): void };
  const started = path.join(tempDir('flood'), 'started');
  writeSettings(dir, {
    'acpHost.agents': { Flood: { command: process.execPath, args: [AGENT, load, started], env: { FLOOD_TEXT: textFile() } } },
    'acpHost.defaultAgent': 'Flood',
  });
  await window.openFolder(copyWorkspace());
  const frame = window.frame();
  if (load === 'replay') {
    await window.command(await historyCommand(window));
    await window.pickRow('Flood');
    // The list of agents may be refreshed under the click.
    await window.pickRow('The flood').catch(async () => {
      await window.pickRow('Flood');
      await window.pickRow('The flood');
    });
  } else {
    const composer = frame.getByRole('textbox', { name: 'Message', exact: true });
    await window.command('ACP: New Session');
    // A newly opened window may lose a command; the measurement begins later.
    await composer.fill('Begin').catch(async () => {
      console.error(`no session was opened: ${await window.leaveEvidence(`bench-${load}`)}`);
      await window.command('ACP: New Session');
      await composer.fill('Begin');
    });
    await frame.getByRole('button', { name: 'Send', exact: true }).click();
  }
  const time = await timeUntilShown(window.page, started);
  if (!process.env.ACP_HOST_BENCH_UNCHECKED) {
    await check(window, load);
  }
  return time;
}

/** The command's title depends on the measured version: the second one until 0.2.0. */
async function historyCommand(window: BenchWindow): Promise<string> {
  const titles = ['ACP: Browse Agent History…', 'ACP: Open Agent Session…'];
  for (const title of titles) {
    const row = window.page.locator('.quick-input-widget:visible .monaco-list-row', { hasText: title }).first();
    await window.typeInPalette(`>${title}`);
    const isThere = await row.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
    await window.page.keyboard.press('Escape');
    if (isThere) {
      return title;
    }
  }
  throw new Error(`the palette has none of ${titles.join(', ')}`);
}

/** Scrolls through the conversation and compares it with the agent's messages. */
async function check(window: BenchWindow, load: Load): Promise<void> {
  const log = window.frame().getByRole('log', { name: 'Conversation' });
  const seen = await log.evaluate(async (element) => {
    const labels = new Set<string>();
    const texts: string[] = [];
    const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
    for (let top = 0; ; top += element.clientHeight / 2) {
      element.scrollTop = top;
      for (let count = 0; count < 40; count++) {
        await frame();
        if (element.querySelector('.absent') === null && count > 2) {
          break;
        }
      }
      const here = [...element.querySelectorAll('article, [role="article"]')].map((article) => article.getAttribute('aria-label') ?? '');
      const numbers = here.flatMap((label) => /part(\d+)\.ts/.exec(label)?.[1] ?? []).map(Number);
      if (numbers.some((number, index) => index > 0 && number <= numbers[index - 1]!)) {
        throw new Error(`out of order: ${numbers.join(' ')}`);
      }
      here.forEach((label) => labels.add(label));
      texts.push(element.textContent ?? '');
      if (top >= element.scrollHeight) {
        break;
      }
    }
    const questions = new Set(texts.flatMap((text) => [...text.matchAll(/Question (\d+)/g)].map(([, number]) => number)));
    return { labels: [...labels], questions: questions.size, last: texts.at(-1) ?? '' };
  });
  const tools = seen.labels.filter((label) => /part\d+\.ts/.test(label));
  if (load === 'tools' && tools.length !== 1000) {
    throw new Error(`${tools.length} of 1,000 tool calls are shown`);
  }
  // Reads in a row share one line, so the questions count here.
  if (load === 'replay' && seen.questions !== 1000) {
    throw new Error(`${seen.questions} of 1,000 questions are shown`);
  }
  if (load === 'markdown') {
    const words = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');
    // Prose at the text's end: the screen shows its words without the markup.
    const prose = TEXT.split('\n\n').filter((block) => /^[a-z ,]+\.?$/.test(block));
    const missing = prose.filter((block) => !words(seen.last).includes(words(block)));
    if (prose.length < 20 || missing.length > 0) {
      throw new Error(`${missing.length} of ${prose.length} paragraphs are not shown`);
    }
  }
}

/** The time in ms from the agent's first byte until a page that only appends its text has painted the end. */
async function inPage({ browser, tempDir }: Harness, load: Load): Promise<number> {
  const started = path.join(tempDir('flood'), 'started');
  const server = createServer((request, response) => {
    if (request.url !== '/agent') {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<!doctype html><div id="scroller" style="height:700px;overflow:auto"><div id="text" style="white-space:pre-wrap"></div></div>',
      );
      return;
    }
    const agent = spawn(process.execPath, [AGENT, load, started, '--plain'], {
      env: { ...process.env, FLOOD_TEXT: textFile() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    agent.stdout.pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage({ viewport: { width: 900, height: 800 } });
  await page.addInitScript('globalThis.__name = (target) => target');
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const shown = await page.evaluate(async () => {
    const target = document.getElementById('text')!;
    const scroller = document.getElementById('scroller')!;
    const reader = (await fetch('/agent')).body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const { update } = (
          JSON.parse(line) as {
            params: { update: { content?: { text?: string } | { newText?: string; content?: { text: string } }[]; title?: string } };
          }
        ).params;
        const { content, title } = update;
        const parts = Array.isArray(content) ? content.map((item) => item.newText ?? item.content?.text ?? '') : [content?.text ?? ''];
        target.append((title ?? '') + parts.join(''));
      }
      scroller.scrollTop = scroller.scrollHeight;
    }
    await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
    return Date.now();
  });
  await page.close();
  server.close();
  server.closeAllConnections();
  return shown - Number(readFileSync(started, 'utf8'));
}
