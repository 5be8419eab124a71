/** The services of a window for the start of agents and their commands: the shell's environment, the projects', and a Node.js of our own. */
import path from 'node:path';
import { applied, projectEnvironments } from '../../agent/environment/projectEnvironment';
import { SHELL_MS, shellEnvironmentOnce } from '../../agent/environment/shellEnvironment';
import { installedNode } from '../../agent/node/findNode';
import type { Fetch } from '../../agent/node/downloadPackage';
import { ManagedNodes, type ManagedNodeDependencies } from '../../agent/node/managedNode';
import { userRegistry } from '../../agent/node/userRegistry';
import type { StartServices } from '../../agent/startServices';
import type { Log } from '../../core/platform/log';
import { cleanEnvironment, type Environment } from '../../util/environment';

export interface StartServicesDependencies {
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** The environment of the extension host. */
  readonly environment: Environment;
  /** The extension's folder for all windows. */
  readonly storage: string;
  readonly extensionPath: string;
  /** VS Code's, with its proxy settings and certificates. */
  readonly fetch: Fetch;
  now(): number;
  /** The folders of the workspace. */
  projects(): readonly string[];
  /** For tests. ms for the user's shell. */
  readonly shellMs?: number;
  /** For tests: the programs of installers. */
  readonly usualNodes?: readonly string[];
  /** For tests. */
  readonly packages?: ManagedNodeDependencies['packages'];
}

export interface WindowStartServices {
  readonly services: StartServices;
  readonly nodes: ManagedNodes;
  /** A Node.js that is not on the PATH: of a version manager, an installer, or downloaded. Reads no shell. `npm`: its script, where it is known. */
  nodeBeside(): Promise<{ readonly file: string; readonly npm?: string } | undefined>;
  /** The environment of an agent's command in a folder, as the user's shell would have it there. */
  commandEnvironment(folder: string): Promise<Record<string, string>>;
}

export function windowStartServices(deps: StartServicesDependencies): WindowStartServices {
  const { log, environment, storage, extensionPath, fetch, now, projects, shellMs = SHELL_MS, usualNodes, packages } = deps;
  /** The environment of the shell, once an agent has needed it. */
  let current = environment;
  const readShell = shellEnvironmentOnce({ environment, node: process.execPath, timeoutMs: shellMs });
  const shell = async () => {
    const found = await readShell();
    if ('environment' in found) {
      current = found.environment;
    } else {
      const { shell: name, reason, detail = '' } = found.failure;
      log.warn(`The environment of the shell ${name} was not read: ${reason} ${detail}`.trimEnd());
    }
    return found;
  };
  const read = projectEnvironments(now, projects);
  const project: NonNullable<StartServices['project']> = async (folder, own) => {
    const found = await read(folder, own);
    found.notes.forEach((note) => log.info(note));
    return found;
  };
  const nodes = new ManagedNodes({
    folder: path.join(storage, 'node'),
    fetch,
    registry: () => userRegistry(current),
    ...(packages && { packages }),
  });
  return {
    nodes,
    services: {
      shell,
      project,
      installedNode: (own, range) => installedNode(own, range, usualNodes),
      managedNode: (range) => nodes.installed(range),
      preload: path.join(extensionPath, 'dist', 'package-runner.js'),
    },
    nodeBeside: async () => {
      const installed = await installedNode(current, undefined, usualNodes);
      const managed = installed ? undefined : await nodes.installed(undefined);
      return installed ?? (managed && { file: managed.file, npm: managed.scripts.npm });
    },
    commandEnvironment: async (folder) => {
      const own = cleanEnvironment(current);
      return applied(own, await project(folder, own));
    },
  };
}
