// Bundles for the tests: the suite for the extension host, and the agents.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, vsix } from './paths.mjs';
import { mustRun, npm } from './proc.mjs';

/** The path of the scripted agent, built on the SDK: `node <this> [args]`. */
export const scriptedAgent = join(root, 'out', 'test', 'scripted-agent.mjs');

/** The folder of the bundled host suite, whose `index.js` VS Code loads. */
export const hostSuite = join(root, 'out', 'test', 'host');

/**
 * Bundles test/agent/scripted/agent.ts into one file that runs anywhere.
 * @returns the path of its snapshot, if requested: `node --snapshot-blob <this> <any name> [args]`, with the same Node.js that created it.
 */
export async function bundleScriptedAgent({ snapshot = false } = {}) {
  await esbuild({
    entryPoints: [join(root, 'test', 'agent', 'scripted', 'agent.ts')],
    outfile: scriptedAgent,
    format: 'esm',
    // Some dependencies are CommonJS and require Node's own modules.
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  });
  return snapshot ? snapshotScriptedAgent() : undefined;
}

/** Creates a snapshot of the scripted agent for this Node.js: see test/agent/scripted/snapshot.ts. */
async function snapshotScriptedAgent() {
  const snapshot = join(root, 'out', 'test', `scripted-agent-${process.version}-${process.arch}.blob`);
  const script = `${snapshot}.${process.pid}.cjs`;
  const made = `${snapshot}.${process.pid}`;
  await esbuild({ entryPoints: [join(root, 'test', 'agent', 'scripted', 'snapshot.ts')], outfile: script, format: 'cjs' });
  await mustRun(process.execPath, ['--snapshot-blob', made, '--build-snapshot', script]);
  rmSync(script);
  renameSync(made, snapshot);
  return snapshot;
}

/** Bundles test/host/index.ts and every test/host/*.test.ts beside it. Mocha is not bundled: all files share one instance. */
export async function bundleHostSuite() {
  const folder = join(root, 'test', 'host');
  const tests = readdirSync(folder, { recursive: true }).filter((name) => /\.test\.ts$/.test(name));
  if (tests.length === 0) throw new Error('no test/host/*.test.ts');
  rmSync(hostSuite, { recursive: true, force: true });
  mkdirSync(hostSuite, { recursive: true });
  await esbuild({
    entryPoints: ['index.ts', ...tests].map((name) => join(folder, name)),
    outdir: hostSuite,
    outbase: folder,
    format: 'cjs',
    external: ['vscode', 'mocha', 'node-pty'],
    sourcemap: 'inline',
  });
}

/** Builds the extension for a run outside a package. */
export async function build({ production = false } = {}) {
  await npmRun(['run', 'build', '--', ...(production ? ['--production'] : [])]);
}

/** The size limit of acp-host.vsix in bytes: every user downloads it at every update. */
const VSIX_LIMIT = 6_500_000;

/** Writes acp-host.vsix and fails when it is over its limit; `vsce` builds for production first. */
export async function packageExtension() {
  await npmRun(['run', 'package']);
  const size = statSync(vsix, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new Error(`npm run package wrote no ${vsix}`);
  if (size > VSIX_LIMIT) throw new Error(`${vsix} is ${size - VSIX_LIMIT} bytes over its limit of ${VSIX_LIMIT}`);
}

async function npmRun(args) {
  const [command, all, options] = npm(args);
  await mustRun(command, all, { ...options, cwd: root, timeoutMs: 180_000 });
}

async function esbuild(options) {
  const { build: run, stop } = await import('esbuild');
  const { outputFiles } = await run({
    ...{ bundle: true, platform: 'node', target: 'node20', charset: 'utf8', legalComments: 'none', logLevel: 'warning' },
    ...options,
    write: false,
  });
  // Moved into place when complete: another tier may be starting the file.
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
  // esbuild keeps a process for the next build, but none follows.
  await stop();
}
