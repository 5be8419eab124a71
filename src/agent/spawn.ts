/** An agent's process and its pipes. `child_process` is imported with the first agent, so that activation does not load it. */
import type { Disposable } from '../core/platform/disposable';
import type { Environment } from '../util/environment';
import { type PreparedProgram, prepareProgram, type ResolvedLaunch } from './prepare';
import { type AgentProcess, SpawnedAgent, type SpawnedAgentDependencies, type StartedProgram } from './spawnedAgent';
import type { StartServices } from './startServices';

export type { AgentProcess } from './spawnedAgent';

export interface AgentSpawnDependencies extends SpawnedAgentDependencies {
  /** The environment of the extension host, which this module cleans. */
  readonly environment: Environment;
  /** Returns the program to start instead, which runs the prepared one in a sandbox. Absent: the prepared one starts. */
  readonly wrap?: ((prepared: PreparedProgram) => Promise<{ readonly program: PreparedProgram } & Disposable>) | undefined;
  /** The agent's own Node.js and the project's environment. Absent: the environment as it is. */
  readonly services?: (() => Promise<StartServices>) | undefined;
}

/**
 * Starts an agent without a shell, with unchanged arguments, in its own process group, in `launch.cwd`. Never throws. A start that fails ends the
 * transport with one of `agent.bad_cwd`, `agent.not_found`, `agent.not_executable`, `agent.line_break_in_argument`, `agent.spawn_failed`, whose
 * params are `command` (as configured), `commandLine` and `cwd`.
 * @param launch `runAsNode`: the program is Electron and must run as plain Node
 */
export function spawnAgent(launch: ResolvedLaunch, deps: AgentSpawnDependencies): AgentProcess {
  return new SpawnedAgent(launch, deps, () => startedProgram(launch, deps));
}

/** Resolves to the exact program of a launch. @throws Fault of `prepareProgram` */
async function startedProgram(launch: ResolvedLaunch, { environment, services, wrap }: AgentSpawnDependencies): Promise<StartedProgram> {
  const program = await prepareProgram(launch, environment, await services?.());
  return (await wrap?.(program)) ?? { program };
}
