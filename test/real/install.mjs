// Real agents from npm, each in a folder of its own inside the cache, installed once.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir } from '../harness/lib/paths.mjs';
import { mustRun, npm } from '../harness/lib/proc.mjs';
import { agents } from './agents.mjs';

/**
 * Installs an agent unless that exact version is already there.
 * @param nodeFolder folder of the `node` that the agent will run on: npm under an older one would choose older packages.
 * @returns {Promise<string>} absolute path of its node_modules.
 */
export async function ensureAgent(name, { nodeFolder, log = () => {} }) {
  const { packages } = agents[name];
  const dir = join(cacheDir(), 'agents', `${name}-${packages[0].split('@').at(-1)}`);
  const modules = join(dir, 'node_modules');
  const stamp = join(dir, '.complete');
  if (existsSync(stamp)) return modules;
  log(`installing ${packages.join(' and ')} into ${dir}`);
  rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ private: true }));
  const [command, args, options] = npm(['install', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error', ...packages]);
  // Programs started by a package's own scripts must not write into the user's folders.
  const own = join(dir, '.home');
  mkdirSync(own);
  const env = {
    PATH: `${nodeFolder}${delimiter}${process.env.PATH}`,
    ...{ XDG_CONFIG_HOME: own, XDG_DATA_HOME: own, XDG_STATE_HOME: own, XDG_CACHE_HOME: own, TMPDIR: own },
  };
  await mustRun(command, args, { ...options, env, cwd: dir, timeoutMs: 600_000 });
  writeFileSync(stamp, '');
  return modules;
}
