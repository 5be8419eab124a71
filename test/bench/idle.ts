/**
 * The cost of an idle session: memory in the extension host and in the page, compared with the bytes of its events. Also the frame times
 * while the user switches among ten sessions, half of which stream, compared with the same page at rest.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import type { SessionEvent } from '../../src/core/model/event';
import { SessionStore } from '../../src/session/state/store';
import { systemClock } from '../../src/util/clock';
import { startBrowser, stopBrowser } from '../support/browser';
import { heapOf } from './heap';
import { median } from './median';
import type { BenchLine } from './run';
import { conversation, openPage } from './switch';

const SESSIONS = 10;
const ENTRIES = 500;
const SWITCHES = 60;
/** The time in ms between two switches. */
const STAY_MS = 150;
/** The time in ms between two chunks of a streaming session. */
const CHUNK_MS = 30;

export async function run(): Promise<readonly BenchLine[]> {
  const all = Array.from({ length: SESSIONS }, (_, index) => conversation(ENTRIES, `END OF ${index}`));
  const bytes = all.reduce((sum, events) => sum + Buffer.byteLength(JSON.stringify(events)), 0) / SESSIONS;
  const host = inHost(all) / SESSIONS;
  try {
    const { browser, address } = await startBrowser();
    const page = await openPage(browser, `${address}/?bare&`);
    await page.evaluate((events) => {
      const { sessions } = window.playground;
      sessions.stage('first').events(events[0]!.slice(0, 10));
      sessions.switchTo('first');
    }, all);
    const before = await heapOf(page);
    const rest = await frames(page, SESSIONS, 0);
    await page.evaluate((events) => events.forEach((each, index) => window.playground.sessions.stage(`s${index}`).events(each)), all);
    const staged = await heapOf(page);
    await frames(page, SESSIONS, SESSIONS);
    // The playground is host and page in one: its staged events are not the view's.
    const view = ((await heapOf(page)) - staged) / SESSIONS;
    const busy = await frames(page, SESSIONS, SWITCHES);
    console.error(`heap of the page: ${before} B at first, ${staged} B with ${SESSIONS} staged`);
    return [
      line('host memory of an idle session of 500 entries beside its events', host, 'bytes', bytes),
      line('page memory of a session that was shown beside its events', view, 'bytes', bytes),
      line('frame while switching beside one at rest, median', median(busy), 'ms', median(rest)),
      line('frame while switching beside one at rest, of 20 the longest', percentile(busy), 'ms', percentile(rest)),
      line('longest frame while switching', Math.max(...busy), 'ms', Math.max(...rest)),
    ];
  } finally {
    await stopBrowser();
  }
}

/** The bytes of all sessions in this process. */
function inHost(all: readonly (readonly SessionEvent[])[]): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Parsed from JSON as from an agent, so that no text is shared with existing memory.
  const texts = all.map((events) => JSON.stringify(events));
  collect();
  const before = process.memoryUsage().heapUsed;
  const stores = texts.map((text) => {
    const store = new SessionStore(systemClock);
    store.restore(JSON.parse(text) as SessionEvent[]);
    return store;
  });
  collect();
  const used = process.memoryUsage().heapUsed - before;
  if (stores.some((store) => store.state.entries.length < ENTRIES)) {
    throw new Error('a conversation is not whole');
  }
  return used;
}

/**
 * The time in ms of each frame during this many switches among the sessions, of which the even ones stream. Without switches it measures as
 * long as 20 would take.
 */
function frames(page: Page, sessions: number, switches: number): Promise<number[]> {
  return page.evaluate(
    async ([count, times, stay, chunk]) => {
      const { sessions: shown } = window.playground;
      const took: number[] = [];
      let last = performance.now();
      let going = true;
      const look = (): void => {
        const now = performance.now();
        took.push(now - last);
        last = now;
        if (going) {
          requestAnimationFrame(look);
        }
      };
      requestAnimationFrame(look);
      const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
      const timer = setInterval(() => {
        for (let index = 0; index < count && times > 0; index += 2) {
          const content = { type: 'text', text: 'and on, ' } as const;
          shown.stage(`s${index}`).happen({ type: 'message_chunk', role: 'agent', messageId: 'more', content });
        }
      }, chunk);
      for (let index = 0; index < times; index++) {
        shown.switchTo(`s${index % count}`);
        await wait(stay);
      }
      await (times === 0 ? wait(20 * stay) : undefined);
      clearInterval(timer);
      going = false;
      return took.slice(1);
    },
    [sessions, switches, STAY_MS, CHUNK_MS] as const,
  );
}

/** The 95th percentile: one of 20 frames is longer. */
function percentile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
}

function line(name: string, value: number, unit: string, baseline: number): BenchLine {
  return { name: `idle: ${name}`, value, unit, baseline, ratio: value / baseline };
}
