// Loaded into mocha by test/harness/windows.mjs: temporary files in a folder with special characters, and the tests to skip.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const root = path.resolve(__dirname, '..', '..');
const plan = JSON.parse(fs.readFileSync(process.env.ACP_HOST_WINDOWS_PLAN, 'utf8'));

if (plan.births) require('./births.cjs');

fs.mkdirSync(plan.temp, { recursive: true });
process.env.TEMP = process.env.TMP = plan.temp;

/** The name of a test's file, as the list of skips has it. */
const nameOf = (file) => path.relative(root, file ?? '').replaceAll('\\', '/');

/** The reason to skip a test; undefined when it must run. Notes that the list's entry is used. */
function reasonFor(test) {
  const [file, title] = [nameOf(test.file), test.fullTitle()];
  for (const skip of plan.skips) {
    const known = skip.file === file && skip.titles.find((each) => title.startsWith(each));
    if (known) {
      skip.used = (skip.used ?? new Set()).add(known);
      return skip.reason;
    }
  }
  return undefined;
}

/** Marks the tests of a suite. The hooks of a suite without any other tests are removed, because they need what its tests need. */
function mark(suite) {
  for (const test of suite.tests) {
    test.skipReason = reasonFor(test);
    if (test.skipReason) test.pending = true;
  }
  const left = suite.suites.map(mark).some(Boolean) || suite.tests.some((test) => !test.isPending());
  if (!left) for (const hooks of ['_beforeAll', '_beforeEach', '_afterEach', '_afterAll']) suite[hooks].length = 0;
  return left;
}

exports.mochaHooks = {
  beforeAll() {
    let suite = this.test.parent;
    const [before, after] = [suite._beforeAll, suite._afterAll].map((hooks) => [...hooks]);
    mark(suite);
    suite._beforeAll.splice(0, suite._beforeAll.length, ...before);
    suite._afterAll.splice(0, suite._afterAll.length, ...after);
  },
};

process.acpHostSkips = {
  nameOf,
  /** The entries of the list without a test. */
  unknown: () =>
    plan.skips.flatMap(({ file, titles, used }) => titles.filter((title) => !used?.has(title)).map((title) => ({ file, title }))),
};

// A test's own folder, which it deletes at its end. Wine does not delete open files as Windows 10 does, and an agent that is ending keeps its folder.
// Drive C: is deleted after the run anyway.
const { rmSync } = fs;
const { rm } = fs.promises;
const isOwn = (file) => path.dirname(path.resolve(String(file))) === path.resolve(plan.temp);
fs.rmSync = (file, options) => {
  try {
    rmSync(file, options);
  } catch (error) {
    if (!isOwn(file)) throw error;
  }
};
fs.promises.rm = (file, options) => (isOwn(file) ? rm(file, { ...options, maxRetries: 8 }).catch(() => {}) : rm(file, options));
Module.syncBuiltinESMExports();

// esbuild does not run there. The bundles that the tests would build exist already, under the names of the source files.
const esbuild = {
  buildSync({ entryPoints: [entry], outfile }) {
    if (!outfile) throw new Error(`not translated: ${entry}`);
    fs.mkdirSync(path.dirname(outfile), { recursive: true });
    fs.copyFileSync(path.join(process.env.ACP_HOST_WINDOWS_BUILT, `${path.basename(entry, '.ts')}.js`), outfile);
  },
};
const load = Module._load;
Module._load = function (request, ...rest) {
  return request === 'esbuild' ? esbuild : load.call(this, request, ...rest);
};
