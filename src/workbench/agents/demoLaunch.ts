/** Recognizes the launch of the demo agent. */
import type { AgentLaunch } from '../../core/model/ports';

/** True for the agent that comes with the extension and runs on VS Code's own Node. */
export function runsAsNode({ command, args }: AgentLaunch, demo: AgentLaunch): boolean {
  return command === demo.command && args[0] === demo.args[0];
}
