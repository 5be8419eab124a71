/**
 * Compares benchmarks of another commit with this tree's, alternately, on one machine: `npm run bench -- --against 87cceb13 wire stream`.
 * Each pair runs the benchmark once in each tree. Each measurement that both trees have is one line, whose ratio is the median of the
 * pairs' ratios of new to old.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median } from './median';
import type { BenchLine } from './run';

const ROOT = path.resolve(__dirname, '../..');
/** The largest accepted ratio of new to old: a larger one is not noise. */
const LIMIT = 1.15;
/**
 * Benchmarks that measure a packed version from outside, so this tree's benchmark measures both. The others run in a tree, with its code.
 */
const OF_A_PACKAGE: readonly string[] = ['window', 'open'];

/** Values below these are noise: a task that the browser does not count as long, or one or two of forty places. */
const FLOORS: Readonly<Record<string, number>> = { 'longest task': 50, 'places without content': 2 };

interface Side {
  readonly root: string;
  readonly env: Record<string, string>;
}

/**
 * @param commit the commit to compare with; it is cloned and installed in a temporary folder, which is kept for later runs
 * @param pairs how often each tree runs each benchmark
 * @throws Error when the commit cannot be built, or a benchmark fails
 */
export async function runAgainst(commit: string, names: readonly string[], pairs: number): Promise<BenchLine[]> {
  const isPackaged = names.some((name) => OF_A_PACKAGE.includes(name));
  const old = await checkout(commit);
  for (const root of [old, ROOT]) {
    await run(root, process.execPath, ['esbuild.mjs', '--playground', '--production']);
  }
  const vsix = async (root: string, name: string): Promise<Record<string, string>> => {
    const file = path.join(old, `${name}.vsix`);
    await run(root, 'npm', ['run', '--silent', 'package']);
    copyFileSync(path.join(root, 'acp-host.vsix'), file);
    return { ACP_HOST_BENCH_VSIX: file };
  };
  const before: Side = { root: old, env: isPackaged ? await vsix(old, 'before') : {} };
  const now: Side = { root: ROOT, env: isPackaged ? await vsix(ROOT, 'now') : {} };
  const lines: BenchLine[] = [];
  for (const name of names) {
    const measured = new Map<string, { unit: string; before: number[]; now: number[] }>();
    for (let pair = 0; pair < pairs; pair++) {
      const turns = [
        { side: before, as: 'before' },
        { side: now, as: 'now' },
      ] as const;
      for (const { side, as } of pair % 2 === 0 ? turns : turns.toReversed()) {
        const root = OF_A_PACKAGE.includes(name) ? ROOT : side.root;
        for (const line of await measure(root, name, { ...side.env, ...(pair > 0 && { ACP_HOST_BENCH_UNCHECKED: '1' }) })) {
          const thing = measured.get(line.name) ?? { unit: line.unit, before: [], now: [] };
          thing[as].push(line.value);
          measured.set(line.name, thing);
        }
      }
      console.error(`${name}: pair ${pair + 1} of ${pairs}`);
    }
    for (const [thing, { unit, before, now }] of measured) {
      if (before.length === pairs && now.length === pairs) {
        const floor = Object.entries(FLOORS).find(([words]) => thing.includes(words))?.[1] ?? 0;
        const ratios = now.map((value, pair) => Math.max(floor, value) / Math.max(floor, before[pair]!));
        console.error(`${thing}: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`);
        lines.push({
          name: `${thing}: beside ${commit}`,
          value: median(now),
          unit,
          baseline: median(before),
          ratio: median(ratios),
          limit: LIMIT,
        });
      }
    }
  }
  return lines;
}

/** Runs a benchmark once in a tree, in a process of its own. */
async function measure(root: string, name: string, env: Record<string, string>): Promise<BenchLine[]> {
  const tsx = path.join(root, 'node_modules/tsx/dist/cli.mjs');
  const output = await run(root, process.execPath, [tsx, 'test/bench/run.ts', name], { ...env, ACP_HOST_PLAYGROUND: 'built' });
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as BenchLine);
}

/** Clones this repository at that commit with its packages, and returns the path. */
async function checkout(commit: string): Promise<string> {
  const id = (await run(ROOT, 'git', ['rev-parse', '--short=12', '--verify', '--end-of-options', `${commit}^{commit}`])).trim();
  const folder = path.join(tmpdir(), `acp-host-bench-${id}`);
  if (!existsSync(folder)) {
    const made = mkdtempSync(`${folder}-`);
    await run(ROOT, 'git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, made]);
    await run(made, 'git', ['checkout', '--quiet', '--detach', id]);
    await run(made, 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
    renameSync(made, folder);
  }
  return folder;
}

/** Returns a program's stdout; its other output is shown. */
function run(cwd: string, command: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    // On Windows, `npm` is a script that only a shell can start; all arguments are ours.
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32' && command === 'npm',
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ${args.join(' ')} failed with ${code}:\n${output}`)),
    );
  });
}
