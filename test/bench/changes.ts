/**
 * The costs of change tracking:
 * - a prompt in a repository of 50,000 files with 200 dirty ones, until the agent's process has it, compared with one in an empty folder
 * - the copies taken meanwhile, compared with one `git status`
 * - a keystroke in a file of 10,000 lines with 100 pending changes
 * - the size of 500 changed files in the store
 * - the time for which a file of 16,000 changed lines blocks the event loop
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gitStatus } from '../../src/changes/disk/git';
import { LiveHunks } from '../../src/changes/hunks/liveHunks';
import { playTurn, run as git, Workspace } from '../support/changes/workspace';
import { everyLineChanged } from './changesHold';
import { run as scale } from './changesScale';
import { median } from './median';
import type { BenchLine } from './run';

const FILES = Number(process.env.ACP_HOST_BENCH_FILES ?? 50_000);
const DIRTY = 200;
const ROUNDS = Number(process.env.ACP_HOST_BENCH_ROUNDS ?? 9);
const KEYSTROKES = 500;
const LINES = 10_000;
const HUNKS = 100;
const TOUCHED = 500;

/** The time in ms that a prompt may take longer. */
const PROMPT_LIMIT = 20;
const KEYSTROKE_LIMIT = 16;
const STORE_LIMIT = 100;

export async function run(): Promise<readonly BenchLine[]> {
  return [...(await everyLineChanged()), ...(await inRepository()), keystroke(), await touched(), ...(await scale())];
}

async function inRepository(): Promise<BenchLine[]> {
  const [large, empty] = [new Workspace(true), new Workspace(false)];
  try {
    for (let index = 0; index < FILES; index++) {
      const folder = path.join(large.folder, `d${index % 500}`);
      if (index < 500) {
        mkdirSync(folder);
      }
      writeFileSync(path.join(folder, `f${index}.ts`), `export const value${index} = ${index};\n`);
    }
    large.commit();
    for (let index = 0; index < DIRTY; index++) {
      large.write(`d${index}/f${index}.ts`, `export const changed${index} = '${'x'.repeat(5000)}';\n`);
    }
    execFileSync('git', ['status', '--porcelain'], { cwd: large.folder });
    await delay(2000);
    const prompts: Record<'large' | 'empty', number[]> = { large: [], empty: [] };
    const [copies, status]: [number[], number[]] = [[], []];
    const agent = new EchoAgent();
    const sessions = { large: large.session(), empty: empty.session() };
    for (let round = 0; round < ROUNDS; round++) {
      for (const where of ['large', 'empty'] as const) {
        const { recorder } = sessions[where];
        const start = performance.now();
        const answered = agent.prompt();
        recorder.turnStarted(`turn-${round}`, Date.now());
        await answered;
        prompts[where].push(performance.now() - start);
        await recorder.copied();
        await recorder.turnEnded(`turn-${round}`);
      }
      // The copies alone, without the time of a prompt and its answer.
      const { recorder } = large.session({ key: `copies-${round}` });
      const before = performance.now();
      recorder.turnStarted('turn', Date.now());
      await recorder.copied();
      copies.push(performance.now() - before);
      const between = performance.now();
      await gitStatus(git, large.folder);
      status.push(performance.now() - between);
    }
    agent.dispose();
    const [value, baseline] = [median(prompts.large), median(prompts.empty)];
    const more = value - baseline;
    if (more > PROMPT_LIMIT) {
      throw new Error(`A prompt takes ${more} ms more in a large repository`);
    }
    return [
      { name: `changes: prompt and answer, ${FILES} files beside an empty folder`, value, unit: 'ms', baseline, ratio: value / baseline },
      { name: 'changes: how much longer', value: more, unit: `ms of ${PROMPT_LIMIT}` },
      {
        name: 'changes: copies of 200 dirty files beside git status',
        value: median(copies),
        unit: 'ms',
        baseline: median(status),
        ratio: median(copies) / median(status),
        limit: 2,
      },
    ];
  } finally {
    large.dispose();
    empty.dispose();
  }
}

/** A process that repeats its input, like an agent that answers at once. */
class EchoAgent {
  private readonly child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], { stdio: ['pipe', 'pipe', 'inherit'] });

  prompt(): Promise<void> {
    const answered = new Promise<void>((resolve) => this.child.stdout.once('data', () => resolve()));
    this.child.stdin.write('{"jsonrpc":"2.0","method":"session/prompt"}\n');
    return answered;
  }

  dispose(): void {
    this.child.kill();
  }
}

function keystroke(): BenchLine {
  const line = (index: number): string => `  const value${index} = compute(${index}); // what it is for\n`;
  const before = Array.from({ length: LINES }, (_, index) => line(index));
  const hunks = LiveHunks.of(before.join(''));
  hunks.replace(before.map((text, index) => (index % (LINES / HUNKS) === 50 ? `${text.slice(0, -1)} changed\n` : text)).join(''), {
    type: 'agent',
    by: 'turn',
  });
  if (hunks.hunks.length !== HUNKS) {
    throw new Error(`${hunks.hunks.length} hunks`);
  }
  const times: number[] = [];
  for (let index = 0; index < KEYSTROKES; index++) {
    const at = (index * 7919) % hunks.text.length;
    const start = performance.now();
    hunks.edit([{ start: at, end: at, text: 'x' }], { type: 'user' });
    // The positions of all changes, which an editor then shows.
    hunks.hunks.forEach((hunk) => hunks.linesOf(hunk));
    times.push(performance.now() - start);
  }
  const value = median(times);
  return { name: 'changes: a keystroke among 10,000 lines and 100 hunks', value, unit: `ms of ${KEYSTROKE_LIMIT}` };
}

async function touched(): Promise<BenchLine> {
  const workspace = new Workspace(true);
  try {
    const text = (index: number, turn: number): string =>
      Array.from({ length: 1000 }, (_, line) => `file ${index}, turn ${turn}, line ${line}: ${(line * index * 31) % 977}\n`).join('');
    for (let index = 0; index < TOUCHED; index++) {
      workspace.write(`f${index}.ts`, text(index, 0));
    }
    workspace.commit();
    await workspace.settle();
    const session = workspace.session();
    for (let turn = 1; turn <= 3; turn++) {
      await playTurn(session, `turn-${turn}`, () => {
        for (let index = 0; index < TOUCHED; index++) {
          workspace.write(`f${index}.ts`, text(index, turn));
        }
      });
    }
    const value = (await session.storeFolder.size()) / 1024 / 1024;
    return { name: 'changes: 500 files of 40 KB, touched in three turns', value, unit: `MB of ${STORE_LIMIT}` };
  } finally {
    workspace.dispose();
  }
}
