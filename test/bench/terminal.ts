/**
 * 50 MB of a command's output under a limit of 1 MB, compared with reading the same bytes from node-pty and dropping them. Both alternate
 * in one run, so that they have the same conditions.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node-pty';
import { loadNodePty } from '../../src/terminal/nodePty';
import { TerminalService } from '../../src/terminal/terminalService';
import { systemClock } from '../../src/util/clock';
import type { BenchLine } from './run';

const BYTES = 50_000_000;
const LIMIT = 1_000_000;
const ROUNDS = 5;

/** The wall-clock and CPU time of this process in ms, the best of all rounds, for plain and for coloured output. */
export async function run(): Promise<BenchLine[]> {
  const cwd = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-bench-')));
  try {
    const lines: BenchLine[] = [];
    const samples = {
      plain: `${'0123456789 the quick brown fox jumps over the lazy dog\n'.repeat(100)}`,
      coloured: `\x1b[32m✓\x1b[0m \x1b[90msrc/terminal/terminalService.ts\x1b[39m \x1b[1m12\x1b[22m ms é漢😀\n`.repeat(100),
    };
    for (const [kind, sample] of Object.entries(samples)) {
      const file = path.join(cwd, kind);
      writeFileSync(file, sample.repeat(Math.ceil(BYTES / Buffer.byteLength(sample))));
      const ours: Cost[] = [];
      const theirs: Cost[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        theirs.push(await costOf(() => drop(file)));
        ours.push(await costOf(() => keep(file, cwd)));
      }
      for (const unit of ['wall', 'cpu'] as const) {
        const value = Math.min(...ours.map((cost) => cost[unit]));
        const baseline = Math.min(...theirs.map((cost) => cost[unit]));
        lines.push({
          name: `terminal.${kind}.${unit}`,
          value: Math.round(value),
          unit: 'ms',
          baseline: Math.round(baseline),
          ratio: round2(value / baseline),
        });
      }
    }
    return lines;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

interface Cost {
  readonly wall: number;
  readonly cpu: number;
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wall: performance.now() - wall, cpu: (user + system) / 1000 };
}

function drop(file: string): Promise<void> {
  return new Promise((resolve) => {
    const terminal = spawn('cat', [file], {});
    terminal.onData(() => {});
    terminal.onExit(() => resolve());
  });
}

async function keep(file: string, cwd: string): Promise<void> {
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const room = new TerminalService({
    clock: systemClock,
    log,
    cwd,
    roots: { resolve: (each) => Promise.resolve(each) },
    defaultShell: () => '/bin/sh',
    environment: process.env,
    loadPty: loadNodePty,
    emit: () => {},
  });
  const terminalId = await room.create({ command: 'cat', args: [file], outputByteLimit: LIMIT });
  await room.waitForExit(terminalId);
  const { output, truncated } = room.output(terminalId);
  if (!truncated || Buffer.byteLength(output) < LIMIT - 4) {
    throw new Error('the output is not what was written');
  }
  await room.dispose();
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
