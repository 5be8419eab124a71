/** The Node.js that installed agents run on, and its npm: on the PATH, in the user's shell, of a version manager, or in the extension's storage. */
import { withoutProjectPath } from '../../agent/environment/searchPath';
import { isSuitable, probeNode } from '../../agent/node/findNode';
import type { StartServices } from '../../agent/startServices';
import type { NodeTools } from '../../registry/install/context';
import { npmOf } from '../../registry/install/nodeTools';
import { cleanEnvironment, type Environment } from '../../util/environment';
import { findExecutable } from '../../util/executable';

export interface AgentNodeDependencies {
  readonly services: Pick<StartServices, 'shell' | 'installedNode' | 'managedNode'>;
  /** Without the folders of projects. */
  readonly environment: Environment;
  /** An absolute folder of no project. */
  readonly folder: string;
  readonly home: string;
  /** Absolute folders whose programs must not run. */
  readonly projects: readonly string[];
}

/** @param engines a range such as `>=22`. Undefined: any Node.js that has npm is preferred @returns undefined when none fits */
export async function agentNode(
  { services, environment, folder, home, projects }: AgentNodeDependencies,
  engines?: string,
): Promise<NodeTools | undefined> {
  let withoutNpm: NodeTools | undefined;
  let late: string | undefined;
  const toolsOf = async (file: string, base: Environment): Promise<NodeTools | undefined> => {
    const tools = { node: file, npm: await npmOf(file, base) };
    withoutNpm ??= tools;
    return tools.npm === undefined && engines === undefined ? undefined : tools;
  };
  const onPath = async (base: Environment): Promise<NodeTools | undefined> => {
    const found = await findExecutable('node', { cwd: folder, environment: base });
    const node = found?.executable ? await probeNode(found.file) : undefined;
    late ??= node?.isLate ? node.file : undefined;
    return node && isSuitable(node, engines) ? toolsOf(node.file, base) : undefined;
  };
  const first = await onPath(environment);
  if (first) {
    return first;
  }
  const shell = await services.shell?.();
  // The shell inherits the PATH of VS Code, which a project's shell may have started.
  const base =
    shell && 'environment' in shell ? await withoutProjectPath(cleanEnvironment(shell.environment), projects, home) : environment;
  const second = base === environment ? undefined : await onPath(base);
  const other = second ? undefined : await services.installedNode?.(base, engines);
  const third = second ?? (other && (await toolsOf(other.file, base)));
  if (third) {
    return third;
  }
  const managed = await services.managedNode?.(engines);
  if (managed) {
    return { node: managed.file, npm: managed.scripts.npm };
  }
  // A machine that is busy may be the reason for a late answer.
  return withoutNpm ?? (late === undefined ? undefined : toolsOf(late, base));
}
