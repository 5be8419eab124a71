/** Finds the program of a command like the system would, so that a missing one can be reported before anything is started. */
import path from 'node:path';
import { variable, type Environment } from './environment';

/** `executable: false`: the file exists but may not be run. `file` is absolute. */
export interface Found {
  readonly file: string;
  readonly executable: boolean;
}

export interface Lookup {
  /** Absolute. Relative commands and relative `PATH` entries are resolved against it. */
  readonly cwd: string;
  /** The environment of the program. Its `PATH` counts, not ours. */
  readonly environment: Environment;
  readonly platform?: NodeJS.Platform;
}

/**
 * Returns the file that `command` runs: a path (absolute, or relative to `cwd`) or a name on `PATH` (on Windows with `PATHEXT`). Windows' rule to
 * search the current folder is ignored, since a project could plant a program in it. Undefined when there is none.
 */
export async function findExecutable(command: string, lookup: Lookup): Promise<Found | undefined> {
  const platform = lookup.platform ?? process.platform;
  const windows = platform === 'win32';
  if (command === '' || command.includes('\0')) {
    return undefined;
  }
  const isPath = windows ? /[\\/:]/.test(command) : command.includes('/');
  const folders = isPath ? [lookup.cwd] : searchPath(lookup, platform);
  const names = windows ? withExtensions(command, variable(lookup.environment, 'PATHEXT', platform)) : [command];
  let refused: Found | undefined;
  for (const folder of folders) {
    for (const name of names) {
      const file = path.resolve(folder, name);
      const state = await inspect(file);
      if (state === 'executable') {
        return { file, executable: true };
      }
      if (state === 'file') {
        refused ??= { file, executable: false };
      }
    }
  }
  return refused;
}

function searchPath(lookup: Lookup, platform: NodeJS.Platform): string[] {
  const value = variable(lookup.environment, 'PATH', platform);
  if (platform === 'win32') {
    return (value ?? '')
      .split(';')
      .map((folder) => folder.replace(/^"(.*)"$/, '$1'))
      .filter((folder) => folder !== '');
  }
  // An empty entry means the current folder. Without a PATH, the C library searches these folders.
  return (value ?? '/usr/local/bin:/usr/bin:/bin').split(':').map((folder) => path.resolve(lookup.cwd, folder));
}

function withExtensions(command: string, pathExt: string | undefined): string[] {
  const extensions = (pathExt || '.COM;.EXE;.BAT;.CMD').split(';').filter((extension) => extension !== '');
  const has = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  const extended = extensions.map((extension) => command + extension.toLowerCase());
  return has ? [command, ...extended] : extended;
}

async function inspect(file: string): Promise<'executable' | 'file' | undefined> {
  const { access, constants, stat } = await import('node:fs/promises');
  try {
    if (!(await stat(file)).isFile()) {
      return undefined;
    }
  } catch {
    return undefined;
  }
  return access(file, constants.X_OK).then(
    () => 'executable' as const,
    () => 'file' as const,
  );
}
