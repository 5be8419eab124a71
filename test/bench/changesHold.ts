/** The longest time for which work blocks the event loop, and thereby the extension host. */
import { Review } from '../../src/changes/review/review';
import { systemClock } from '../../src/util/clock';
import { playTurn, Workspace } from '../support/changes/workspace';
import type { BenchLine } from './run';

const LINES = 16_000;
const ROUNDS = 7;
const TOTAL_LIMIT = 3000;
const HOLD_LIMIT = 50;

/**
 * Returns the duration of the work and the longest time in which no timer could run, both in ms. A block is limited to the processor time
 * in it, since another process may have had the processor.
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

/** The processor time in ms that this process has used, including its disk threads. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * The lines of a case.
 * @throws Error when it takes longer than its limits
 */
export function heldLines(name: string, { total, longest }: { total: number; longest: number }): readonly BenchLine[] {
  if (total > TOTAL_LIMIT || longest > HOLD_LIMIT) {
    throw new Error(`${name}: ${total} ms in all, ${longest} ms at once`);
  }
  return [
    { name: `changes: ${name}`, value: total, unit: `ms of ${TOTAL_LIMIT}` },
    { name: `changes: ${name}, the longest hold`, value: longest, unit: `ms of ${HOLD_LIMIT}` },
  ];
}

/** Measures a case several times. The shortest time counts: other processes of the machine can only lengthen a block. */
export async function heldAtBest(work: () => Promise<{ total: number; longest: number }>): Promise<{ total: number; longest: number }> {
  let best = await work();
  for (let round = 1; round < ROUNDS; round++) {
    const next = await work();
    best = next.longest < best.longest ? next : best;
  }
  return best;
}

/** An agent changes every line of a file: the time from the end of its turn until the change is reviewed, stored and undone. */
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
