/** Checks whether two names mean the same program. Pure except for reading the disk. */
import path from 'node:path';
import type { ResolvedLaunch } from '../../agent/prepare';
import { cleanEnvironment, overlayEnvironment, type Environment } from '../../util/environment';
import { findExecutable } from '../../util/executable';
import { realPathOf } from '../../util/realPath';

/** True when `command` is the program of the launch: it has the same name, or both resolve to the same file. */
export async function namesProgram(launch: ResolvedLaunch, command: string, environment: Environment): Promise<boolean> {
  if (command === launch.command || (!/[\\/]/.test(command) && command === baseOf(launch.command))) {
    return true;
  }
  const lookup = { cwd: launch.cwd, environment: overlayEnvironment(cleanEnvironment(environment), launch.env) };
  const [one, other] = await Promise.all([findExecutable(launch.command, lookup), findExecutable(command, lookup)]);
  return one !== undefined && other !== undefined && (await realPathOf(one.file)) === (await realPathOf(other.file));
}

/** Returns the name without folder and extension: `agent` for `/opt/bin/agent.cmd`. */
function baseOf(command: string): string {
  return path.posix.basename(command.replaceAll('\\', '/')).replace(/\.(?:exe|cmd|bat|com)$/i, '');
}
