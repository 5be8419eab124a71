/**
 * Leak checks: what a test opened is closed when it ends. `watchLeaks` is called at the top of a suite; a disposable or a child process that
 * outlives a test fails that test, with the place it was made.
 */
import { trackDisposables } from '../../src/util/disposable';
import { childrenOf } from './processes';

/** How long a process that was told to end may take to be gone. */
const GRACE_MS = 5000;

/** Mocha hooks for the suite it is called in; the check comes after the suite's own `afterEach` hooks, wherever those are written. */
export function watchLeaks(): void {
  let tracker: ReturnType<typeof trackDisposables> | undefined;
  let others = new Set<number>();
  before(function () {
    // Hooks run in the order they were registered: by now the suite has registered all of its own.
    this.test?.parent?.afterEach('leak check', async function () {
      this.timeout(GRACE_MS * 2);
      const leaked = tracker?.stop() ?? [];
      tracker = undefined;
      if (leaked.length > 0) {
        throw new Error(`${leaked.length} disposable(s) left:\n${leaked.join('\n')}`);
      }
      await expectNoChildren(others);
    });
  });
  beforeEach(async () => {
    others = new Set((await childrenOf(process.pid)).map(({ pid }) => pid));
    tracker = trackDisposables();
  });
}

/** Fails when a process that descends from this one, and was not there `before`, is still there after a while. */
export async function expectNoChildren(before: ReadonlySet<number> = new Set(), graceMs = GRACE_MS): Promise<void> {
  const deadline = Date.now() + graceMs;
  for (;;) {
    const left = (await childrenOf(process.pid)).filter(({ pid }) => !before.has(pid));
    if (left.length === 0) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(`${left.length} process(es) left:\n${left.map(({ pid, command }) => `${pid} ${command}`).join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
