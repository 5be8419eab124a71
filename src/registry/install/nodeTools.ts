/** Finds the npm of a Node. npm runs as a script of that Node, because its own start file would search the `PATH` for another one. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { findExecutable } from '../../util/executable';
import type { Environment } from '../../util/environment';

const CLI = path.join('node_modules', 'npm', 'bin', 'npm-cli.js');

/** @param node absolute @returns npm's `npm-cli.js`, absolute; undefined when there is none */
export async function npmOf(node: string, environment: Environment): Promise<string | undefined> {
  const folders = new Set([path.dirname(node), path.dirname(await realpath(node).catch(() => node))]);
  const beside = [...folders].flatMap((folder) => [
    path.join(folder, CLI),
    path.join(folder, '..', 'lib', CLI),
    path.join(folder, '..', CLI),
  ]);
  for (const file of beside) {
    if (await isFile(file)) {
      return path.normalize(file);
    }
  }
  const onPath = await findExecutable('npm', { cwd: path.dirname(node), environment });
  const real = onPath && (await realpath(onPath.file).catch(() => undefined));
  const linked = real && (/npm-cli\.js$/.test(real) ? real : path.join(path.dirname(real), CLI));
  return linked && (await isFile(linked)) ? linked : undefined;
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
