/** The PATH that an agent gets: without folders that a project could fill, since the first `node` on it runs half of all agents. */
import path from 'node:path';
import type { Environment } from '../util/environment';

/** What the C library takes without a PATH, more or less; an empty one would be the current folder. */
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Lists of folders like PATH: the loader, and interpreters that many agents run on, load what they find there. */
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
 * `environment` whose PATH, and other variables of its kind, have neither relative folders (an empty entry is one) nor, by their real paths, folders
 * inside `projects`, nor a `node_modules/.bin` of one of their parents. A project that holds the user's home is the home: nothing in it is taken away.
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

/** True when `folder`'s real path is that of one of `projects`, or inside it. */
export async function liesIn(folder: string, projects: readonly string[]): Promise<boolean> {
  const inner = await real(folder);
  return (await Promise.all(projects.map(real))).some((root) => holds(root, inner));
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

/** Where a path leads; as written when nothing is there. */
async function real(folder: string): Promise<string> {
  const { realpath } = await import('node:fs/promises');
  return realpath(folder).catch(() => path.resolve(folder));
}

function holds(root: string, folder: string): boolean {
  const relative = path.relative(root, folder);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** On Windows `\bin` and `C:bin` hang on the current drive and folder. */
function isFullyAbsolute(folder: string, windows: boolean): boolean {
  return windows ? /^(?:[a-z]:[\\/]|\\\\)/i.test(folder) : folder.startsWith('/');
}

/** As the environment has it: Windows knows `Path`. */
function nameOf(environment: Environment, name: string, windows: boolean): string {
  return (windows && Object.keys(environment).find((each) => each.toUpperCase() === name)) || name;
}
