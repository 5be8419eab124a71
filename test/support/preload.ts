import { buildSync } from 'esbuild';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The path of `src/agent/preload.ts` as it ships, built into `folder`. */
export function builtPreload(folder = mkdtempSync(path.join(os.tmpdir(), 'acp-preload-'))): string {
  const outfile = path.join(folder, 'package-runner.js');
  buildSync({
    entryPoints: [path.join(__dirname, '..', '..', 'src', 'agent', 'preload.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node14',
    format: 'cjs',
  });
  return outfile;
}
