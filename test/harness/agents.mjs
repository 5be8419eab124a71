// Real agents from npm in the packed extension, with scripted models: packs it, then runs test/real/*.test.mjs with mocha.
//
//   node test/harness/agents.mjs [name…] [--all] [--protocol 2] [--transport websocket|http] [--no-build] [--grep text]
//
// Without a name it runs the two fastest. `--protocol` is the value of the setting for each agent. With `--transport`, the agents are at an address of
// this machine: behind their own server, such as `qwen serve`, or behind the official SDK's. Only the journey runs then. Needs the npm registry once per agent, but no other network access and no account.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { agents, all, quick } from '../real/agents.mjs';
import { ensureAgent } from '../real/install.mjs';
import { packageExtension } from './lib/bundle.mjs';
import { ensureChrome } from './lib/chrome.mjs';
import { results, root, vsix } from './lib/paths.mjs';
import { endAll, run, strays, wait } from './lib/proc.mjs';
import { counts, Report } from './lib/report.mjs';
import { setup } from './lib/setup.mjs';
import { currentVersion, ensureVSCode } from './lib/vscode.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    protocol: { type: 'string' },
    transport: { type: 'string' },
    'no-build': { type: 'boolean' },
    grep: { type: 'string' },
  },
});

async function main() {
  const names = flags.all ? all : positionals.length > 0 ? positionals : quick;
  const unknown = names.filter((name) => !agents[name]);
  if (unknown.length > 0)
    throw Object.assign(new Error(`no agent named ${unknown.join(', ')}: known are ${Object.keys(agents).join(', ')}`), { exitCode: 2 });
  if (![undefined, 'websocket', 'http'].includes(flags.transport))
    throw Object.assign(new Error('--transport is websocket or http.'), { exitCode: 2 });
  if (process.platform === 'win32') throw Object.assign(new Error('This run needs a Unix shell.'), { exitCode: 2 });
  const log = (text) => console.log(`· ${text}`);
  await setup();
  if (!flags['no-build'] || !existsSync(vsix)) await packageExtension();
  const install = await ensureVSCode(currentVersion, { log });
  await ensureChrome();
  for (const name of names) await ensureAgent(name, { nodeFolder: dirname(install.node), log });

  const report = new Report();
  mkdirSync(results, { recursive: true });
  for (const old of readdirSync(results).filter((file) => /^agents(-|$)/.test(file)))
    rmSync(join(results, old), { recursive: true, force: true });
  for (const name of names) await journey(name, report);
  report.print();
  return report.ok ? 0 : 1;
}

/** Runs one agent separately, so that its failure does not affect the others. */
async function journey(name, report) {
  const summary = join(results, 'agents', `${name}.json`);
  mkdirSync(dirname(summary), { recursive: true });
  const args = [
    join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    ...['--require', './test/real/stage.mjs', '--timeout', '240000', '--slow', '30000', '--forbid-only'],
    ...['--reporter', './test/harness/lib/mocha-reporter.cjs'],
    ...(flags.grep ? ['--fgrep', flags.grep] : []),
    flags.transport ? 'test/real/journey.test.mjs' : 'test/real/**/*.test.mjs',
  ];
  const env = {
    ...{ ACP_HOST_REAL_AGENTS: name, ACP_HOST_MOCHA_JSON: summary, ACP_HOST_EXTENSIONS: 'all' },
    ...(flags.protocol && { ACP_HOST_REAL_PROTOCOL: flags.protocol }),
    ...(flags.transport && { ACP_HOST_REAL_TRANSPORT: flags.transport }),
  };
  const end = await run(process.execPath, args, { cwd: root, env, timeoutMs: 900_000, echo: true });
  const result = existsSync(summary) ? JSON.parse(readFileSync(summary, 'utf8')) : { failed: 1 };
  for (let tries = 0; tries < 50 && strays().length > 0; tries++) await wait(100);
  const left = strays();
  if (left.length > 0) {
    console.log(`left running: ${left.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`);
    result.failed++;
  }
  if (end.code !== 0 && result.failed === 0) result.failed = 1;
  console.log(`${name}: ${counts({ passed: 0, ...result })}\n`);
  report.add(name, result, end.ms);
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
