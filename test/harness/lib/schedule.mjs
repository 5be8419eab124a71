// The order of the steps: as many run in parallel as there are processors, each as soon as its needs are met, the earliest in the list
// first.

/** Sums of shares are not exact. */
const LITTLE = 1e-6;

/**
 * Runs every step once.
 * @param steps `{name, needs?, share?}`, the longest first, so that the end is short. `share` is the fraction of its time in which a step
 * keeps one processor busy, 1 by default; a step that also waits leaves room for others. A later step may overtake one that does not fit
 * yet.
 * @param jobs the number of processors to keep busy. A step with a larger share than that runs alone.
 * @param ready a need that is not a step's name → a promise of undefined, or of the reason why it cannot be met.
 * @param run runs a step; false when it failed. @param skip called with a step that cannot run, and the reason.
 */
export async function schedule(steps, { jobs, ready = {}, run, skip }) {
  const waiting = [...steps];
  const running = new Set();
  /** The outcome of each need: undefined when it is met, otherwise the reason why not. */
  const settled = new Map();
  let changed;
  const settle = (name, reason) => {
    settled.set(name, reason);
    changed?.();
  };
  const others = new Set(steps.flatMap(({ needs = [] }) => needs).filter((need) => need in ready));
  for (const need of others) void ready[need].then((reason) => settle(need, reason));

  const start = (step) => {
    waiting.splice(waiting.indexOf(step), 1);
    const missing = (step.needs ?? []).map((need) => settled.get(need)).find((reason) => reason !== undefined);
    if (missing !== undefined) {
      skip(step, missing);
      settle(step.name, `${step.name} was not run`);
      return;
    }
    running.add(step);
    void run(step).then((passed) => {
      running.delete(step);
      settle(step.name, passed ? undefined : `${step.name} failed`);
    });
  };

  while (waiting.length > 0 || running.size > 0) {
    const next = new Promise((resolve) => (changed = resolve));
    const busy = [...running].reduce((sum, { share = 1 }) => sum + share, 0);
    const hasRoom = ({ share = 1 }) => running.size === 0 || busy + share <= jobs + LITTLE;
    const open = waiting.find((step) => (step.needs ?? []).every((need) => settled.has(need)) && hasRoom(step));
    if (open) start(open);
    else await next;
  }
}
