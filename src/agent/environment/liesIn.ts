/** Folders in others, by their real paths. Apart from `searchPath.ts`, because each start asks it. */
import path from 'node:path';

/** True when `folder`'s real path is one of `projects`, or inside it. */
export async function liesIn(folder: string, projects: readonly string[]): Promise<boolean> {
  const inner = await real(folder);
  return (await Promise.all(projects.map(real))).some((root) => holds(root, inner));
}

/** The real path, or the absolute path when it does not exist. */
export async function real(folder: string): Promise<string> {
  const { realpath } = await import('node:fs/promises');
  return realpath(folder).catch(() => path.resolve(folder));
}

/** True when `folder` is `root`, or inside it. */
export function holds(root: string, folder: string): boolean {
  const relative = path.relative(root, folder);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
