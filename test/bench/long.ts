/**
 * A conversation of 10,000 entries in real Chromium:
 * - opening it, compared with opening one of 100
 * - scrolling to any position
 * - the memory, compared with the journal
 * - typing while 1,000 updates a second arrive, compared with typing in an idle page
 */
import type { Browser, Page } from 'playwright-core';
import type { SessionEvent, EventInput } from '../../src/core/model/event';
import { playgroundIsThere, startBrowser, stopBrowser } from '../support/browser';
import { markdownText } from './markdownText';
import { heapOf } from './heap';
import { median } from './median';
import type { BenchLine } from './run';

const ROUNDS = 5;
const ENTRIES = 10_000;
const PLACES = 40;
const KEYS = 40;

export async function run(): Promise<readonly BenchLine[]> {
  const many: number[] = [];
  const few: number[] = [];
  const late: number[] = [];
  const memory: number[] = [];
  const busyKeys: number[] = [];
  const idleKeys: number[] = [];
  const long = conversation(ENTRIES);
  const short = conversation(100);
  const bytes = long.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
  try {
    const { browser, address } = await startBrowser();
    const at = `${address}/?bare&`;
    for (let round = 0; round < ROUNDS; round++) {
      few.push(await withPage(browser, at, (page) => open(page, short)));
      await withPage(browser, at, async (page) => {
        const before = await heap(page);
        many.push(await open(page, long));
        late.push(await scroll(page));
        memory.push((await heap(page)) - before);
        idleKeys.push(await type(page, 0));
        busyKeys.push(await type(page, 1000));
      });
    }
  } finally {
    await stopBrowser();
  }
  return [
    line('long: opening 10,000 entries beside 100', median(many), 'ms', median(few)),
    line('long: places without content after two frames', median(late), 'places', PLACES),
    line('long: memory beside the journal', median(memory), 'bytes', bytes),
    line('long: key to paint under 1,000 updates/s beside idle', median(busyKeys), 'ms', median(idleKeys)),
  ];
}

function line(name: string, value: number, unit: string, baseline: number): BenchLine {
  return { name, value, unit, baseline, ratio: value / baseline };
}

async function withPage<T>(browser: Browser, address: string, use: (page: Page) => Promise<T>): Promise<T> {
  const page = await browser.newPage({ viewport: { width: 900, height: 800 } });
  // esbuild names functions with a helper that pages do not have.
  await page.addInitScript('globalThis.__name = (target) => target');
  await page.goto(address);
  await playgroundIsThere(page);
  const result = await use(page);
  await page.close();
  return result;
}

/** Turns with a prompt, a thought, reads, an edit with its diff, and an answer. */
function conversation(entries: number): SessionEvent[] {
  const text = markdownText(200_000);
  const events: SessionEvent[] = [];
  let made = 0;
  const add = (...unstamped: EventInput[]): void =>
    void events.push(...unstamped.map((event) => ({ ...event, at: 1e12 + events.length }) as SessionEvent));
  add({ type: 'session_opened', agentName: 'A', cwd: '/a' }, { type: 'session_ready', sessionId: 's' });
  for (let turn = 0; made < entries; turn++) {
    const turnId = `t${turn}`;
    const part = (length: number): string => text.slice((turn * 997) % 150_000, ((turn * 997) % 150_000) + length);
    add(
      { type: 'turn_started', turnId },
      { type: 'message', role: 'user', messageId: turnId, content: [{ type: 'text', text: part(120) }] },
    );
    add({ type: 'message_chunk', role: 'thought', messageId: `h${turn}`, content: { type: 'text', text: part(300) } });
    for (let call = 0; call < 5; call++) {
      const toolCallId = `${turn}-${call}`;
      const isEdit = call === 4;
      const newText = part(700);
      add({
        type: 'tool_call_update',
        toolCallId,
        patch: {
          title: `${isEdit ? 'Edit' : 'Read'} src/part${turn}-${call}.ts`,
          kind: isEdit ? 'edit' : 'read',
          status: 'completed',
          locations: [{ path: `/a/src/part${turn}-${call}.ts`, line: turn }],
          rawInput: { path: `/a/src/part${turn}-${call}.ts` },
          content: isEdit
            ? [
                {
                  type: 'diff',
                  changes: [
                    { operation: 'modify', path: `/a/src/part${turn}-${call}.ts`, oldText: newText.replaceAll('the', 'a'), newText },
                  ],
                },
              ]
            : [{ type: 'content', content: { type: 'text', text: part(400) } }],
        },
      } as EventInput);
    }
    add({ type: 'message_chunk', role: 'agent', messageId: `m${turn}`, content: { type: 'text', text: part(1200) } });
    add({ type: 'turn_ended', turnId, stopReason: 'end_turn' });
    made += 9;
  }
  return events;
}

/** The time in ms from the snapshot's arrival until its tail is painted. The host's work, reducing and cutting, is done before. */
async function open(page: Page, events: readonly SessionEvent[]): Promise<number> {
  return page.evaluate(async (all) => {
    const { stage } = window.playground;
    stage.lose = 1;
    stage.events(all);
    const inner = stage as unknown as { deliver: (message: unknown) => void };
    const { deliver } = inner;
    let snapshot: unknown;
    inner.deliver = (message) => (snapshot = message);
    stage.snapshot([]);
    inner.deliver = deliver;
    const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
    await frame();
    const start = performance.now();
    deliver(structuredClone(snapshot));
    const last = document.querySelector('[role="log"]')!;
    while (!last.textContent!.includes('Edit src/')) {
      await frame();
    }
    await frame();
    return performance.now() - start;
  }, events as SessionEvent[]);
}

/** The number of {@link PLACES} positions that show an empty space two frames after scrolling there. */
async function scroll(page: Page): Promise<number> {
  return page.evaluate(async (places) => {
    const scroller = document.querySelector('[role="log"]')!;
    const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
    let empty = 0;
    for (let place = 0; place < places; place++) {
      scroller.scrollTop = ((place * 0.618) % 1) * scroller.scrollHeight;
      await frame();
      await frame();
      // Wait for the paint of the second frame.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const box = scroller.getBoundingClientRect();
      const seen = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const page = seen.find((element) => element.classList.contains('page'));
      if (!page || page.childElementCount === 0 || seen.some((element) => element.classList.contains('absent'))) {
        empty++;
      }
    }
    scroller.scrollTop = scroller.scrollHeight;
    return empty;
  }, PLACES);
}

/** The bytes of JavaScript objects after a garbage collection. The stage's own copy of the conversation is released first. */
async function heap(page: Page): Promise<number> {
  await page.evaluate(() => {
    const { stage } = window.playground;
    stage.posted.length = 0;
  });
  return heapOf(page);
}

/** The median time in ms from a key's event to the frame that shows it, while updates arrive at this rate. */
async function type(page: Page, updatesPerSecond: number): Promise<number> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
  await page.evaluate((rate) => {
    const state = window as unknown as { keys: number[]; stop: () => void };
    state.keys = [];
    const composer = document.activeElement!;
    const onInput = (event: Event): void => {
      // The next timer runs after the frame is painted.
      requestAnimationFrame(() => setTimeout(() => state.keys.push(performance.now() - event.timeStamp), 0));
    };
    composer.addEventListener('input', onInput);
    const { stage } = window.playground;
    if (rate > 0) {
      stage.happen({ type: 'turn_started', turnId: 'live' });
    }
    let count = 0;
    const timer =
      rate > 0 &&
      setInterval(() => {
        const some = Math.round(rate / 60);
        stage.happen(
          ...Array.from(
            { length: some },
            () =>
              ({
                type: 'message_chunk',
                role: 'agent',
                messageId: `live${count++ >> 9}`,
                content: { type: 'text', text: 'word and **more** ' },
              }) as const,
          ),
        );
      }, 1000 / 60);
    state.stop = () => {
      if (timer) {
        clearInterval(timer);
      }
      composer.removeEventListener('input', onInput);
    };
  }, updatesPerSecond);
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press('a');
    await page.waitForTimeout(30);
  }
  const keys = await page.evaluate(() => {
    const state = window as unknown as { keys: number[]; stop: () => void };
    state.stop();
    return state.keys;
  });
  return median(keys);
}
