/** The longest time for which a piece of work holds the event loop, as it holds the extension host. */
import { Review } from '../../src/changes/review/review';
import { systemClock } from '../../src/util/clock';
import { playTurn, Workspace } from '../support/changes/workspace';
import type { BenchLine } from './run';

const LINES = 16_000;
const ROUNDS = 7;
const TOTAL_LIMIT = 3000;
const HOLD_LIMIT = 50;

/**
 * Returns the ms that the work takes, and the ms of the longest time in which no timer could run. A hold counts no longer than the processor time in it,
 * since another process may have had the processor.
 */
export async function held(work: () => Promise<unknown>): Promise<{ total: number; longest: number }> {
  const started = performance.now();
  let [last, used, longest] = [started, processorMs(), 0];
  const tick = (): void => {
    const [now, usedNow] = [performance.now(), processorMs()];
    longest = Math.max(longest, Math.min(now - last, usedNow - used));
    [last, used] = [now, usedNow];
  };
  const timer = setInterval(tick, 1);
  try {
    await work();
    const total = performance.now() - started;
    tick();
    return { total, longest };
  } finally {
    clearInterval(timer);
  }
}

/** ms of processor time that this process has used, threads of the disk included. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The lines of a case. @throws when it takes longer than its limits */
export function heldLines(name: string, { total, longest }: { total: number; longest: number }): readonly BenchLine[] {
  if (total > TOTAL_LIMIT || longest > HOLD_LIMIT) {
    throw new Error(`${name}: ${total} ms in all, ${longest} ms at once`);
  }
  return [
    { name: `changes: ${name}`, value: total, unit: `ms of ${TOTAL_LIMIT}` },
    { name: `changes: ${name}, the longest hold`, value: longest, unit: `ms of ${HOLD_LIMIT}` },
  ];
}

/** Measures a case several times. The shortest counts: other processes of the machine only ever make a hold longer. */
export async function heldAtBest(work: () => Promise<{ total: number; longest: number }>): Promise<{ total: number; longest: number }> {
  let best = await work();
  for (let round = 1; round < ROUNDS; round++) {
    const next = await work();
    best = next.longest < best.longest ? next : best;
  }
  return best;
}

/** An agent changes every line of a file: from the end of its turn until the review has it, is stored, and the user has undone it. */
export async function everyLineChanged(): Promise<readonly BenchLine[]> {
  return heldLines(`one file with ${LINES} changed lines`, await heldAtBest(reviewEveryLine));
}

async function reviewEveryLine(): Promise<{ total: number; longest: number }> {
  const workspace = new Workspace(true);
  try {
    const text = (indent: string): string => Array.from({ length: LINES }, (_, index) => `${indent}line ${index}\n`).join('');
    workspace.write('a.txt', text(''));
    workspace.commit();
    await workspace.settle();
    const session = workspace.session();
    const { turnId, files } = await playTurn(session, 'turn', () => workspace.write('a.txt', text('  ')));
    const review = new Review({
      store: session.store,
      folder: session.storeFolder,
      clock: systemClock,
      text: async () => text('  '),
      decode: async (_, bytes) => Buffer.from(bytes).toString(),
    });
    const time = await held(async () => {
      await review.recorded(turnId, files);
      await review.flush();
      const file = files[0]!.path;
      review.documentChanged(file, review.undoEdits(file), { type: 'user' });
      await review.flush();
    });
    review.dispose();
    return time;
  } finally {
    workspace.dispose();
  }
}
