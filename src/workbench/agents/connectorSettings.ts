/** The settings that each connection to an agent reads when it needs them. Loaded with the first agent. */
import path from 'node:path';
import * as vscode from 'vscode';
import { lineLimitOf } from '../../acp/transport/ndjson';
import { settings } from '../../application/shared/ids';
import type { AgentLaunch } from '../../core/model/agentLaunch';
import type { ConnectorDependencies } from './connector';
import { keeperPlaces, readKeepLimits } from './keepingSettings';
import { followStarts, presentLaunches } from '../registry/followStarts';
import type { UserActivity } from '../shared/userActivity';
import type { SshDependencies } from '../../application/agents/sshTransport';
import type { WindowRegistry } from '../registry/windowRegistry';
import { maxMessageSize, readUserValue } from '../settings/agentSettings';
import { readNetworkVariables, systemCertificates } from '../settings/networkSettings';

export interface LoadedSettings {
  readonly connectorSettings: Partial<ConnectorDependencies>;
  /** Replaces the program of an installed agent by that of the version that was chosen since. */
  presentLaunch(launch: AgentLaunch): Promise<AgentLaunch> | AgentLaunch;
}

/** @param registry loads the registries of the window */
export async function loadConnectorSettings(
  { globalStorageUri, extensionPath }: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'extensionPath'>,
  activity: Pick<UserActivity, 'during'>,
  registry: () => Promise<WindowRegistry>,
): Promise<LoadedSettings> {
  const storage = globalStorageUri.fsPath;
  const certificates = await systemCertificates(storage);
  const places = keeperPlaces(storage, extensionPath);
  return {
    presentLaunch: presentLaunches(storage, registry),
    connectorSettings: {
      ...connectorSettings,
      network: () => readNetworkVariables(certificates),
      follow: followStarts(storage, registry),
      ssh: sshFor(extensionPath, activity),
      keeping: () => {
        const limits = readKeepLimits();
        return limits && { places, limits };
      },
    },
  };
}

/** A program on another host, whose questions count as work of the user. */
function sshFor(extensionPath: string, activity: Pick<UserActivity, 'during'>): SshDependencies {
  return {
    askpass: path.join(extensionPath, 'dist', 'ssh-askpass.js'),
    ask: (agentName, host) => async (question, signal) => {
      const { askSsh } = await import('./sshQuestions');
      return activity.during(() => askSsh(agentName, host, question, signal), 'start');
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
