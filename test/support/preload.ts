import { buildSync } from 'esbuild';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Builds `src/agent/preload.ts` as it ships into `folder`, and returns its path. */
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
