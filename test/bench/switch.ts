/**
 * One page that switches to another session, in real Chromium at the width of a side bar: from the message until the end of the
 * conversation is painted. Measures a live session of 5,000 entries, compared with one of 100 and with a page that appends the same tail.
 * Also a session that is read back from its journal first, compared with a page that appends the journal's texts while it reads the same
 * bytes.
 */
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { SessionEvent, EventInput } from '../../src/core/model/event';
import { JournalFiles } from '../../src/session/journal/journalFiles';
import { reducePortions } from '../../src/session/journal/journalReader';
import { playgroundIsThere, startBrowser, stopBrowser } from '../support/browser';
import { markdownText } from './markdownText';
import { median } from './median';
import type { BenchLine } from './run';

const ROUNDS = Number(process.env['ACP_HOST_BENCH_ROUNDS'] ?? 9);
const MANY = 5000;
const FEW = 100;
/** The number of entries that a snapshot contains in full: the append page shows these. */
const TAIL = 60;
/** The time in ms that a live session may take longer than appending its tail. */
const LIVE_MS = 150;
const VIEWPORT = { width: 420, height: 800 };

export async function run(): Promise<readonly BenchLine[]> {
  const many = conversation(MANY, 'END OF MANY');
  const few = conversation(FEW, 'END OF FEW');
  const folder = mkdtempSync(path.join(tmpdir(), 'acp-host-switch-'));
  const journals = new JournalFiles(folder);
  const header = { acpHostJournal: 1, key: 'k', agentName: 'A', cwd: '/a', createdAt: 1 };
  const journal = [header, ...many.map((event, seq) => ({ seq, event }))].map((line) => JSON.stringify(line)).join('\n') + '\n';
  await journals.file('k').append(journal);
  const times = { many: [] as number[], few: [] as number[], tail: [] as number[], disk: [] as number[], bytes: [] as number[] };
  try {
    const { browser, address } = await startBrowser();
    const page = await openPage(browser, `${address}/?bare&`);
    await page.evaluate(
      ([long, short]) => {
        const { sessions } = window.playground;
        sessions.stage('many').events(long);
        sessions.stage('few').events(short);
      },
      [many, few] as const,
    );
    const tailPage = await openPage(browser, 'about:blank');
    const journalPage = await serveJournal(browser, path.join(folder, 'k.jsonl'));
    // The first round fills the caches.
    for (let round = 0; round <= ROUNDS; round++) {
      const took = {
        few: await switchTo(page, 'few', 'END OF FEW'),
        many: await switchTo(page, 'many', 'END OF MANY'),
        tail: await appendTail(tailPage, many),
      };
      // The host does this first; then the page shows the session like a live one.
      const from = performance.now();
      const { state } = (await reducePortions(journals.portions('k')))!;
      const readBack = performance.now() - from;
      if (state.entries.length < MANY) {
        throw new Error(`only ${state.entries.length} entries were read back`);
      }
      await switchTo(page, 'few', 'END OF FEW');
      const disk = readBack + (await switchTo(page, 'many', 'END OF MANY'));
      const bytes = await journalPage.append();
      console.error(
        `${round}: live ${Math.round(took.many)} (few ${Math.round(took.few)}, tail ${Math.round(took.tail)}), disk ${Math.round(disk)} (append ${Math.round(bytes)}) ms`,
      );
      if (round > 0) {
        Object.entries({ ...took, disk, bytes }).forEach(([name, value]) => times[name as keyof typeof times].push(value));
      }
    }
    journalPage.stop();
  } finally {
    await stopBrowser();
    rmSync(folder, { recursive: true });
  }
  const line = (name: string, value: number, baseline: number, limit: number): BenchLine => ({
    name: `switch: ${name}`,
    value,
    unit: 'ms',
    baseline,
    ratio: value / baseline,
    limit,
  });
  return [
    line('5,000 live entries beside 100', median(times.many), median(times.few), 2),
    line(`5,000 live entries, more than appending the tail, of ${LIVE_MS} ms`, median(times.many) - median(times.tail), LIVE_MS, 1),
    line('5,000 entries from disk beside appending the same bytes', median(times.disk), median(times.bytes), 2),
  ];
}

export async function openPage(browser: Browser, address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  // esbuild names functions with a helper that pages do not have.
  await page.addInitScript('globalThis.__name = (target) => target');
  await page.goto(address);
  if (address !== 'about:blank') {
    await playgroundIsThere(page);
  }
  return page;
}

/** The time in ms from the message until the frame after the one that shows the end of the conversation. */
function switchTo(page: Page, key: string, end: string): Promise<number> {
  return page.evaluate(
    async ([to, text]) => {
      const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
      const isSeen = (): boolean => {
        const log = document.querySelector('[role="log"]');
        const slots = log?.querySelectorAll<HTMLElement>('[data-slot]');
        const last = slots?.[slots.length - 1];
        if (!log || !last?.textContent.includes(text)) {
          return false;
        }
        return last.getBoundingClientRect().bottom <= log.getBoundingClientRect().bottom + 1;
      };
      // The page's idle work is not part of the switch.
      await new Promise((resolve) => requestIdleCallback(resolve));
      const from = performance.now();
      window.playground.sessions.switchTo(to);
      while (!isSeen()) {
        await frame();
      }
      await frame();
      return performance.now() - from;
    },
    [key, end] as const,
  );
}

/** The time in ms until a page that only appends the texts of the tail has painted them. */
function appendTail(page: Page, events: readonly SessionEvent[]): Promise<number> {
  const texts = events.slice(-TAIL).map((event) => textOf(event));
  return page.evaluate(async (all) => {
    document.body.innerHTML =
      '<div id="scroller" style="height:700px;overflow:auto"><div id="text" style="white-space:pre-wrap"></div></div>';
    await new Promise((resolve) => requestIdleCallback(resolve));
    const from = performance.now();
    const target = document.getElementById('text')!;
    all.forEach((text) => target.append(text));
    const scroller = document.getElementById('scroller')!;
    scroller.scrollTop = scroller.scrollHeight;
    await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
    return performance.now() - from;
  }, texts);
}

/** Serves a page that reads the journal as it streams and appends its texts. */
async function serveJournal(browser: Browser, file: string): Promise<{ append(): Promise<number>; stop(): void }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', request.url === '/journal' ? 'text/plain' : 'text/html');
    response.end(request.url === '/journal' ? readFileSync(file) : '<!doctype html><body></body>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await openPage(browser, 'about:blank');
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    append: () =>
      page.evaluate(async () => {
        document.body.innerHTML =
          '<div id="scroller" style="height:700px;overflow:auto"><div id="text" style="white-space:pre-wrap"></div></div>';
        const target = document.getElementById('text')!;
        const scroller = document.getElementById('scroller')!;
        const from = performance.now();
        const reader = (await fetch('/journal', { cache: 'no-store' })).body!.pipeThrough(new TextDecoderStream()).getReader();
        let rest = '';
        for (let read = await reader.read(); !read.done; read = await reader.read()) {
          const lines = (rest + read.value).split('\n');
          rest = lines.pop()!;
          for (const line of lines) {
            const { event } = JSON.parse(line) as {
              event?: { content?: { text?: string } | { text?: string }[]; patch?: { title?: string } };
            };
            const content = event?.content;
            const parts = Array.isArray(content) ? content.map(({ text }) => text ?? '') : [content?.text ?? ''];
            target.append((event?.patch?.title ?? '') + parts.join(''));
          }
          scroller.scrollTop = scroller.scrollHeight;
        }
        await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
        return performance.now() - from;
      }),
    stop: () => server.close(),
  };
}

function textOf(event: SessionEvent): string {
  if (event.type === 'message') {
    return (event.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
  }
  return event.type === 'tool_call_update' ? (event.patch.title ?? '') : '';
}

/** A conversation of this many entries, whose last `FEW` are the same for any number; the last one contains `end`. */
export function conversation(entries: number, end: string): SessionEvent[] {
  const events: EventInput[] = [
    { type: 'session_opened', agentName: 'Ada', cwd: '/home/ada/sample' },
    { type: 'session_ready', sessionId: 's' },
    { type: 'session_info', title: `${entries} entries` },
  ];
  const text = markdownText(900);
  for (let index = MANY - entries; index < MANY - 1; index++) {
    events.push(
      index % 5 === 0
        ? { type: 'message', role: 'user', messageId: `m${index}`, content: [{ type: 'text', text: `Question ${index}?` }] }
        : index % 5 === 4
          ? { type: 'message', role: 'agent', messageId: `m${index}`, content: [{ type: 'text', text: `Answer ${index}.\n\n${text}` }] }
          : {
              type: 'tool_call_update',
              toolCallId: `t${index}`,
              patch: {
                title: `Read part${index}.ts`,
                kind: 'read',
                status: 'completed',
                locations: [{ path: `/home/ada/sample/part${index}.ts` }],
              },
            },
    );
  }
  events.push({ type: 'message', role: 'agent', messageId: 'end', content: [{ type: 'text', text: end }] });
  return events.map((event, index) => ({ ...event, at: index * 10 }) as SessionEvent);
}
