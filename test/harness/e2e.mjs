// The packed extension in the real VS Code: packs it, then runs test/e2e/*.test.mjs with mocha.
//
//   node test/harness/e2e.mjs [file…] [--no-build] [--vscode 1.100.3] [--grep text] [--without text] [--part 1/2] [--retries 0] [--soak]
//
// `--soak` runs test/soak/*.test.mjs instead, which take from minutes to half an hour each and are not part of the gate.
// `--without` leaves out the files that contain a text. A part is a share of the files, of about the same duration as the others. Parts can run in parallel: each has a server and a window of
// its own. `ACP_HOST_SCREENSHOTS=1` also writes the README's pictures to media/.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleScriptedAgent, packageExtension } from './lib/bundle.mjs';
import { ensureChrome } from './lib/chrome.mjs';
import { root, vsix } from './lib/paths.mjs';
import { endAll, run } from './lib/proc.mjs';
import { setup } from './lib/setup.mjs';
import { currentVersion, ensureVSCode } from './lib/vscode.mjs';

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    'no-build': { type: 'boolean' },
    vscode: { type: 'string', default: currentVersion },
    grep: { type: 'string' },
    without: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    retries: { type: 'string' },
    soak: { type: 'boolean' },
  },
});

async function main() {
  await setup();
  if (!flags['no-build'] || !existsSync(vsix)) await packageExtension();
  await bundleScriptedAgent();
  await ensureVSCode(flags.vscode, { log: console.log });
  await ensureChrome();
  const summary = process.env.ACP_HOST_MOCHA_JSON;
  const args = [
    join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    // A window under load sometimes loses a click or a question. A test that fails three times in a fresh window is broken.
    ...['--require', './test/e2e/stage.mjs', '--timeout', '120000', '--slow', '15000', '--forbid-only'],
    ...['--retries', flags.retries ?? (flags.soak ? '0' : '2'), '--reporter', './test/harness/lib/mocha-reporter.cjs'],
    ...(flags.grep ? ['--fgrep', flags.grep] : []),
    ...filesOf(flags.part),
  ];
  const end = await run(process.execPath, args, {
    cwd: root,
    env: {
      ACP_HOST_E2E_VSCODE: flags.vscode,
      ...(summary && { ACP_HOST_MOCHA_JSON: summary }),
      ...(flags.soak && { ACP_HOST_EXTENSIONS: 'all' }),
    },
    timeoutMs: flags.soak ? 10_800_000 : 1_450_000,
    echo: true,
  });
  if (end.timedOut) console.log(`no end after ${end.ms / 1000} s: stopped`);
  return end.code ?? 1;
}

/** A load of a window takes as long as journeys whose text has about this number of characters. */
const LOAD = 4000;

/**
 * The files of a part, `1/2`. The parts take about equally long, estimated by the lengths of the files and the windows that they load. Files
 * that open a window of their own come last: each of them would make the others reopen the shared window, at about ten seconds of processor
 * time.
 */
function filesOf(part) {
  const [index, count] = part.split('/').map(Number);
  const tier = flags.soak ? 'soak' : 'e2e';
  const files = readdirSync(join(root, 'test', tier))
    .filter((name) => name.endsWith('.test.mjs') && (names.length === 0 || names.includes(name.replace('.test.mjs', ''))))
    .map((name) => join('test', tier, name))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => !flags.without || !text.includes(flags.without))
    .map(({ file, text }) => ({ file, turn: turn(text), size: text.length + LOAD * loads(text) }))
    .sort((a, b) => b.size - a.size);
  const all = Array.from({ length: count }, () => ({ files: [], size: 0 }));
  for (const each of files) {
    const shortest = all.reduce((a, b) => (b.size < a.size ? b : a));
    shortest.files.push(each);
    shortest.size += each.size;
  }
  return all[index - 1].files.sort((a, b) => a.turn - b.turn).map(({ file }) => file);
}

/** The number of places in a file that reload a window or open another one. */
function loads(text) {
  return text.match(/\.reload\(\)|\b(?:prepare|machineSettings):|\bstartServer\(/g)?.length ?? 0;
}

/**
 * The position of a file, by its use of test/e2e/stage.mjs. 0 needs the very first window, and 1 the shared one. 2 needs the shared window
 * first and then one of its own, and 3 only windows of its own.
 */
function turn(text) {
  if (text.includes('isUntouched()')) return 0;
  if (!/\b(prepare|machineSettings):/.test(text)) return 1;
  return text.split('openWorkspace({').length > 2 ? 2 : 3;
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
