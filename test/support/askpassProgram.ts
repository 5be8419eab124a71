/** The helper program of `ssh`, bundled as for the package. */
import { build } from 'esbuild';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

let built: Promise<string> | undefined;

/** Resolves to the bundle, which is built once per run. */
export function askpassProgram(): Promise<string> {
  return (built ??= bundle());
}

async function bundle(): Promise<string> {
  const outfile = path.join(await mkdtemp(path.join(tmpdir(), 'askpass-')), 'ssh-askpass.js');
  await build({ entryPoints: ['src/agent/ssh/askpass.ts'], bundle: true, platform: 'node', format: 'cjs', outfile, logLevel: 'warning' });
  return outfile;
}
