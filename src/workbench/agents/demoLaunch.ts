/** The demo agent as it is started. */
import type { AgentLaunch } from '../../core/model/ports';

/** True for the agent that comes with us and runs on VS Code's own Node. */
export function runsAsNode({ command, args }: AgentLaunch, demo: AgentLaunch): boolean {
  return command === demo.command && args[0] === demo.args[0];
}
