// The passed and failed tests per tier, and the last line of a run.

/** The maximum length of one failure's text at the end of the log. */
const LONGEST_MESSAGE = 3000;

/** The number of slowest tests that a report names. */
const SLOWEST = 15;

/** Adds up the steps of a run. A step's result is `{passed, failed, skipped}` in tests, `failures` and `retried` with
 * `{title, message}`, `slowest` with `{title, ms}`. */
export class Report {
  #steps = [];

  /** Records the end of a step. A tier that ran no test counts as one failure. */
  add(name, { passed = 0, failed = 0, skipped = 0, failures = [], retried = [], slowest = [] }, ms) {
    const empty = passed + failed + skipped === 0;
    const step = { name, passed, failed: failed + (empty ? 1 : 0), skipped, ms, empty, failures, retried, slowest };
    this.#steps.push(step);
    return step;
  }

  /** True when something ran and nothing failed. */
  get ok() {
    return this.#steps.length > 0 && this.#steps.every((step) => step.failed === 0 && step.passed + step.skipped > 0);
  }

  /** The sums of all steps, with their failures. */
  get total() {
    const sum = (key) => this.#steps.reduce((all, step) => all + step[key], 0);
    return {
      passed: sum('passed'),
      failed: sum('failed'),
      skipped: sum('skipped'),
      failures: this.#steps.flatMap(({ failures }) => failures),
    };
  }

  /**
   * Prints the failures with their reasons, the slowest tests and a table of the steps. The last line is `N passed, N failed` (with `, N
   * skipped` if any).
   */
  print(write = (text) => process.stdout.write(text)) {
    const total = { passed: 0, failed: 0, skipped: 0, ms: 0 };
    const width = Math.max(...this.#steps.map((step) => step.name.length), 4);
    // Repeated here, because a reader of the end of a long log should not have to search its middle.
    for (const { name, failures, retried } of this.#steps) {
      for (const { title, message } of retried) write(`\n↻ ${name}, tried again: ${title}\n    ${message.split('\n', 1)[0]}\n`);
      for (const { title, message } of failures)
        write(`\n✘ ${name}: ${title}\n${message.slice(0, LONGEST_MESSAGE).replace(/^/gm, '    ')}\n`);
    }
    const slowest = this.#steps.flatMap(({ name, slowest }) => slowest.map((test) => ({ name, ...test }))).sort((a, b) => b.ms - a.ms);
    if (slowest.length > 0) write('\nslowest tests:\n');
    for (const { name, title, ms } of slowest.slice(0, SLOWEST)) write(`  ${seconds(ms).padStart(8)}  ${name}: ${title}\n`);
    write('\n');
    for (const step of this.#steps) {
      for (const key of Object.keys(total)) total[key] += step[key];
      const note = step.empty ? '  ran no test' : '';
      write(`${step.failed ? '✘' : '✔'} ${step.name.padEnd(width)}  ${seconds(step.ms).padStart(8)}  ${counts(step)}${note}\n`);
    }
    write(`\n${counts(total)}\n`);
  }
}

/** `3 passed, 0 failed`, and the skipped ones if any. */
export function counts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
}

/** Milliseconds as `12.3 s`. */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
