// The packed extension in the real VS Code: packs it, then runs test/e2e/*.test.mjs with mocha.
//
//   node test/harness/e2e.mjs [--no-build] [--vscode 1.100.3] [--grep text] [--lanes 2]
//   Two lanes take two thirds of the time, on a machine with more than two processors: on two, windows lose their workspaces now and then.
//   ACP_HOST_SCREENSHOTS=1 … also writes the README's pictures to media/
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleScriptedAgent, packageExtension } from './lib/bundle.mjs';
import { ensureChrome } from './lib/chrome.mjs';
import { results, root, vsix } from './lib/paths.mjs';
import { endAll, run } from './lib/proc.mjs';
import { setup } from './lib/setup.mjs';
import { currentVersion, ensureVSCode } from './lib/vscode.mjs';

const { values: flags } = parseArgs({
  options: {
    'no-build': { type: 'boolean' },
    vscode: { type: 'string', default: currentVersion },
    grep: { type: 'string' },
    lanes: { type: 'string', default: '1' },
  },
});

async function main() {
  await setup();
  if (!flags['no-build'] || !existsSync(vsix)) await packageExtension();
  await bundleScriptedAgent();
  await ensureVSCode(flags.vscode, { log: console.log });
  await ensureChrome();
  const ends = await Promise.all(lanes().map(runLane));
  return ends.find((code) => code !== 0) ?? 0;
}

/** The files of each mocha that runs at the same time as the others, about equally long: half of a journey is waiting for its window. */
function lanes() {
  const folder = join(root, 'test', 'e2e');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => ({ file: join('test', 'e2e', name), size: statSync(join(folder, name)).size }))
    .sort((a, b) => b.size - a.size);
  const all = Array.from({ length: Number(flags.lanes) }, () => ({ files: [], size: 0 }));
  for (const { file, size } of files) {
    const shortest = all.reduce((a, b) => (b.size < a.size ? b : a));
    shortest.files.push(file);
    shortest.size += size;
  }
  return all.map((lane) => lane.files);
}

/** The first lane's output is shown as it comes, the others' when they end. Gives the exit code; adds to the summary of the run. */
async function runLane(files, index) {
  const summary = join(results, `e2e-lane-${index}.json`);
  rmSync(summary, { force: true });
  const args = [
    join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    // A window under load now and then loses a click or a question; what fails three times in a fresh window is broken.
    ...['--require', './test/e2e/stage.mjs', '--timeout', '120000', '--slow', '15000', '--retries', '2', '--forbid-only'],
    ...['--reporter', './test/harness/lib/mocha-reporter.cjs'],
    ...(flags.grep ? ['--fgrep', flags.grep] : []),
    ...files,
  ];
  const logFile = join(results, 'logs', `e2e-lane-${index}.log`);
  const end = await run(process.execPath, args, {
    cwd: root,
    env: { ACP_HOST_E2E_VSCODE: flags.vscode, ACP_HOST_MOCHA_JSON: summary },
    timeoutMs: 1_050_000,
    logFile,
    echo: index === 0,
  });
  if (index > 0) process.stdout.write(readFileSync(logFile, 'utf8'));
  if (end.timedOut) console.log(`no end after ${end.ms / 1000} s: stopped`);
  addSummary(summary, end.code);
  return end.code ?? 1;
}

const total = { passed: 0, failed: 0, skipped: 0, failures: [], retried: [] };

/** A lane without a summary is a crash, and one failure. */
function addSummary(file, code) {
  const lane = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { failed: code === 0 ? 0 : 1 };
  for (const key of Object.keys(total))
    total[key] = Array.isArray(total[key]) ? [...total[key], ...(lane[key] ?? [])] : total[key] + (lane[key] ?? 0);
  if (process.env.ACP_HOST_MOCHA_JSON) writeFileSync(process.env.ACP_HOST_MOCHA_JSON, JSON.stringify(total));
}

let code = 1;
try {
  code = await main();
} catch (error) {
  console.error(error.exitCode ? error.message : error);
  code = error.exitCode ?? 1;
}
await endAll();
process.exit(code);
