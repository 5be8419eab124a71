/** The actions of an agent's page that other parts of the extension perform. */
import * as vscode from 'vscode';
import { commands } from '../../../application/shared/ids';
import { ruleCommands } from '../../../application/shared/ruleCommandIds';
import type { AgentAction } from '../../../core/agents/agentsPage';
import { revealAgentsSetting } from '../revealSetting';
import type { SettingsSources } from './settingsFacts';

export interface ActionTarget {
  readonly agentId: string;
  readonly name: string;
}

export interface AgentActionsDependencies {
  newSession(agentId: string): Promise<unknown>;
  /** Installs a Node.js for agents, or opens its page. */
  installNode(): Promise<void>;
  /** Signs in to this agent: in a session of it, or in a new one. */
  signIn(agentId: string): Promise<void>;
  signOut(agentId: string): Promise<void>;
  /** Deletes the saved credentials of the agent, and asks for nothing. */
  clearCredentials(agentId: string): Promise<void>;
  configureEndpoints(agentId: string): Promise<void>;
}

export async function actOnAgent(
  deps: AgentActionsDependencies & Pick<SettingsSources, 'userAgents'>,
  action: AgentAction,
  { agentId }: ActionTarget,
): Promise<void> {
  const run = (command: string) => void vscode.commands.executeCommand(command);
  switch (action) {
    case 'new_session':
      return void (await deps.newSession(agentId));
    case 'sign_in':
      return deps.signIn(agentId);
    case 'sign_out':
      return deps.signOut(agentId);
    case 'clear_credentials':
      return deps.clearCredentials(agentId);
    case 'endpoints':
      return deps.configureEndpoints(agentId);
    case 'mcp_servers':
      return run(commands.chooseMcpServers);
    case 'rules':
      return run(ruleCommands.showPermissionRules);
    case 'default_agent':
      return run(commands.selectDefaultAgent);
    case 'settings':
      return deps.userAgents().has(agentId) ? revealAgentsSetting(agentId) : run(commands.openSettings);
    case 'show_log':
      return run(commands.showLog);
    case 'protocol_log':
      return run(commands.showProtocolLog);
    case 'install_node':
      return deps.installNode();
    default:
      return undefined;
  }
}
