/**
 * The environment that a project gives to commands in it, as in the user's shell: the programs of its version files, mise, and direnv. These two
 * know which projects the user has allowed. Any other project changes nothing.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import { overlayEnvironment, variable } from '../../util/environment';
import { findExecutable } from '../../util/executable';
import { withoutProjectPath } from './searchPath';
import { nearest, projectPrograms } from './projectVersions';

/** The variables that a project sets, and those that it removes. */
export interface ProjectEnvironment {
  readonly set: Readonly<Record<string, string>>;
  readonly unset: readonly string[];
  /** A line for the log: the reason why a program gave no environment. */
  readonly notes: readonly string[];
}

const DIRENV_FILES = ['.envrc', '.env'];
const MISE_FILES = ['mise.toml', '.mise.toml', 'mise.local.toml', '.config/mise.toml', '.config/mise/config.toml', '.tool-versions'];

/** ms. A first `.envrc` may build something. It then applies to later commands. */
const PROGRAM_MS = 10_000;
const MAX_OUTPUT = 4 * 1024 * 1024;
/** ms for which an answer is used again. The user may allow or change a file at any time. */
const FRESH_MS = 5000;

const NOTHING: ProjectEnvironment = { set: {}, unset: [], notes: [] };

/**
 * @param environment the environment without the project's
 * @param projects absolute folders in which neither mise nor direnv is looked for
 */
export async function readProjectEnvironment(
  folder: string,
  environment: Readonly<Record<string, string>>,
  projects: readonly string[] = [],
): Promise<ProjectEnvironment> {
  const programs = await projectPrograms(folder, environment);
  const name = Object.keys(environment).find((each) => each.toUpperCase() === 'PATH') ?? 'PATH';
  const withPrograms = programs.length > 0 ? { [name]: [...programs, environment[name] ?? ''].filter(Boolean).join(path.delimiter) } : {};
  let result: ProjectEnvironment = { ...NOTHING, set: withPrograms };
  for (const [program, files, args] of PROGRAMS) {
    if (await nearest(folder, files)) {
      result = joined(
        result,
        await ask(await programOf(program, folder, environment, projects), args, folder, applied(environment, result)),
      );
    }
  }
  return result;
}

const PROGRAMS = [
  ['mise', MISE_FILES, ['env', '--json']],
  ['direnv', DIRENV_FILES, ['export', 'json']],
] as const;

/** Returns a function that keeps each folder's answer for a few seconds. */
export function projectEnvironments(
  now: () => number,
  projects: () => readonly string[],
): (folder: string, environment: Readonly<Record<string, string>>) => Promise<ProjectEnvironment> {
  const known = new Map<string, { readonly at: number; readonly answer: Promise<ProjectEnvironment> }>();
  return (folder, environment) => {
    const key = JSON.stringify([folder, variable(environment, 'PATH')]);
    const before = known.get(key);
    if (before && now() - before.at < FRESH_MS) {
      return before.answer;
    }
    known.forEach(({ at }, each) => now() - at >= FRESH_MS && known.delete(each));
    const answer = readProjectEnvironment(folder, environment, projects()).catch(() => NOTHING);
    known.set(key, { at: now(), answer });
    return answer;
  };
}

/** Returns `environment` with the changes of a project, except the variables in `except`. */
export function applied(
  environment: Readonly<Record<string, string>>,
  { set, unset }: Pick<ProjectEnvironment, 'set' | 'unset'>,
  except: (name: string) => boolean = () => false,
): Record<string, string> {
  const result = overlayEnvironment(environment, Object.fromEntries(Object.entries(set).filter(([name]) => !except(name))));
  unset.forEach((name) => except(name) || delete result[name]);
  return result;
}

function joined(one: ProjectEnvironment, other: ProjectEnvironment): ProjectEnvironment {
  const set = Object.fromEntries(Object.entries({ ...one.set, ...other.set }).filter(([name]) => !other.unset.includes(name)));
  return { set, unset: [...one.unset.filter((name) => !(name in other.set)), ...other.unset], notes: [...one.notes, ...other.notes] };
}

/** The program on the PATH, but not one that a project could have put there. */
async function programOf(
  name: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
  projects: readonly string[],
): Promise<string | undefined> {
  const own = await withoutProjectPath(environment, [folder, ...projects], homedir());
  const found = await findExecutable(name, { cwd: folder, environment: own });
  return found?.executable ? found.file : undefined;
}

/** Runs `program`, which prints a JSON object of variables. A value of null removes a variable. */
async function ask(
  program: string | undefined,
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<ProjectEnvironment> {
  if (program === undefined) {
    return NOTHING;
  }
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    const options = { cwd: folder, env: environment, timeout: PROGRAM_MS, maxBuffer: MAX_OUTPUT, windowsHide: true };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const parsed = error ? undefined : variablesIn(stdout);
      const line = stderr.trim().split('\n').at(-1) ?? '';
      const note =
        error || !parsed
          ? `${path.basename(program)} gave no environment for ${folder}: ${line || error?.message || 'unknown output'}`
          : undefined;
      resolve({ ...(parsed ?? NOTHING), notes: note === undefined ? [] : [note] });
    });
    child.stdin?.end();
  });
}

function variablesIn(output: string): Pick<ProjectEnvironment, 'set' | 'unset'> | undefined {
  if (output.trim() === '') {
    return NOTHING;
  }
  try {
    const read = JSON.parse(output) as Record<string, unknown>;
    const entries = Object.entries(read);
    return {
      set: Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
      unset: entries.flatMap(([name, value]) => (value === null ? [name] : [])),
    };
  } catch {
    return undefined;
  }
}
