// Which step runs when: as many at once as asked for, each as soon as what it needs is there, the earliest in the list first.

/**
 * Runs every step once.
 * @param steps `{name, needs?}`, the longest first: what is left for the end should be short.
 * @param jobs how many run at the same time.
 * @param ready a need that is not a step's name → a promise of undefined, or of the reason why it will never be there.
 * @param run runs a step; false when it failed. @param skip told of a step that cannot run, and why.
 */
export async function schedule(steps, { jobs, ready = {}, run, skip }) {
  const waiting = [...steps];
  const running = new Set();
  /** How each need came out: undefined when it is there, else why it is not. */
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
    const open = waiting.find(({ needs = [] }) => needs.every((need) => settled.has(need)));
    if (open && running.size < jobs) start(open);
    else await next;
  }
}
