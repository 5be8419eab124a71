// Mocha's `spec` on the screen, and a JSON summary in the file named by ACP_HOST_MOCHA_JSON: written at the end only,
// so that a run that crashed or hung has no summary and cannot be taken for one that passed.
const { writeFileSync } = require('node:fs');
const loaded = require('mocha');
const Mocha = loaded.default ?? loaded;

class Summary extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    const retried = [];
    runner.on('retry', (test, error) => retried.push({ title: test.fullTitle(), message: String(error?.message ?? error) }));
    runner.on('fail', (test, error) => failures.push({ title: test.fullTitle(), message: String(error?.stack ?? error) }));
    runner.once('end', () => {
      const { passes, pending } = runner.stats;
      const file = process.env.ACP_HOST_MOCHA_JSON;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures.length, skipped: pending, failures, retried }));
    });
  }
}

module.exports = Summary;
