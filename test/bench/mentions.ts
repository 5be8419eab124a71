/**
 * Mentions in a workspace of 100,000 files, as git lists them. Measures the delay of the first and of later keystrokes once the files are
 * listed, and the longest time for which indexing and searching block the extension host.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gitFiles } from '../../src/context/listFiles';
import { PathIndex } from '../../src/context/pathIndex';
import { median } from './median';
import type { BenchLine } from './run';

const FILES = 100_000;
const ROUNDS = 7;
/** The time of two frames, in ms. */
const TWO_FRAMES = 33;
/** The time in ms for which the extension host may be blocked. */
const HELD = 50;
/** The first typed letters: a letter that half of all paths contain is the worst case. */
const KEYS = ['e', 's', 'c'];

export async function run(): Promise<readonly BenchLine[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'acp-host-mentions-'));
  try {
    repository(folder);
    const listing: number[] = [];
    const held: number[] = [];
    const first: number[] = [];
    const later: number[] = [];
    const searching: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const index = new PathIndex();
      const began = performance.now();
      held.push(
        await longestTurn(async () => {
          await gitFiles('git', folder, (paths) => index.add(paths), new AbortController().signal);
        }),
      );
      await index.warmUp();
      listing.push(performance.now() - began);
      if (index.size < FILES) {
        throw new Error(`only ${index.size} paths were listed`);
      }
      const key = KEYS[round % KEYS.length]!;
      searching.push(
        await longestTurn(async () => {
          const asked = performance.now();
          await index.search({ text: key, limit: 50 });
          first.push(performance.now() - asked);
          const again = performance.now();
          await index.search({ text: `${key}r`, limit: 50 });
          later.push(performance.now() - again);
        }),
      );
    }
    const line = (name: string, value: number, baseline: number): BenchLine => ({
      name: `mentions: ${name}`,
      value,
      unit: 'ms',
      baseline,
      ratio: value / baseline,
      limit: 1,
    });
    return [
      { name: 'mentions: 100,000 files listed by git and indexed', value: median(listing), unit: 'ms' },
      line('first keystroke in 100,000 files, of two frames', median(first), TWO_FRAMES),
      line('second keystroke, of two frames', median(later), TWO_FRAMES),
      line('longest turn while the index is built, of 50 ms', median(held), HELD),
      line('longest turn while it is searched, of 50 ms', median(searching), HELD),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** git lists the files in its index, even if they are not on disk. */
function repository(folder: string): void {
  const git = (args: readonly string[], input?: string): string => {
    const { status, stdout, stderr } = spawnSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      ...(input !== undefined && { input }),
    });
    if (status !== 0) {
      throw new Error(stderr);
    }
    return stdout.trim();
  };
  git(['init', '--quiet']);
  const blob = git(['hash-object', '-w', '--stdin'], 'x');
  const words = ['server', 'client', 'render', 'service', 'editor', 'session', 'message', 'tree', 'worker', 'parser', 'common', 'browser'];
  const word = (at: number): string => words[at % words.length]!;
  const lines = Array.from({ length: FILES }, (_, at) => {
    const file = `packages/${word(at)}${at % 97}/src/${word(at >> 3)}/${word(at >> 5)}${word(at >> 2)[0]!.toUpperCase()}${word(at >> 2).slice(1)}${at}.ts`;
    return `100644 ${blob}\t${file}\n`;
  });
  git(['update-index', '--index-info'], lines.join(''));
}

/** The longest time in ms in which no other code could run. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let last = performance.now();
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) {
      setImmediate(tick);
    }
  };
  setImmediate(tick);
  await work();
  isOver = true;
  tick();
  return longest;
}
