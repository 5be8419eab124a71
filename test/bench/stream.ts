/**
 * A Markdown answer in 20-byte chunks, in real Chromium. The view's main thread is compared with a page that only appends the text, and
 * with parsing all of it for each chunk with `marked`. The view receives what a feed sends, one envelope per frame.
 */
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { MessageChunk } from '../../src/core/model/event';
import type { ToView } from '../../src/core/protocol/view';
import { joinChunks } from '../../src/session/view/feed';
import { playgroundIsThere, root, startBrowser, stopBrowser } from '../support/browser';
import { markdownText } from './markdownText';
import { median } from './median';
import type { BenchLine } from './run';
import { WORST } from './worstTexts';

const ROUNDS = Number(process.env.ACP_HOST_BENCH_ROUNDS ?? 5);
const CHUNK = 20;
/** The chunks that arrive between two frames: about 120 KB/s, faster than any model. */
const PER_FRAME = 100;
/** The time in ms above which a browser counts a task as long. */
const LONG = 50;

const SIZES = { '73 KB': 73 * 1024, '1 MB': 1024 * 1024 } as const;
type Size = keyof typeof SIZES;

/** The lengths in UTF-16 units of the slow texts, and the maximum ratio of their cost per KB to that of prose. */
const WORST_SIZES = [20 * 1024, 80 * 1024] as const;
const WORST_LIMIT = 3;

/** Times of the main thread in ms; `longest` is 0 when no task was long. */
interface Measure {
  readonly busy: number;
  readonly longest: number;
}

export async function run(): Promise<readonly BenchLine[]> {
  const ours: Record<Size, Measure[]> = { '73 KB': [], '1 MB': [] };
  const append: Record<Size, Measure[]> = { '73 KB': [], '1 MB': [] };
  const parse: number[] = [];
  const worst: BenchLine[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const size of Object.keys(SIZES) as Size[]) {
        const text = markdownText(SIZES[size]);
        ours[size].push(await view(text));
        append[size].push(await appendOnly(text));
      }
      parse.push(await parseEach(markdownText(SIZES['73 KB'])));
    }
    worst.push(...(await worstLines()));
  } finally {
    await stopBrowser();
  }
  const busy = (of: Measure[]): number => median(of.map((one) => one.busy));
  const longest = (of: Measure[]): number => median(of.map((one) => one.longest));
  const perKb = (size: Size): number => busy(ours[size]) / (SIZES[size] / 1024);
  const lines: BenchLine[] = [line('stream growth: 1 MB beside 73 KB', perKb('1 MB'), 'ms/KB', perKb('73 KB'))];
  for (const size of Object.keys(SIZES) as Size[]) {
    lines.push(
      line(`stream ${size}: main thread beside appending`, busy(ours[size]), 'ms', busy(append[size])),
      // The limit is twice the longest task of appending, or the threshold of a long task.
      line(`stream ${size}: longest task beside what is allowed`, longest(ours[size]), 'ms', Math.max(LONG, 2 * longest(append[size]))),
    );
  }
  lines.push(line('stream 73 KB: main thread beside parsing each time', busy(ours['73 KB']), 'ms', median(parse)));
  return [...lines, ...worst];
}

/**
 * The cost of a KB of each of the worst texts at both lengths, compared with prose of the same length in the same run; and the longest
 * task.
 */
async function worstLines(): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  const rounds = Math.min(ROUNDS, 3);
  const measuredAs = async (text: string, least?: number): Promise<Measure> => {
    const measures: Measure[] = [];
    for (let round = 0; round < rounds; round++) {
      measures.push(await view(text, least));
    }
    return { busy: median(measures.map(({ busy }) => busy)), longest: median(measures.map(({ longest }) => longest)) };
  };
  for (const size of WORST_SIZES) {
    await view(markdownText(size));
    const { busy: busyOfProse, longest: longestOfProse } = await measuredAs(markdownText(size));
    const prose = busyOfProse / (size / 1024);
    for (const { name, make } of WORST) {
      const { busy, longest } = await measuredAs(make(size), 0);
      const title = `stream worst, ${size / 1024} KB, ${name}`;
      lines.push(
        { ...line(`${title}: main thread beside prose`, busy / (size / 1024), 'ms/KB', prose), limit: WORST_LIMIT },
        { ...line(`${title}: longest task beside what is allowed`, longest, 'ms', Math.max(LONG, WORST_LIMIT * longestOfProse)), limit: 1 },
      );
    }
  }
  return lines;
}

function line(name: string, value: number, unit: string, baseline: number): BenchLine {
  return { name, value, unit, baseline, ratio: value / baseline };
}

function chunksOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / CHUNK) }, (_, at) => text.slice(at * CHUNK, (at + 1) * CHUNK));
}

/** The envelopes that the view receives: one for each {@link PER_FRAME} chunks. */
function envelopesOf(text: string, seq: number): ToView[] {
  const events = chunksOf(text).map(
    (piece): MessageChunk => ({ type: 'message_chunk', at: 1, role: 'agent', messageId: 'm', content: { type: 'text', text: piece } }),
  );
  const envelopes: ToView[] = [];
  for (let start = 0; start < events.length; start += PER_FRAME) {
    const some = events.slice(start, start + PER_FRAME);
    envelopes.push({ type: 'events', seq: seq + start, next: seq + start + some.length, events: joinChunks(some) });
  }
  return envelopes;
}

/** esbuild names functions with a helper that pages do not have. */
async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 900, height: 800 } });
  await page.addInitScript('globalThis.__name = (target) => target');
  return page;
}

/** @param least the number of characters that must be on the page at the end: Markdown signs are not shown */
async function view(text: string, least = text.length / 2): Promise<Measure> {
  const { browser, address } = await startBrowser();
  const page = await openPage(browser);
  await page.goto(`${address}/?bare&`);
  await playgroundIsThere(page);
  const seq = await page.evaluate(() => {
    window.playground.stage.happen(
      { type: 'session_opened', agentName: 'A', cwd: '/a' },
      { type: 'session_ready', sessionId: 's' },
      { type: 'turn_started', turnId: 't' },
    );
    return window.playground.stage.seq;
  });
  const measure = await measured(
    page,
    envelopesOf(text, seq),
    (envelopes) =>
      new Promise<void>((resolve) => {
        let at = 0;
        const step = (): void => {
          if (at === envelopes.length) {
            return resolve();
          }
          window.playground.stage.send(envelopes[at++]!);
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
  const shown = await page.evaluate(() => document.querySelector('[role="log"]')!.textContent!.length);
  if (shown < least) {
    throw new Error(`only ${shown} characters of ${text.length} are shown`);
  }
  await page.close();
  return measure;
}

async function appendOnly(text: string): Promise<Measure> {
  const { browser } = await startBrowser();
  const page = await openPage(browser);
  await page.goto('about:blank');
  await page.setContent(
    '<!doctype html><div id="scroller" style="height:700px;overflow:auto"><div id="text" style="white-space:pre-wrap"></div></div>',
  );
  const frames: string[][] = [];
  const chunks = chunksOf(text);
  for (let start = 0; start < chunks.length; start += PER_FRAME) {
    frames.push(chunks.slice(start, start + PER_FRAME));
  }
  const measure = await measured(
    page,
    frames,
    (all) =>
      new Promise<void>((resolve) => {
        const target = document.getElementById('text')!;
        const scroller = document.getElementById('scroller')!;
        let at = 0;
        const step = (): void => {
          if (at === all.length) {
            return resolve();
          }
          for (const piece of all[at++]!) {
            target.append(piece);
          }
          scroller.scrollTop = scroller.scrollHeight;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
  );
  await page.close();
  return measure;
}

/** The time in ms to parse the text so far at each chunk and to put it into the page, without the browser's painting. */
async function parseEach(text: string): Promise<number> {
  const { browser } = await startBrowser();
  const page = await openPage(browser);
  await page.addScriptTag({ path: path.join(root, 'node_modules/marked/lib/marked.umd.js') });
  const spent = await page.evaluate((chunks) => {
    const { marked } = window as unknown as { marked: { parse(text: string): string } };
    const target = document.body.appendChild(document.createElement('div'));
    const start = performance.now();
    let all = '';
    for (const piece of chunks) {
      all += piece;
      target.innerHTML = marked.parse(all);
    }
    return performance.now() - start;
  }, chunksOf(text));
  await page.close();
  return spent;
}

/** Runs `work` in the page until it is painted, and returns the cost for the page's main thread. */
async function measured<T>(page: Page, argument: T, work: (argument: T) => Promise<void>): Promise<Measure> {
  const client = await page.context().newCDPSession(page);
  // The thread's own time excludes other work of the machine.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyNow = async (): Promise<number> => {
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  };
  // The argument is transferred first, so that reading it is not measured.
  const handle = await page.evaluateHandle((value) => value as unknown, argument as unknown);
  await page.evaluate(() => {
    const state = window as unknown as { longest: number };
    state.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        state.longest = Math.max(state.longest, duration);
      }
    }).observe({ type: 'longtask' });
  });
  const before = await busyNow();
  await page.evaluate(work as never, handle as never);
  await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
  const busy = (await busyNow()) - before;
  const longest = await page.evaluate(() => (window as unknown as { longest: number }).longest);
  return { busy, longest };
}
