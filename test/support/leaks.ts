/**
 * Leak checks: everything that a test opens must be closed when it ends. Call `watchLeaks` at the top of a suite. A disposable or child
 * process that outlives a test fails that test, with the place of its creation.
 */
import { trackDisposables } from '../../src/util/disposable';
import { childrenOf } from './processes';

/** The time that a process may take to exit after it was asked to end. */
const GRACE_MS = 5000;

/** Adds Mocha hooks to the calling suite. The check runs after the suite's own `afterEach` hooks, wherever those are written. */
export function watchLeaks(): void {
  let tracker: ReturnType<typeof trackDisposables> | undefined;
  let others = new Set<number>();
  before(function () {
    // Hooks run in the order of registration: by now the suite has registered all of its own.
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

/** Fails when a descendant of this process, which was not running `before`, is still running after a while. */
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
