/** The settings that each connection to an agent reads when it needs them. Loaded with the first agent. */
import path from 'node:path';
import * as vscode from 'vscode';
import { lineLimitOf } from '../../acp/transport/ndjson';
import { settings } from '../../application/shared/ids';
import type { ConnectorDependencies } from './connector';
import { followStarts } from '../registry/followStarts';
import type { UserActivity } from '../shared/userActivity';
import type { SshDependencies } from '../../application/agents/sshTransport';
import type { WindowRegistry } from '../registry/windowRegistry';
import { maxMessageSize, readUserValue } from '../settings/agentSettings';
import { readNetworkVariables, systemCertificates } from '../settings/networkSettings';

/**
 * @param storage the extension's folder for data, and `extensionPath` for its files
 * @param registry loads the registries of the window
 */
export async function loadConnectorSettings(
  storage: string,
  extensionPath: string,
  activity: Pick<UserActivity, 'during'>,
  registry: () => Promise<WindowRegistry>,
): Promise<{ readonly connectorSettings: Partial<ConnectorDependencies> }> {
  const certificates = await systemCertificates(storage);
  return {
    connectorSettings: {
      ...connectorSettings,
      network: () => readNetworkVariables(certificates),
      follow: followStarts(storage, registry),
      ssh: sshFor(extensionPath, activity),
    },
  };
}

/** A program on another host, whose questions count as work of the user. */
function sshFor(extensionPath: string, activity: Pick<UserActivity, 'during'>): SshDependencies {
  return {
    askpass: path.join(extensionPath, 'dist', 'ssh-askpass.js'),
    ask: (agentName, host) => async (question, signal) => {
      const { askSsh } = await import('./sshQuestions');
      return activity.during(() => askSsh(agentName, host, question, signal));
    },
  };
}

const connectorSettings = {
  /** `acpHost.maxMessageSize` of the user, in bytes. */
  maxLineBytes: (): number => lineLimitOf(maxMessageSize().value),
  /** `acpHost.adapterExtensions` of the user. */
  adapterExtensions: (): boolean => readUserValue(settings.adapterExtensions, false).value === true,
  /** `acpHost.traceContext`. It reveals nothing, so a trusted workspace may set it. */
  isTraced: (): boolean => vscode.workspace.getConfiguration().get(settings.traceContext) === true,
  /** VS Code's own setting, or the variables that Node.js programs heed. */
  usesProxy: (): boolean =>
    Boolean(vscode.workspace.getConfiguration().get('http.proxy')) || PROXY_VARIABLES.some((name) => Boolean(process.env[name])),
};

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
