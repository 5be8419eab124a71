/** Removes folders that a project could fill from an agent's PATH, because about half of all agents run on the first `node` there. */
import path from 'node:path';
import type { Environment } from '../../util/environment';
import { holds, real } from './liesIn';

/** Approximately the C library's default without a PATH. An empty PATH would mean the current folder. */
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Variables with a list of folders, like PATH. The loader and common interpreters load files from these folders. */
const LISTS = [
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'DYLD_FALLBACK_LIBRARY_PATH',
  'NODE_PATH',
  'PYTHONPATH',
  'PERL5LIB',
  'RUBYLIB',
];

/**
 * Returns `environment` with folders removed from PATH and similar variables: relative folders (including empty entries), folders whose real path
 * is inside `projects`, and the `node_modules/.bin` of their parents. A project that contains the user's home counts as the home, and no folder in
 * it is removed.
 * @param projects absolute
 * @param home absolute
 */
export async function withoutProjectPath(
  environment: Readonly<Record<string, string>>,
  projects: readonly string[],
  home: string,
): Promise<Record<string, string>> {
  const windows = process.platform === 'win32';
  const homeIs = await real(home);
  const roots = (await Promise.all(projects.map(real))).filter((root) => !holds(root, homeIs));
  const result = { ...environment };
  for (const list of LISTS) {
    const name = nameOf(environment, list, windows);
    const value = environment[name];
    if (value === undefined) {
      continue;
    }
    const parts: string[] = [];
    for (const part of value.split(path.delimiter)) {
      const folder = windows ? part.replace(/^"(.*)"$/, '$1') : part;
      if (isFullyAbsolute(folder, windows) && !(await belongs(folder, roots, projects))) {
        parts.push(part);
      }
    }
    if (parts.length > 0) {
      result[name] = parts.join(path.delimiter);
    } else if (list === 'PATH' && !windows) {
      result[name] = SYSTEM_PATH;
    } else {
      delete result[name];
    }
  }
  return result;
}

async function belongs(folder: string, roots: readonly string[], projects: readonly string[]): Promise<boolean> {
  for (const each of [path.normalize(folder), await real(folder)]) {
    const bin = each.match(/^(.*)[\\/]node_modules[\\/]\.bin[\\/]*$/);
    if (roots.some((root) => holds(root, each)) || (bin && [...roots, ...projects].some((root) => holds(bin[1] || path.sep, root)))) {
      return true;
    }
  }
  return false;
}

/** False for `\bin` and `C:bin` on Windows, which depend on the current drive and folder. */
function isFullyAbsolute(folder: string, windows: boolean): boolean {
  return windows ? /^(?:[a-z]:[\\/]|\\\\)/i.test(folder) : folder.startsWith('/');
}

/** The name of the variable in the environment. Windows uses `Path`. */
function nameOf(environment: Environment, name: string, windows: boolean): string {
  return (windows && Object.keys(environment).find((each) => each.toUpperCase() === name)) || name;
}
