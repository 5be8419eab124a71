/** The uv that installs Python agents: on the PATH, in the user's shell, or where its installer puts it. */
import path from 'node:path';
import { withoutProjectPath } from '../../agent/environment/searchPath';
import type { StartServices } from '../../agent/startServices';
import { cleanEnvironment, overlayEnvironment } from '../../util/environment';
import { findExecutable } from '../../util/executable';

export interface AgentUvDependencies {
  readonly services: Pick<StartServices, 'shell'>;
  /** Without the folders of projects. */
  readonly environment: Readonly<Record<string, string>>;
  /** An absolute folder of no project. */
  readonly folder: string;
  readonly home: string;
  /** Absolute folders whose programs must not run. */
  readonly projects: readonly string[];
}

/** The folders of its own installer, of Cargo and of Homebrew. */
const USUAL = ['~/.local/bin', '~/.cargo/bin', '/opt/homebrew/bin', '/usr/local/bin', '/home/linuxbrew/.linuxbrew/bin'];

/** Returns the absolute path of uv; undefined when it was not found. */
export async function agentUv({ services, environment, folder, home, projects }: AgentUvDependencies): Promise<string | undefined> {
  const find = async (base: Readonly<Record<string, string>>): Promise<string | undefined> => {
    const found = await findExecutable('uv', { cwd: folder, environment: base });
    return found?.executable ? found.file : undefined;
  };
  const onPath = await find(environment);
  if (onPath !== undefined) {
    return onPath;
  }
  const shell = await services.shell?.();
  const inShell =
    shell && 'environment' in shell ? await find(await withoutProjectPath(cleanEnvironment(shell.environment), projects, home)) : undefined;
  const usual = USUAL.map((each) => each.replace(/^~/, () => home)).join(path.delimiter);
  return inShell ?? find(await withoutProjectPath(overlayEnvironment(environment, { PATH: usual }), projects, home));
}
