// Mocha's `spec` output on the screen, and a JSON summary in the file named by ACP_HOST_MOCHA_JSON. The summary is written only at the end,
// so that a crashed or hanging run has none and cannot be taken for a passed one.
const { writeFileSync } = require('node:fs');
const loaded = require('mocha');
const Mocha = loaded.default ?? loaded;

/** The number of slowest tests of a step that the summary names. */
const SLOWEST = 15;

class Summary extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    const retried = [];
    const slowest = [];
    const pending = [];
    // Only in the tier of Windows: the list of tests to skip, with reasons.
    const list = process.acpHostSkips;
    runner.on('retry', (test, error) => retried.push({ title: test.fullTitle(), message: String(error?.message ?? error) }));
    runner.on('fail', (test, error) =>
      failures.push({ file: list?.nameOf(test.file), title: test.fullTitle(), message: String(error?.stack ?? error) }),
    );
    runner.on('pass', (test) => slowest.push({ title: test.fullTitle(), ms: test.duration ?? 0 }));
    runner.on(
      'pending',
      (test) => list && pending.push({ file: list.nameOf(test.file), title: test.fullTitle(), reason: test.skipReason }),
    );
    runner.once('end', () => {
      slowest.sort((a, b) => b.ms - a.ms).splice(SLOWEST);
      const { passes, pending: skipped } = runner.stats;
      const file = process.env.ACP_HOST_MOCHA_JSON;
      const failed = failures.length;
      if (file)
        writeFileSync(
          file,
          JSON.stringify({
            passed: passes,
            failed,
            skipped,
            failures,
            retried,
            slowest,
            ...(list && { pending, unknownSkips: list.unknown() }),
          }),
        );
    });
  }
}

module.exports = Summary;
