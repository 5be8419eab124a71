/** The labels of the actions on agents, and of the tabs of an agent's page. */
import type { AgentAction, AgentTab } from '../../src/core/agents/agentsPage';
import { t } from '../base/l10n';

/** @param version the one that `use_version` starts */
export function actionLabel(action: AgentAction, version = ''): string {
  switch (action) {
    case 'install':
      return t('Install');
    case 'update':
      return t('Update');
    case 'roll_back':
      return t('Roll Back');
    case 'use_version':
      return t('Use {version}', { version });
    case 'pin':
      return t('Pin Version');
    case 'unpin':
      return t('Unpin');
    case 'uninstall':
      return t('Uninstall');
    case 'cancel':
      return t('Cancel');
    case 'new_session':
      return t('New Session');
    case 'test':
      return t('Test Agent');
    case 'copy_report':
      return t('Copy Report');
    case 'sign_in':
      return t('Sign In…');
    case 'sign_out':
      return t('Sign Out…');
    case 'clear_credentials':
      return t('Clear Saved Credentials…');
    case 'endpoints':
      return t('Configure Endpoints…');
    case 'mcp_servers':
      return t('MCP Servers…');
    case 'rules':
      return t('Permission Rules');
    case 'default_agent':
      return t('Select Default Agent…');
    case 'settings':
      return t('Open Settings');
    case 'show_log':
      return t('Show Log');
    case 'protocol_log':
      return t('Show Protocol Log');
    case 'show_running':
      return t('Show Running Agents');
    case 'stop':
      return t('Stop');
    case 'restart':
      return t('Restart');
    case 'install_node':
      return t('Get Node.js');
  }
}

export function tabLabel(tab: AgentTab): string {
  switch (tab) {
    case 'details':
      return t('Details');
    case 'log':
      return t('Log');
    case 'versions':
      return t('Versions');
    case 'features':
      return t('Features');
    case 'settings':
      return t('Sign-in & Settings');
    case 'test':
      return t('Test');
  }
}
