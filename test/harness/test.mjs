// `npm test`: every tier, on a machine with nothing but Node and npm.
//
//   node test/harness/test.mjs [--only unit,host] [--quick] [--list] [--jobs 4]
//   --quick (`npm run check`): the steps without a browser. Each step's output goes to test-results/logs; a single step's is also shown.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureFastChrome } from './lib/chrome.mjs';
import { results, root } from './lib/paths.mjs';
import { endAll, npm, onEnd, run, strays, wait } from './lib/proc.mjs';
import { counts, Report, seconds } from './lib/report.mjs';
import { schedule } from './lib/schedule.mjs';
import { memoryFolder } from './lib/scratch.mjs';
import { requireNode, setup } from './lib/setup.mjs';
import { currentVersion, ensureVSCode, minimumVersion } from './lib/vscode.mjs';

// A busy machine must not cause failures: the default of two seconds is for tests that do not wait.
const mocha = ['--reporter', './test/harness/lib/mocha-reporter.cjs', '--timeout', '30000'];
const minutes = (count) => count * 60_000;
/** The share of short checks: each fits beside any step that leaves half a processor, instead of waiting for the end. */
const FILLS_A_GAP = 0.3;

/**
 * The longest steps come first, after the ones that they need: several run in parallel, see lib/schedule.mjs. `kind` check: one test, its
 * exit code. `kind` suite: mocha, counted from its own summary. `needs` names what must be installed, or the step that must have passed.
 * `share`: the measured fraction of its time in which it keeps a processor busy; otherwise it waits for timers or other processes.
 */
const steps = [
  { name: 'package', kind: 'check', about: 'production build, size budgets, VSIX', command: script('package'), timeoutMs: minutes(3) },
  {
    name: 'playground',
    kind: 'check',
    command: () => [process.execPath, [join(root, 'esbuild.mjs'), '--playground', '--production'], {}],
    timeoutMs: minutes(3),
  },
  // This step runs beside the next ones, because it waits the most.
  {
    name: 'host',
    kind: 'suite',
    about: `VS Code ${currentVersion}`,
    command: node('host.mjs', '--no-build'),
    share: 0.45,
    timeoutMs: minutes(11),
    needs: ['chrome', currentVersion, 'package'],
  },
  ...parts(
    'agent',
    [
      /\/(?:raw\/|demo\/|scenarios\/[p-z]|ordering|secrets|leaks)/,
      /^test\/agent\/(?:failures|keeper|leftBehind|mcp|network|proxies|record|registry|remote|sandbox|share|ssh|starts|versions)/,
    ],
    { share: 0.5, timeoutMs: minutes(10) },
  ),
  // Tests that parse our sources are in the first part, so that one process reads them. Tests of changes and worktrees start Git thousands
  // of times. They have processes of their own, without the tests of the store, which hold large buffers: the start of a process copies the
  // page tables. It takes 1 ms from a process of 50 MB, and 7 ms from one of 250 MB.
  ...parts(
    'unit',
    [
      /^test\/unit\/(?:session|terminal|text|util|webview|application|workbench(?!\/shared\/l10n\.))/,
      /^test\/unit\/changes\/(?!store\/)/,
      /^test\/unit\/worktree/,
    ],
    {
      share: 0.5,
      timeoutMs: minutes(10),
    },
  ),
  ...['1/2', '2/2'].map((part, index) => ({
    name: index === 0 ? 'e2e' : 'e2e-2',
    kind: 'suite',
    about: `packed VSIX, VS Code ${currentVersion}, part ${part}`,
    // A file with this mark runs once, in the oldest VS Code.
    command: node('e2e.mjs', '--no-build', '--part', part, '--without', '@minimum-only'),
    share: 0.65,
    timeoutMs: minutes(25),
    needs: ['chrome', currentVersion, 'package'],
  })),
  {
    name: 'e2e-minimum',
    kind: 'suite',
    about: `packed VSIX, VS Code ${minimumVersion}`,
    command: node('e2e.mjs', '--no-build', '--vscode', minimumVersion, '--grep', '@minimum'),
    share: 0.45,
    timeoutMs: minutes(6),
    needs: ['chrome', minimumVersion, 'package'],
  },
  ...parts('browser', [/\/[i-r]/, /\/(?:hostile|[s-z])/], { share: 0.85, timeoutMs: minutes(20), needs: ['chrome', 'playground'] }),
  { name: 'lint', kind: 'check', command: script('lint'), share: FILLS_A_GAP, timeoutMs: minutes(5) },
  { name: 'typecheck', kind: 'check', command: script('typecheck'), share: FILLS_A_GAP, timeoutMs: minutes(3) },
  { name: 'deadcode', kind: 'check', command: script('deadcode'), share: FILLS_A_GAP, timeoutMs: minutes(3) },
  {
    name: 'english',
    kind: 'check',
    about: 'comments, titles, docs',
    command: script('english'),
    share: FILLS_A_GAP,
    timeoutMs: minutes(1),
  },
  {
    name: 'bundle',
    kind: 'suite',
    command: script('test:bundle', ...mocha),
    share: FILLS_A_GAP,
    timeoutMs: minutes(2),
    needs: ['package'],
  },
  {
    name: 'format',
    kind: 'check',
    command: () => [process.execPath, [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'format', '.'], {}],
    timeoutMs: minutes(1),
  },
];

/** The steps for a change that affects no page, without a browser and without VS Code. */
const quick = [
  'typecheck',
  'lint',
  'format',
  'deadcode',
  'english',
  'unit',
  'unit-2',
  'unit-3',
  'unit-4',
  'agent',
  'agent-2',
  'agent-3',
  'bundle',
];
/**
 * The share of a waiting step in the quick run: four of them together fill two processors. No window can be delayed here.
 */
const QUICK_SHARE = 0.5;

function script(name, ...args) {
  return () => {
    const [command, all, options] = npm(['run', '--silent', name, ...(args.length ? ['--', ...args] : [])]);
    return [command, all, options];
  };
}

/**
 * Several steps of about equal duration for the tests of a folder. The second and any further one has the files whose path matches its
 * pattern; the first has the rest. No file matches two patterns.
 */
function parts(tier, patterns, more) {
  const folder = `test/${tier}`;
  const files = readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
  const partOf = (file) => patterns.findIndex((pattern) => pattern.test(file)) + 1;
  return [0, ...patterns.keys()].map((_, part) => ({
    name: part === 0 ? tier : `${tier}-${part + 1}`,
    kind: 'suite',
    command: script(`test:${tier}`, ...mocha, ...files.filter((file) => partOf(file) !== part).flatMap((file) => ['--ignore', file])),
    ...more,
  }));
}

function node(file, ...args) {
  return () => [process.execPath, [join(root, 'test', 'harness', file), ...args], {}];
}

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    quick: { type: 'boolean' },
    list: { type: 'boolean' },
    // The number of processors to keep busy. With a higher one, pages and windows wait for each other, and tests for them.
    jobs: { type: 'string', default: String(Math.max(2, availableParallelism())) },
  },
});

async function main() {
  if (flags.list) {
    for (const { name, about = '' } of steps) console.log(`${name.padEnd(12)} ${about}`.trimEnd());
    return 0;
  }
  const names = flags.quick ? quick : flags.only?.split(',').map((name) => name.trim());
  const unknown = names?.filter((name) => !steps.some((step) => step.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`no step named ${unknown.join(', ')}: see --list`);
  const chosen = withNeeds(names).map((step) => (flags.quick && step.share ? { ...step, share: QUICK_SHARE } : step));

  const began = Date.now();
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  requireNode();
  const folder = memoryFolder();
  if (folder) process.env.TMPDIR = folder;
  // A fresh machine waits for network and disk here, so the browser and VS Code are installed meanwhile.
  const installs = startInstalls(new Set(chosen.flatMap((step) => step.needs ?? [])));
  await timed('set-up', async () => ((await setup()) ? 'npm ci' : 'already there'));

  const report = new Report();
  await schedule(chosen, {
    jobs: Number(flags.jobs),
    ready: installs,
    run: (step) => runStep(step, report, chosen.length === 1),
    skip: (step, why) => {
      console.log(`✘ ${step.name}: not run, ${why}`);
      report.add(step.name, { failed: 1 }, 0);
    },
  });
  await Promise.all(Object.values(installs));
  report.add('processes', await leftBehind(), 0);
  console.log(`\nall in ${seconds(Date.now() - began)}`);
  report.print();
  return report.ok ? 0 : 1;
}

/** The requested steps, and those whose product they need. */
function withNeeds(names) {
  if (!names) return steps;
  const wanted = new Set(names);
  for (const name of wanted) steps.find((step) => step.name === name)?.needs?.forEach((need) => wanted.add(need));
  return steps.filter((step) => wanted.has(step.name));
}

/** Installs run beside the set-up and the cheap tiers. Each promise resolves to undefined, or to the reason why the program is missing. */
function startInstalls(wanted) {
  const installs = {};
  const failures = {};
  const add = (name, what, work) => {
    if (wanted.has(name))
      installs[name] = timed(what, work).then(
        () => undefined,
        (error) => {
          failures[name] = error;
          return `${name} is missing: ${error.message}`;
        },
      );
  };
  add('chrome', 'Chromium', ensureFastChrome);
  let before = Promise.resolve();
  for (const version of [currentVersion, minimumVersion]) {
    add(version, `VS Code ${version}`, async () => {
      await before;
      return (await ensureVSCode(version)).server;
    });
    before = installs[version] ?? before;
  }
  // Without a browser most of the run is pointless, so this is reported at once.
  void installs.chrome?.then(async () => {
    if (failures.chrome?.exitCode !== 2) return;
    console.error(failures.chrome.message);
    await endAll();
    process.exit(2);
  });
  return installs;
}

async function runStep(step, report, alone) {
  console.log(`▶ ${step.name}${step.about ? ` (${step.about})` : ''}`);
  const summary = join(results, `${step.name}.json`);
  rmSync(summary, { force: true });
  const [command, args, options] = step.command();
  const end = await run(command, args, {
    ...options,
    cwd: root,
    env: {
      ACP_HOST_MOCHA_JSON: summary,
      ACP_HOST_PLAYGROUND: 'built',
      ACP_HOST_PICTURES: 'off',
      ACP_HOST_THEMES: 'gate',
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
    },
    timeoutMs: step.timeoutMs,
    logFile: join(results, 'logs', `${step.name}.log`),
    echo: alone,
  });
  const counted = step.kind === 'suite' ? readSummary(summary) : { passed: end.code === 0 ? 1 : 0, failed: end.code === 0 ? 0 : 1 };
  const result = { passed: 0, failed: 0, skipped: 0, ...counted };
  // A crash before or after the tests counts, even when every test that ran passed.
  if (end.code !== 0 && result.failed === 0) result.failed = 1;
  const { failed } = report.add(step.name, result, end.ms);
  if (end.timedOut) console.log(`no end after ${seconds(step.timeoutMs)}: stopped. The last of its output:\n${end.tail}`);
  else if (failed > 0 && step.kind === 'check') console.log(end.tail);
  else if (failed > 0 && !counted) console.log('mocha wrote no summary: a crash, or no test files');
  console.log(`${failed ? '✘' : '✔'} ${step.name}: ${counts(result)} in ${seconds(end.ms)}`);
  return failed === 0;
}

function readSummary(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Every process of this run must be gone by now; a slow one has three seconds. */
async function leftBehind() {
  for (let tries = 0; tries < 30 && strays().length > 0; tries++) await wait(100);
  const left = strays();
  for (const { pid, command } of left) console.log(`✘ left behind: ${pid} ${command.slice(0, 200)}`);
  return left.length > 0 ? { failed: 1 } : { passed: 1 };
}

async function timed(what, work) {
  const began = Date.now();
  try {
    const outcome = await work();
    console.log(`· ${what}: ${outcome ?? 'done'} (${seconds(Date.now() - began)})`);
  } catch (error) {
    if (error.exitCode !== 2) console.log(`· ${what} failed (${seconds(Date.now() - began)}): ${error.message}`);
    throw error;
  }
}

let ended = false;
onEnd(() => (ended = true));
let code = 1;
try {
  code = await main();
} catch (error) {
  if (!ended) console.error(error.exitCode ? error.message : (error.stack ?? error));
  code = error.exitCode ?? 1;
}
await endAll();
process.exitCode = code;
