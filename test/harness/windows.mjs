// The unit and agent tiers under Node for Windows, which runs in Wine. The code is translated on this machine, because esbuild does not start there.
//
//   node test/harness/windows.mjs [file or folder…] [--quick] [--tier unit,agent] [--jobs 2] [--verbose]
//
// Every skipped test is in test/windows/skips.mjs with its reason. Without Wine the run is skipped, except with `CI` in the environment.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { quick, skips } from '../windows/skips.mjs';
import { bundleScriptedAgent } from './lib/bundle.mjs';
import { results, root } from './lib/paths.mjs';
import { endAll } from './lib/proc.mjs';
import { counts, Report, seconds } from './lib/report.mjs';
import { setup } from './lib/setup.mjs';
import { ensureWine, MissingWine, openWine, windowsPath } from './lib/wine.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string', default: 'unit,agent' },
    // The files that differ the most on Windows, for the gate.
    quick: { type: 'boolean' },
    jobs: { type: 'string', default: String(Math.max(2, availableParallelism())) },
    verbose: { type: 'boolean' },
  },
});

/** The longest time of one group of files, in milliseconds. */
const groupTimeoutMs = 1_800_000;

/** A folder for temporary files with everything that is special in a command line of `cmd.exe`. */
const TEMP = 'acp host ü&100%';

const logs = join(results, 'windows');
const translated = join(root, 'out', 'test', 'windows');

async function main() {
  await setup();
  const began = Date.now();
  const installed = await ensureWine({ log: (text) => console.log(`· ${text}`) });
  const wine = await openWine(installed);
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  await translate();
  console.log(`· set-up: ${seconds(Date.now() - began)}`);

  const waiting = groupsOf(chosenFiles());
  const report = new Report();
  const skipped = [];
  const worker = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) skipped.push(...(await runGroup(wine, group, report)));
  };
  await Promise.all(Array.from({ length: Number(flags.jobs) }, worker));
  printSkips(skipped);
  report.print();
  writeSummary(report.total);
  return report.ok ? 0 : 1;
}

/** Translates all files into the folder that test/support/tsx.cjs reads, and what the tests would build themselves. */
async function translate() {
  const modules = join(root, 'node_modules', 'jsonc-parser', 'lib', 'esm');
  const scripts = readdirSync(modules, { recursive: true }).filter((name) => name.endsWith('.js'));
  createRequire(import.meta.url)('../support/tsx.cjs').translateAll(scripts.map((name) => join(modules, name)));
  await bundleScriptedAgent();
  const options = { absWorkingDir: root, outdir: translated, bundle: true, platform: 'node', format: 'cjs' };
  await build({ ...options, entryPoints: ['src/agent/preload.ts'], target: 'node14' });
  await build({
    ...options,
    entryPoints: ['src/demo/agent.ts', 'src/sandbox/helper.ts'],
    outbase: 'src',
    entryNames: '[name]',
    target: 'node20',
  });
}

/** The test files of the chosen tiers, or those that the arguments name, relative to the root. */
function chosenFiles() {
  const tiers = flags.tier.split(',').map((tier) => `test/${tier.trim()}`);
  const files = tiers.flatMap((tier) =>
    readdirSync(join(root, tier), { recursive: true })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => `${tier}/${name}`),
  );
  const wanted = (flags.quick ? quick : positionals).map((name) => relative(root, flags.quick ? join(root, name) : resolve(name)));
  return files.filter((file) => wanted.length === 0 || wanted.some((name) => file === name || file.startsWith(`${name}/`))).sort();
}

/** The files of a folder run in a few processes. The start of each takes two seconds; many small ones end at the same time. */
function groupsOf(files) {
  const groups = new Map();
  for (const file of files) {
    const name = /^test\/(\w+\/\w+)\//.exec(file)?.[1] ?? /^test\/(\w+)/.exec(file)[1];
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return [...groups].flatMap(([name, all]) => {
    const size = name.startsWith('agent') ? 5 : 25;
    const parts = Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));
    return parts.map((part, index) => ({ name: parts.length > 1 ? `${name} ${index + 1}` : name, files: part }));
  });
}

/** Runs the files that are not skipped as a whole. Returns the skipped tests with their reasons. */
async function runGroup(wine, { name, files }, report) {
  const base = join(logs, name.replaceAll(/[/ ]/g, '-'));
  const own = skips.flatMap(({ reason, tests }) =>
    Object.entries(tests)
      .filter(([file]) => files.includes(file))
      .map(([file, titles]) => ({ reason, file, titles })),
  );
  const left = files.filter((file) => !own.some((skip) => skip.file === file && skip.titles === '*'));
  const skipped = own.filter(({ titles }) => titles === '*').map(({ file, reason }) => ({ file, title: '(all of its tests)', reason }));
  if (left.length === 0) return skipped;
  const summary = `${base}.json`;
  const plan = `${base}.plan.json`;
  writeFileSync(
    plan,
    JSON.stringify({
      temp: `C:\\${TEMP}\\${name.replaceAll('/', ' ')}`,
      skips: own.filter(({ titles }) => titles !== '*'),
      births: /^unit\/(?:changes|session)\b/.test(name),
    }),
  );
  const mocha = ['node_modules/mocha/bin/mocha.js', '--timeout', '60000', '--exit', '--reporter', 'test/harness/lib/mocha-reporter.cjs'];
  const end = await wine.run([...mocha, '--require', './test/support/tsx.cjs', '--require', './test/windows/plan.cjs', ...left], {
    cwd: root,
    logFile: `${base}.log`,
    timeoutMs: groupTimeoutMs,
    env: {
      ACP_HOST_MOCHA_JSON: windowsPath(summary),
      ACP_HOST_WINDOWS_PLAN: windowsPath(plan),
      ACP_HOST_WINDOWS_BUILT: windowsPath(translated),
      ACP_HOST_PICTURES: 'off',
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
    },
  });
  const counted = existsSync(summary) ? JSON.parse(readFileSync(summary, 'utf8')) : undefined;
  const result = { passed: 0, failed: 0, skipped: 0, failures: [], ...counted };
  for (const { file, title, reason } of counted?.pending ?? []) {
    if (reason) skipped.push({ file, title, reason });
    else result.failures.push({ title: `${file}: ${title}`, message: 'skipped, but test/windows/skips.mjs has no reason for it' });
  }
  for (const { file, title } of counted?.unknownSkips ?? []) {
    result.failures.push({ title: `${file}: ${title}`, message: 'test/windows/skips.mjs names a test that does not exist' });
  }
  if (!counted)
    result.failures.push({
      title: name,
      message: `${end.timedOut ? 'no end' : `exit ${end.code}`} without a summary\n${end.output.slice(-2000)}`,
    });
  result.failed = result.failures.length;
  if (flags.verbose) process.stdout.write(end.output);
  console.log(`${result.failed ? '✘' : '✔'} ${name}: ${counts(result)} in ${seconds(end.ms)}`);
  report.add(name, result, end.ms);
  return skipped;
}

/** For the gate, see lib/mocha-reporter.cjs. */
function writeSummary(counted) {
  if (process.env.ACP_HOST_MOCHA_JSON) writeFileSync(process.env.ACP_HOST_MOCHA_JSON, JSON.stringify(counted));
}

/** The skipped tests, by reason. */
function printSkips(skipped) {
  for (const reason of new Set(skipped.map((each) => each.reason))) {
    const those = skipped.filter((each) => each.reason === reason);
    console.log(`\nskipped: ${reason} (${those.length})`);
    for (const { file, title } of those) console.log(`  ${file}: ${title}`);
  }
}

let code = 1;
try {
  code = await main();
} catch (error) {
  if (error instanceof MissingWine) {
    code = process.env.CI ? 1 : 0;
    console.error(`${process.env.CI ? '' : 'skipped: '}${error.message}`);
    if (!process.env.CI) writeSummary({ passed: 0, failed: 0, skipped: 1 });
  } else console.error(error.exitCode ? error.message : error);
}
await endAll();
process.exit(code);
