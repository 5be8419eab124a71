/** Recognizes the launch of the demo agent. */
import { isProcess } from '../../core/agents/endpoint';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { ProcessLaunch } from '../../core/model/agentLaunch';

/** True for the agent that comes with the extension and runs on VS Code's own Node. */
export function runsAsNode(launch: AgentLaunch, demo: ProcessLaunch): boolean {
  return isProcess(launch) && launch.command === demo.command && launch.args[0] === demo.args[0];
}
