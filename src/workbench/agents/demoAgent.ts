import path from 'node:path';
import { DEMO_AGENT_ID } from '../../core/agents/agentIds';
import type { ProcessLaunch } from '../../core/model/agentLaunch';
import { t } from '../shared/l10n';

/** Returns the launch of the agent that comes with the extension. @param extensionPath where the extension is installed */
export function demoAgent(extensionPath: string): ProcessLaunch {
  const agentName = t('Demo Agent');
  return {
    agentId: DEMO_AGENT_ID,
    agentName,
    earlierId: agentName,
    command: process.execPath,
    args: [path.join(extensionPath, 'dist', 'demo-agent.js')],
    env: {},
  };
}
