/**
 * Finding a word in 1 GB of stored journals, compared with `grep -c` over the same files; the time of the first result; and the longest
 * delay of the event loop. Measures the very first search, which reads the journals, and later ones.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SessionStorage } from '../../src/session/storage/sessionStorage';
import { median } from './median';
import type { BenchLine } from './run';
import { FOLDER, fillStore } from './storeLoad';

const MEGABYTES = Number(process.env['ACP_HOST_BENCH_MB'] ?? 1024);
const SESSIONS = 200;
const ROUNDS = 5;
/** The maximum cost of a search, as a multiple of grep's time. */
const LIMIT = 2;
/** The maximum event-loop delay in ms. */
const MAX_DELAY = 50;

interface Searched {
  readonly ms: number;
  readonly firstMs: number;
  readonly delayMs: number;
  readonly hits: number;
}

export async function run(): Promise<readonly BenchLine[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'acp-host-search-'));
  const log = { info: () => undefined, warn: console.error };
  const open = (): SessionStorage =>
    new SessionStorage({ root: path.join(folder, 'store'), earlier: { globalStorage: folder }, maxBytes: () => Infinity, log });
  try {
    const { rare } = await fillStore(path.join(folder, 'store'), SESSIONS, (MEGABYTES * 1024 * 1024) / SESSIONS);
    const storage = open();
    await storage.list({ limit: 1 });
    const journals = path.join(folder, 'store', 'folders');
    const files = readdirSync(journals).flatMap((name) =>
      readdirSync(path.join(journals, name))
        .filter((file) => file.endsWith('.jsonl'))
        .map((file) => path.join(journals, name, file)),
    );
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const grep: number[] = [await grepped(rare, files)];
    const first = await searched(storage, rare);
    const later: Searched[] = [];
    grep.length = 0;
    for (let round = 0; round < ROUNDS; round++) {
      grep.push(await grepped(rare, files));
      later.push(await searched(storage, rare));
    }
    const common = await searched(storage, 'function');
    if (first.hits !== SESSIONS / 20 || later.some(({ hits }) => hits !== first.hits)) {
      throw new Error(`${first.hits} hits, and then ${later.map(({ hits }) => hits).join(', ')}`);
    }
    console.error(`${(bytes / 1024 / 1024).toFixed(0)} MB in ${files.length} journals of ${FOLDER}`);
    const baseline = median(grep);
    const line = (name: string, value: number, limit?: number): BenchLine => ({
      name: `search: ${name}, beside grep -c`,
      value,
      unit: 'ms',
      baseline,
      ratio: value / baseline,
      ...(limit !== undefined && { limit }),
    });
    storage.dispose();
    return [
      line(`a word in ${MEGABYTES} MB of journals`, median(later.map(({ ms }) => ms)), LIMIT),
      line('the same, the first search of all', first.ms),
      line('until the first result', median(later.map(({ firstMs }) => firstMs))),
      line('until the first result, the first search of all', first.firstMs),
      line('until the first result for a word that is everywhere', common.firstMs),
      delay('the longest wait of others', Math.max(...later.map(({ delayMs }) => delayMs))),
      delay('the same, the first search of all', first.delayMs),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function delay(name: string, value: number): BenchLine {
  return { name: `search: ${name}, beside 50 ms`, value, unit: 'ms', baseline: MAX_DELAY, ratio: value / MAX_DELAY, limit: 1 };
}

async function searched(storage: SessionStorage, word: string): Promise<Searched> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  const start = performance.now();
  let firstMs = Infinity;
  let hits = 0;
  for await (const hit of storage.search(word, new AbortController().signal)) {
    firstMs = Math.min(firstMs, performance.now() - start);
    hits += hit.excerpt.toLowerCase().includes(word) ? 1 : 0;
  }
  histogram.disable();
  return { ms: performance.now() - start, firstMs, delayMs: histogram.max / 1e6, hits };
}

function grepped(word: string, files: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const grep = spawn('grep', ['-c', word, ...files], { stdio: ['ignore', 'pipe', 'inherit'] });
    grep.stdout.resume();
    grep.once('error', reject);
    grep.once('close', () => resolve(performance.now() - start));
  });
}
