/** Opening a list of 3,000 stored sessions, compared with a list of 30. In a new window, and again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SessionStorage } from '../../src/session/storage/sessionStorage';
import { median } from './median';
import type { BenchLine } from './run';
import { FOLDER, fillStore } from './storeLoad';

const MANY = 3000;
const FEW = 30;
/** The first page of a list. */
const PAGE = 30;
const ROUNDS = 21;
const LIMIT = 1.5;

export async function run(): Promise<readonly BenchLine[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'acp-host-sessions-'));
  try {
    const of = (count: number): string => path.join(folder, String(count), 'store');
    for (const count of [FEW, MANY]) {
      await fillStore(of(count), count, 1000);
    }
    const times = {
      fresh: new Map([FEW, MANY].map((count) => [count, [] as number[]])),
      again: new Map([FEW, MANY].map((count) => [count, [] as number[]])),
    };
    for (let round = 0; round <= ROUNDS; round++) {
      for (const count of round % 2 === 0 ? [FEW, MANY] : [MANY, FEW]) {
        const log = { info: () => undefined, warn: console.error };
        const storage = new SessionStorage({ root: of(count), earlier: { globalStorage: folder }, maxBytes: () => Infinity, log });
        const start = performance.now();
        await opened(storage, count);
        const between = performance.now();
        await opened(storage, count);
        const end = performance.now();
        storage.dispose();
        if (round > 0) {
          times.fresh.get(count)!.push(between - start);
          times.again.get(count)!.push(end - between);
        }
      }
    }
    const line = (name: string, measured: ReadonlyMap<number, readonly number[]>): BenchLine => {
      const value = median(measured.get(MANY)!);
      const baseline = median(measured.get(FEW)!);
      return { name: `sessions: ${name}, 3,000 stored beside 30`, value, unit: 'ms', baseline, ratio: value / baseline, limit: LIMIT };
    };
    return [line('a list in a window that has just opened', times.fresh), line('the list again', times.again)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function opened(storage: SessionStorage, count: number): Promise<void> {
  const { summaries, total } = await storage.list({ folders: [FOLDER], archived: false, limit: PAGE });
  // The view does the same: a row shows when another window owns its session.
  await Promise.all(summaries.map(({ key }) => storage.isLiveElsewhere(key)));
  if (summaries.length !== PAGE || total !== count) {
    throw new Error(`${summaries.length} of ${total}`);
  }
}
